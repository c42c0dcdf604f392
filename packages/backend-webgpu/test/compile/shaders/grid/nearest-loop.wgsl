// squared distance, smallest of term, blocks (workgroup 32, targets 32, unroll 4): by a grid
struct Run {
  targetCount: u32, // number of targets
  sourceCount: u32,
  groupFirst: u32, // workgroups [groupFirst, groupLast) run in this dispatch
  groupLast: u32,
  sourceOrder: u32, // where the order of the sources starts; that of the targets starts at 0
  evaluated: u32, // where each workgroup writes the number of sources that it met
  carry: u32, // always 0, because this loop never continues from earlier results
  perReach: f32, // 1 / the distance up to which targets look; 0 if there is no cutoff
  slope: f32, // a source at a distance d is within the reach slope * d + start
  start: f32,
  starts: u32, // where in order the counts of cells start, and then their first places
  grid: u32, // where in order the grid of evenly spread sources starts
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> order: array<u32>;
@group(0) @binding(2) var<storage, read> packed: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result_index: array<i32>;
@group(0) @binding(4) var<storage, read_write> result_distance: array<u32>;

var<workgroup> even: u32;
var<workgroup> strays: atomic<u32>;
var<workgroup> visited: atomic<u32>;
// A number of the grid.
fn grid(n: u32) -> f32 { return bitcast<f32>(order[run.grid + n]); }
fn gridCells() -> vec3f { return vec3f(grid(1u), grid(2u), grid(3u)); }
fn gridLow() -> vec3f { return vec3f(grid(4u), grid(5u), grid(6u)); }
fn gridPerEdge() -> vec3f { return vec3f(grid(7u), grid(8u), grid(9u)); }
fn gridSize() -> vec3f { return vec3f(grid(10u), grid(11u), grid(12u)); }
// The cell of a place, along each axis.
fn gridCell(place: vec3f, cells: vec3f) -> vec3f { return clamp(floor(place), vec3f(0.0), cells - 1.0); }
// The number of a cell: those of a row along x follow each other.
fn cellNumber(cell: vec3f, cells: vec3f) -> u32 {
  let at = vec3u(cell);
  let along = vec3u(cells);
  return (at.z * along.y + at.y) * along.x + at.x;
}
fn awayFrom(low: vec3f, size: vec3f, x: vec3f) -> f32 {
  let beyond = max(max(low - x, x - low - size), vec3f(0.0));
  return beyond.x + beyond.y + beyond.z;
}
// The distance of a place to a cell, in cells. The outermost cells have no end.
fn gapTo(cell: f32, place: f32, cells: f32) -> f32 {
  let below = select(cell - place, 0.0, cell == 0.0);
  let above = select(place - cell - 1.0, 0.0, cell == cells - 1.0);
  return max(max(below, above) - cells * 0x1p-20, 0.0);
}
const nearSteps = array<vec2f, 25>(vec2f(0.0, 0.0), vec2f(0.0, -1.0), vec2f(-1.0, 0.0), vec2f(1.0, 0.0), vec2f(0.0, 1.0), vec2f(-1.0, -1.0), vec2f(1.0, -1.0), vec2f(-1.0, 1.0), vec2f(1.0, 1.0), vec2f(0.0, -2.0), vec2f(-2.0, 0.0), vec2f(2.0, 0.0), vec2f(0.0, 2.0), vec2f(-1.0, -2.0), vec2f(1.0, -2.0), vec2f(-2.0, -1.0), vec2f(2.0, -1.0), vec2f(-2.0, 1.0), vec2f(2.0, 1.0), vec2f(-1.0, 2.0), vec2f(1.0, 2.0), vec2f(-2.0, -2.0), vec2f(2.0, -2.0), vec2f(-2.0, 2.0), vec2f(2.0, 2.0));
@compute @workgroup_size(32)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast || run.sourceCount == 0u) { return; }
  if (lane == 0u) {
    atomicStore(&visited, 0u);
    atomicStore(&strays, 0u);
    even = select(0u, 1u, grid(0u) == 1.0);
  }
  // The loop over blocks visits other sources, and those of targets far away.
  if (workgroupUniformLoad(&even) == 0u) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 32u + lane;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let inside_0 = packed[1u * min(place_0, run.targetCount - 1u)].xyz;
  let xi_0 = inside_0.x;
  let yi_0 = inside_0.y;
  let zi_0 = inside_0.z;
  var least_0_0 = 3.4028234e38; var source_0_0 = 0xffffffffu;
  var least_0_1 = 3.4028234e38; var source_0_1 = 0xffffffffu;
  let x = vec3f(xi_0, yi_0, zi_0);
  let cells = gridCells();
  let perEdge = gridPerEdge();
  let place = (x - gridLow()) * perEdge;
  let own = gridCell(place, cells);
  // An axis with one cell has no edge.
  let edges = select(1.0 / perEdge, vec3f(0.0), perEdge == vec3f(0.0)) * (1.0 - 0x1p-20);
  let slack = cells * 0x1p-20;
  let sides = (max(abs(place), abs(cells - place)) + slack) * edges * (1.0 + 4.0 * 0x1p-20);
  let across = sides.x + sides.y + sides.z;
  let cutoff = select(1.7e19, 1.0 / run.perReach, run.perReach > 0.0);
  let whole = min(min(across * (1.0 + 0x1p-20), 1.7e19), cutoff);
  let exists = at_0 < run.targetCount && !any((bitcast<vec3u>(x) & vec3u(0x7f800000u)) == vec3u(0x7f800000u));
  let away = awayFrom(gridLow(), gridSize(), x);
  var guess = grid(13u);
  if (exists && away > 4.0 * guess) { atomicStore(&strays, 1u); }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&strays) == 1u) {
    even = 0u;
    order[run.evaluated + block] = 4294967295u;
  }
  if (workgroupUniformLoad(&even) == 0u) { return; }
  var reach = min(away + guess, whole);
  // The square of the reach of a distance is at most slopeSquare times its square, and startSquare.
  let slopeSquare = run.slope * run.slope * (1.0 + 8.0 * 0x1p-20);
  let startSquare = run.start * run.start * 1e6;
  var met = 0u;
  if (exists) {
    loop {
      var first = own;
      var yRows = 0u;
      var others = 0u;
      for (var n = 0u; n < 25u + others || n == 25u; n++) {
        if (n == 25u) {
          let far = sqrt((min(reach * reach, least_0_1) * slopeSquare + startSquare)) * perEdge * (1.0 + 0x1p-20) + slack;
          let last = gridCell(place + far, cells);
          first = gridCell(place - far, cells);
          if (max(own.y - first.y, last.y - own.y) > 2.0 || max(own.z - first.z, last.z - own.z) > 2.0) {
            yRows = u32(last.y - first.y) + 1u;
            others = yRows * (u32(last.z - first.z) + 1u);
          }
          if (others == 0u) { break; }
        }
        var cell = own;
        if (n < 25u) {
          cell += vec3f(0.0, nearSteps[n]);
          if (cell.y < 0.0 || cell.y >= cells.y || cell.z < 0.0 || cell.z >= cells.z) { continue; }
        } else {
          let m = n - 25u;
          cell = vec3f(0.0, first.y + f32(m % yRows), first.z + f32(m / yRows));
          if (abs(cell.y - own.y) <= 2.0 && abs(cell.z - own.z) <= 2.0) { continue; }
        }
        let yGap = gapTo(cell.y, place.y, cells.y) * edges.y;
        let zGap = gapTo(cell.z, place.z, cells.z) * edges.z;
        let rest = (min(reach * reach, least_0_1) * slopeSquare + startSquare) - yGap * yGap - zGap * zGap;
        if (rest < 0.0) { continue; }
        cell.x = 0.0;
        let rowFirst = run.starts + cellNumber(cell, cells);
        let along = sqrt(rest) * perEdge.x * (1.0 + 0x1p-20) + slack.x;
        let firstCell = u32(clamp(floor(place.x - along), 0.0, cells.x - 1.0));
        let lastCell = u32(clamp(floor(place.x + along), 0.0, cells.x - 1.0));
        let rowEnd = order[rowFirst + lastCell + 1u];
        let rowStart = order[rowFirst + firstCell];
        met += rowEnd - rowStart;
        for (var at = rowStart; at < rowEnd; at++) {
          let source = packed[at];
          let j = bitcast<u32>(packed[at].w) - 0x00800000u;
          let dx = source.x - xi_0;
          let dy = source.y - yi_0;
          let dz = source.z - zi_0;
          let r2 = dx * dx + dy * dy + dz * dz;
          let value = r2;
          let other = j;
          if (at != place_0) { if (value < least_0_1 || (value == least_0_1 && other < source_0_1)) {
            let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
            least_0_1 = select(value, least_0_0, before0);
            source_0_1 = select(other, source_0_0, before0);
            least_0_0 = select(least_0_0, value, before0);
            source_0_0 = select(source_0_0, other, before0);
          } }
        }
      }
      if (reach >= whole || (least_0_1 < 3.4028234e38 && (sqrt(least_0_1) * run.slope + run.start) <= reach)) { break; }
      guess *= 1.6;
      reach = min(away + guess, whole);
      least_0_0 = 3.4028234e38; source_0_0 = 0xffffffffu;
      least_0_1 = 3.4028234e38; source_0_1 = 0xffffffffu;
    }
  }
  atomicAdd(&visited, met);
  if (at_0 < run.targetCount) {
    result_index[2u * at_0 + 0u] = bitcast<i32>(source_0_0);
    result_distance[2u * at_0 + 0u] = select(bitcast<u32>(sqrt(least_0_0)), 0x7f800000u, source_0_0 == 0xffffffffu);
    result_index[2u * at_0 + 1u] = bitcast<i32>(source_0_1);
    result_distance[2u * at_0 + 1u] = select(bitcast<u32>(sqrt(least_0_1)), 0x7f800000u, source_0_1 == 0xffffffffu);
  }
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = (atomicLoad(&visited) + 31u) / 32u; }
}
