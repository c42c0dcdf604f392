// lennard-jones, sum of force, cells (workgroup 64, targets 16) with Verlet lists, built by cells
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
  cells_z: u32, // number of cells along z
  edge_z: f32, // length of their edges
  perEdge_z: f32,
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  rebuilt: u32, // where packed has the coordinates of the rebuild
  owner: f32, // the number of the owner of these lists
  listCount: u32, // number of lists
  listed: u32, // where their sources start
  mostListed: u32, // the most sources of a list
  p0: f32, // cutoff * cutoff
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_epsilon: array<f32>;
@group(0) @binding(2) var<storage, read> points_sigma: array<f32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read> packed: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> result_force: array<f32>;
@group(0) @binding(6) var<storage, read_write> lists: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> carried: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read> rounds: array<u32>;

var<workgroup> shared_words: array<u32, 192>;
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
  let builds = rounds[3u] != 0u;
  if (group.x + group.z + lane == 0u) {
    atomicStore(&carried[1u], 0u);
    if (builds) { atomicStore(&carried[2u], bitcast<u32>(run.owner)); }
  }
  if (rounds[1u] == 0u) { return; }
  let stale = rounds[2u] == 0u;
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 16u;
  let slice = lane / 16u;
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 16u + member;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let inside_0 = select(packed[2u * min(place_0, run.targetCount - 1u)].xyz, packed[run.rebuilt + min(place_0, run.targetCount - 1u)].xyz, stale);
  let xi_0 = inside_0.x;
  let yi_0 = inside_0.y;
  let zi_0 = inside_0.z;
  let t0_0 = 0.5 * points_sigma[i_0];
  let t1_0 = 24.0 * sqrt(points_epsilon[i_0]);
  var total_sum0_0 = 0.0; var total_sum1_0 = 0.0; var total_sum2_0 = 0.0;
  let list = slice * run.targetCount + min(place_0, run.targetCount - 1u);
  var found = 0u;
  var four = vec4u(0u);
  {
    var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
    var room = run.sumLength;
    let visits = at_0 < run.targetCount && !(any((bitcast<vec3u>(inside_0) & vec3u(0x7f800000u)) == vec3u(0x7f800000u)) || any(abs(inside_0 - 0.5 * vec3f(run.length_x, run.length_y, run.length_z)) > 0.75 * vec3f(run.length_x, run.length_y, run.length_z)));
    let yCells = cellsWithin(inside_0.y, run.reach, run.perEdge_y);
    let zCells = cellsWithin(inside_0.z, run.reach, run.perEdge_z);
    let rows = select(0u, yCells.number * zCells.number, visits);
    for (var row = 0u; row < rows; row += 1u) {
      let yCell = yCells.first + i32(row % yCells.number);
      let zCell = zCells.first + i32(row / yCells.number);
      let yGap = gapTo(yCell, inside_0.y, run.edge_y);
      let zGap = gapTo(zCell, inside_0.z, run.edge_z);
      let rest = run.reach * run.reach - yGap * yGap - zGap * zGap;
      if (rest < 0.0) { continue; }
      let yImage = imageOf(yCell, run.cells_y);
      let zImage = imageOf(zCell, run.cells_z);
      let start = run.starts + (zImage * run.cells_y + yImage) * run.cells_x;
      let cells = cellsWithin(inside_0.x, sqrt(rest), run.perEdge_x);
      var shifted = inside_0;
      shifted.y += sign(f32(i32(yImage) - yCell)) * run.length_y;
      shifted.z += sign(f32(i32(zImage) - zCell)) * run.length_z;
      for (var done = 0u; done < cells.number; ) {
        let cell = cells.first + i32(done);
        let image = imageOf(cell, run.cells_x);
        let number = min(cells.number - done, run.cells_x - image);
        done += number;
        shifted.x = inside_0.x + sign(f32(i32(image) - cell)) * run.length_x;
        let xi_0 = shifted.x;
        let yi_0 = shifted.y;
        let zi_0 = shifted.z;
        let first = start + image;
        var next = order[first] + slice;
        let last = order[first + number];
        while (next < last) {
          let end = min(min(last, next + room), next + 128u);
          room -= end - next;
          let part = next;
          var near = 0u;
          for (; next + 4u < end; next += 8u) {
            {
              let at = next + 0u;
              let source = packed[select(2u * at, run.rebuilt + at, stale)];
              let source1 = packed[2u * at + 1u].xy;
              let apart = source.xyz - shifted;
              near |= select(0u, 1u, dot(apart, apart) <= run.reach * run.reach) << ((at - part) / 4u);
              let dx = source.x - xi_0;
              let dy = source.y - yi_0;
              let dz = source.z - zi_0;
              let r2 = dx * dx + dy * dy + dz * dz;
              let safeR2 = select(1.0, r2, (0.0 < r2));
              let e0 = source1.x + t0_0;
              let e1 = 1.0 / safeR2;
              let e2 = e0 * e0 * e1;
              let e3 = e2 * e2 * e2;
              let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
              sum0_0 += w * dx;
              sum1_0 += w * dy;
              sum2_0 += w * dz;
            }
            {
              let at = next + 4u;
              let source = packed[select(2u * at, run.rebuilt + at, stale)];
              let source1 = packed[2u * at + 1u].xy;
              let apart = source.xyz - shifted;
              near |= select(0u, 1u, dot(apart, apart) <= run.reach * run.reach) << ((at - part) / 4u);
              let dx = source.x - xi_0;
              let dy = source.y - yi_0;
              let dz = source.z - zi_0;
              let r2 = dx * dx + dy * dy + dz * dz;
              let safeR2 = select(1.0, r2, (0.0 < r2));
              let e0 = source1.x + t0_0;
              let e1 = 1.0 / safeR2;
              let e2 = e0 * e0 * e1;
              let e3 = e2 * e2 * e2;
              let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
              sum0_0 += w * dx;
              sum1_0 += w * dy;
              sum2_0 += w * dz;
            }
          }
          for (; next < end; next += 4u) {
            let at = next + 0u;
            let source = packed[select(2u * at, run.rebuilt + at, stale)];
            let source1 = packed[2u * at + 1u].xy;
            let apart = source.xyz - shifted;
            near |= select(0u, 1u, dot(apart, apart) <= run.reach * run.reach) << ((at - part) / 4u);
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let r2 = dx * dx + dy * dy + dz * dz;
            let safeR2 = select(1.0, r2, (0.0 < r2));
            let e0 = source1.x + t0_0;
            let e1 = 1.0 / safeR2;
            let e2 = e0 * e0 * e1;
            let e3 = e2 * e2 * e2;
            let w = select(0.0, source.w * (1.0 - 2.0 * e3) * (e3 * e1), (r2 <= run.p0));
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
          if (room == 0u) {
            total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
            sum0_0 = 0.0; sum1_0 = 0.0; sum2_0 = 0.0;
            room = run.sumLength;
          }
          if (!builds) { near = 0u; }
          for (; near != 0u; near &= near - 1u) {
            four = vec4u(four.yzw, part + 4u * firstTrailingBit(near));
            if (found % 4u == 3u && found < run.mostListed) { lists[run.listed + found / 4u * run.listCount + list] = four; }
            found++;
          }
        }
      }
    }
    total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
  }
  if (builds && at_0 < run.targetCount) {
    lists[(list) / 4u][(list) % 4u] = found;
    let whole = found & ~3u;
    for (var n = found; n % 4u != 0u; n++) { four = vec4u(four.yzw, 0u); }
    if (whole < min(found, run.mostListed)) { lists[run.listed + whole / 4u * run.listCount + list] = four; }
    if (found > run.mostListed) { atomicStore(&carried[0u], bitcast<u32>(-32.0)); }
  }
  var sum0_0 = total_sum0_0; var sum1_0 = total_sum1_0; var sum2_0 = total_sum2_0;
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_0);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_0);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_0);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_0 < run.targetCount; word += 4u) {
    var sum = 0.0;
    for (var other = 0u; other < 4u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 16u + member]);
    }
    result_force[3u * at_0 + word] = select(0.0, result_force[3u * at_0 + word], run.carry == 1u) + sum * (t1_0);
  }
}
