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
@group(0) @binding(1) var<storage, read> targets_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> result_index: array<i32>;
@group(0) @binding(5) var<storage, read_write> result_distance: array<u32>;

var<workgroup> even: u32;
var<workgroup> strays: atomic<u32>;
var<workgroup> visited: atomic<u32>;
// A number of the grid.
fn grid(n: u32) -> f32 { return bitcast<f32>(order[run.grid + n]); }
fn gridCells() -> vec2f { return vec2f(grid(1u), grid(2u)); }
fn gridLow() -> vec2f { return vec2f(grid(4u), grid(5u)); }
fn gridPerEdge() -> vec2f { return vec2f(grid(7u), grid(8u)); }
fn gridSize() -> vec2f { return vec2f(grid(10u), grid(11u)); }
// The cell of a place, along each axis.
fn gridCell(place: vec2f, cells: vec2f) -> vec2f { return clamp(floor(place), vec2f(0.0), cells - 1.0); }
// The number of a cell: those of a row along x follow each other.
fn cellNumber(cell: vec2f, cells: vec2f) -> u32 {
  let at = vec2u(cell);
  let along = vec2u(cells);
  return at.y * along.x + at.x;
}
fn awayFrom(low: vec2f, size: vec2f, x: vec2f) -> f32 {
  let beyond = max(max(low - x, x - low - size), vec2f(0.0));
  return beyond.x + beyond.y;
}
// The distance of a place to a cell, in cells. The outermost cells have no end.
fn gapTo(cell: f32, place: f32, cells: f32) -> f32 {
  let below = select(cell - place, 0.0, cell == 0.0);
  let above = select(place - cell - 1.0, 0.0, cell == cells - 1.0);
  return max(max(below, above) - cells * 0x1p-20, 0.0);
}
const nearSteps = array<f32, 5>(f32(0.0), f32(-1.0), f32(1.0), f32(-2.0), f32(2.0));
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
  let xi_0 = targets_position[2u * i_0];
  let yi_0 = targets_position[2u * i_0 + 1u];
  var least_0: array<f32, 20>;
  // The largest term to visit.
  var most_0 = 3.4028234e38;
  let x = vec2f(xi_0, yi_0);
  let cells = gridCells();
  let perEdge = gridPerEdge();
  let place = (x - gridLow()) * perEdge;
  let own = gridCell(place, cells);
  // An axis with one cell has no edge.
  let edges = select(1.0 / perEdge, vec2f(0.0), perEdge == vec2f(0.0)) * (1.0 - 0x1p-20);
  let slack = cells * 0x1p-20;
  let sides = (max(abs(place), abs(cells - place)) + slack) * edges * (1.0 + 4.0 * 0x1p-20);
  let across = sides.x + sides.y;
  let cutoff = select(1.7e19, 1.0 / run.perReach, run.perReach > 0.0);
  let whole = min(min(across * (1.0 + 0x1p-20), 1.7e19), cutoff);
  let exists = at_0 < run.targetCount && !any((bitcast<vec2u>(x) & vec2u(0x7f800000u)) == vec2u(0x7f800000u));
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
  for (var passAt = 0u; passAt < 2u; passAt++) {
    if (passAt % 2u == 0u) {
      most_0 = 3.4028234e38;
      for (var p = 0u; p < 20u; p++) { least_0[p] = 3.4028234e38; }
    } else {
      // The driver may round a term otherwise in another place.
      most_0 = select(3.4028234e38, 1.000002 * least_0[19], least_0[19] < 1e38);
      for (var p = 0u; p < 20u; p++) {
        let rank = passAt / 2u * 20u + p;
        if (at_0 < run.targetCount && rank < 20u) {
          result_index[20u * at_0 + rank] = -1;
          result_distance[20u * at_0 + rank] = select(bitcast<u32>(sqrt(least_0[p])), 0x7f800000u, least_0[p] >= 3.4028234e38);
        }
      }
    }
    if (exists) {
      loop {
        var first = own;
        var yRows = 0u;
        var others = 0u;
        for (var n = 0u; n < 5u + others || n == 5u; n++) {
          if (n == 5u) {
            let far = sqrt((min(reach * reach, least_0[19]) * slopeSquare + startSquare)) * perEdge * (1.0 + 0x1p-20) + slack;
            let last = gridCell(place + far, cells);
            first = gridCell(place - far, cells);
            if (max(own.y - first.y, last.y - own.y) > 2.0) {
              yRows = u32(last.y - first.y) + 1u;
              others = yRows;
            }
            if (others == 0u) { break; }
          }
          var cell = own;
          if (n < 5u) {
            cell += vec2f(0.0, nearSteps[n]);
            if (cell.y < 0.0 || cell.y >= cells.y) { continue; }
          } else {
            let m = n - 5u;
            cell = vec2f(0.0, first.y + f32(m));
            if (abs(cell.y - own.y) <= 2.0) { continue; }
          }
          let yGap = gapTo(cell.y, place.y, cells.y) * edges.y;
          let rest = (min(reach * reach, least_0[19]) * slopeSquare + startSquare) - yGap * yGap;
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
            let source = packed[at].xy;
            let j = bitcast<u32>(packed[at].w) - 0x00800000u;
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let r2 = dx * dx + dy * dy;
            let value = r2;
            let other = j;
            if (passAt % 2u == 0u) {
              if (value < least_0[19]) {
                for (var p = 19u; p > 0u; p--) { least_0[p] = min(max(value, least_0[p - 1u]), least_0[p]); }
                least_0[0] = min(value, least_0[0]);
                most_0 = least_0[19];
              }
            } else if (at_0 < run.targetCount) {
              // Many sources may have the last term. Most of them come after those that are there already.
              let lastSource = bitcast<u32>(result_index[20u * at_0 + min(passAt / 2u * 20u + 20u, 20u) - 1u]);
              if (value < least_0[19] || other < lastSource) {
                var rank = passAt / 2u * 20u;
                var equal = 0u;
                for (var p = 0u; p < 20u; p++) {
                  rank += u32(least_0[p] < value);
                  equal += u32(least_0[p] == value);
                }
                // Sources of equal terms in ascending order.
                var moved = other;
                for (var to = rank; to < min(rank + equal, 20u); to++) {
                  let there = bitcast<u32>(result_index[20u * at_0 + to]);
                  if (moved < there) {
                    result_index[20u * at_0 + to] = bitcast<i32>(moved);
                    moved = there;
                  }
                }
              }
            }
          }
        }
        if (passAt % 2u == 1u || reach >= whole || (least_0[19] < 3.4028234e38 && (sqrt(least_0[19]) * run.slope + run.start) <= reach)) { break; }
        guess *= 1.6;
        reach = min(away + guess, whole);
        most_0 = 3.4028234e38;
        for (var p = 0u; p < 20u; p++) { least_0[p] = 3.4028234e38; }
      }
    }
  }
  atomicAdd(&visited, met);
  if (at_0 < run.targetCount) {
  }
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = (atomicLoad(&visited) + 31u) / 32u; }
}
