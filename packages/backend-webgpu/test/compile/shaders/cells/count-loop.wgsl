// squared distance, count of term, cells (workgroup 64, targets 8)
struct Run {
  targetCount: u32, // number of targets
  sourceCount: u32,
  groupFirst: u32, // workgroups [groupFirst, groupLast) run in this dispatch
  groupLast: u32,
  sourceOrder: u32, // where the order of the sources starts; that of the targets starts at 0
  evaluated: u32, // where each workgroup writes the number of sources that it met
  carry: u32, // always 0, because this loop never continues from earlier results
  reach: f32, // the distance up to which targets look
  sumLength: u32, // number of sources in a block of sums
  starts: u32, // where in order the counts of cells start, and then their first places
  cells_x: u32, // number of cells along x
  edge_x: f32, // length of their edges
  perEdge_x: f32,
  cells_y: u32, // number of cells along y
  edge_y: f32, // length of their edges
  perEdge_y: f32,
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  p0: f32, // cutoff * cutoff
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> targets_position: array<f32>;
@group(0) @binding(2) var<storage, read> exclusions_offsets: array<u32>;
@group(0) @binding(3) var<storage, read> exclusions_sources: array<u32>;
@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@group(0) @binding(5) var<storage, read> packed: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> result_count: array<u32>;

var<workgroup> shared_words: array<u32, 64>;
var<workgroup> visited: atomic<u32>;
fn lengths() -> vec2f { return vec2f(run.length_x, run.length_y); }
fn wrapped(x: vec2f) -> vec2f { return x - lengths() * floor(x * vec2f(run.perLength_x, run.perLength_y)); }
fn listed(j: u32, i: u32) -> bool {
  var first = exclusions_offsets[i];
  let end = exclusions_offsets[i + 1u];
  var last = end;
  while (first < last) {
    let middle = (first + last) / 2u;
    if (exclusions_sources[middle] < j) { first = middle + 1u; } else { last = middle; }
  }
  return first < end && exclusions_sources[first] == j;
}
// Some consecutive cells of an axis. Cells before the first and behind the last of the box are cells of its images.
struct Cells {
  first: i32,
  number: u32,
}
fn cellsWithin(x: f32, reach: f32, perEdge: f32) -> Cells {
  let low = i32(floor((x - reach) * perEdge));
  let high = i32(floor((x + reach) * perEdge));
  return Cells(low, u32(high - low) + 1u);
}
// The cell of the box that a cell is an image of.
fn imageOf(cell: i32, cells: u32) -> u32 {
  let count = i32(cells);
  return u32(select(select(cell, cell - count, cell >= count), cell + count, cell < 0));
}
// The distance of x to a cell.
fn gapTo(cell: i32, x: f32, edge: f32) -> f32 {
  let low = f32(cell) * edge;
  return max(max(low - x, x - (low + edge)), 0.0);
}
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 8u;
  let slice = lane / 8u;
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 8u + member;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let inside_0 = wrapped(wrapped(vec2f(targets_position[2u * i_0], targets_position[2u * i_0 + 1u])));
  let xi_0 = inside_0.x;
  let yi_0 = inside_0.y;
  var count_0 = 0u;
  if (lane == 0u) { atomicStore(&visited, 0u); }
  workgroupBarrier();
  var met = 0u;
  {
    var room = run.sumLength;
    let visits = at_0 < run.targetCount && !(any((bitcast<vec2u>(inside_0) & vec2u(0x7f800000u)) == vec2u(0x7f800000u)) || any(abs(inside_0 - 0.5 * vec2f(run.length_x, run.length_y)) > 0.75 * vec2f(run.length_x, run.length_y)));
    let yCells = cellsWithin(inside_0.y, run.reach, run.perEdge_y);
    let rows = select(0u, yCells.number, visits);
    for (var row = slice; row < rows; row += 8u) {
      let yCell = yCells.first + i32(row);
      let yGap = gapTo(yCell, inside_0.y, run.edge_y);
      let rest = run.reach * run.reach - yGap * yGap;
      if (rest < 0.0) { continue; }
      let yImage = imageOf(yCell, run.cells_y);
      let start = run.starts + yImage * run.cells_x;
      let cells = cellsWithin(inside_0.x, sqrt(rest), run.perEdge_x);
      var shifted = inside_0;
      shifted.y += sign(f32(i32(yImage) - yCell)) * run.length_y;
      for (var done = 0u; done < cells.number; ) {
        let cell = cells.first + i32(done);
        let image = imageOf(cell, run.cells_x);
        let number = min(cells.number - done, run.cells_x - image);
        done += number;
        shifted.x = inside_0.x + sign(f32(i32(image) - cell)) * run.length_x;
        let xi_0 = shifted.x;
        let yi_0 = shifted.y;
        let first = start + image;
        var next = order[first];
        let last = order[first + number];
        met += last - next;
        while (next < last) {
          let end = last;
          for (; next < end; next++) {
            let at = next + 0u;
            let source = packed[at].xy;
            let j = order[run.sourceOrder + at];
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let r2 = dx * dx + dy * dy;
            let counts = ((r2 <= run.p0) && !listed(j, i_0));
            count_0 += select(0u, 1u, counts);
          }
        }
      }
    }
  }
  atomicAdd(&visited, met);
  workgroupBarrier();
  shared_words[0u * 64u + lane] = count_0;
  workgroupBarrier();
  if (slice < 4u) {
    count_0 += shared_words[0u * 64u + lane + 32u];
    shared_words[0u * 64u + lane] = count_0;
  }
  workgroupBarrier();
  if (slice < 2u) {
    count_0 += shared_words[0u * 64u + lane + 16u];
    shared_words[0u * 64u + lane] = count_0;
  }
  workgroupBarrier();
  if (slice < 1u) {
    count_0 += shared_words[0u * 64u + lane + 8u];
  }
  if (slice == 0u && at_0 < run.targetCount) {
    result_count[at_0] = select(0u, result_count[at_0], run.carry == 1u) + count_0;
  }
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = atomicLoad(&visited); }
}
