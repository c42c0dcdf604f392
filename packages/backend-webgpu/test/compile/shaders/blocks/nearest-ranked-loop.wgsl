// squared distance, smallest of term, blocks (workgroup 32, targets 32, unroll 4)
struct Run {
  targetCount: u32, // number of targets
  sourceCount: u32,
  groupFirst: u32, // workgroups [groupFirst, groupLast) run in this dispatch
  groupLast: u32,
  sourceOrder: u32, // where the order of the sources starts; that of the targets starts at 0
  evaluated: u32, // where each workgroup writes the number of sources that it met
  targetBoxes: u32, // the first box of the targets; that of the sources is 0
  carry: u32, // always 0, because this loop never continues from earlier results
  boxes: u32, // where the boxes start in packed
  perReach: f32, // 1 / the distance up to which the walk looks at first; 0 if there is no cutoff
  slope: f32, // a source at a distance d is within the reach slope * d + start
  start: f32,
  grid: u32, // where in order the grid of evenly spread sources starts
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> result_index: array<i32>;
@group(0) @binding(5) var<storage, read_write> result_distance: array<u32>;

var<workgroup> tile0: array<vec4f, 64>;
var<workgroup> tileIndex: array<u32, 64>;
var<workgroup> near0: array<u32, 47>;
var<workgroup> near1: array<u32, 32>;
// One bit per invocation that keeps what it tests, for this test and for the one before.
var<workgroup> marks: array<atomic<u32>, 2>;
var<workgroup> kept: u32;
struct Box {
  low: vec4f,
  high: vec4f,
}
fn boxAt(node: u32) -> Box { return Box(packed[run.boxes + 2u * node], packed[run.boxes + 2u * node + 1u]); }
// Whether no point of a box is within reach of any point of the other.
fn apart(a: Box, b: Box, perReach: f32) -> bool {
  var gap = max(b.low.xyz - a.high.xyz, a.low.xyz - b.high.xyz);
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * perReach, vec3f(0.0), vec3f(1e18));
  let reach = 1.0;
  return dot(share, share) > reach * reach;
}
// 1 / the distance up to which the walk looks. It grows.
var<private> perReach: f32;
// Whether each target is tested.
var<private> oneByOne: bool;
// The targets inside the periodic box, and the same number for each.
var<workgroup> spots: array<vec4f, 32>;
// The farthest value that any target keeps, for this tile and for the next one, as bits that ascend like the numbers.
var<workgroup> farthest: array<atomic<u32>, 2>;
// The nearest node of a level: the bits of its distance, and its number.
var<workgroup> nearest: array<atomic<u32>, 2>;
// Whether no point of the box is within reach of any target, or other equal points are enough.
fn beyond(around: Box, box: Box) -> bool {
  if (apart(around, box, perReach) || box.high.w < 0.0) { return true; }
  if (!oneByOne) { return false; }
  for (var n = 0u; n < 32u; n++) {
    let spot = spots[n];
    let alone = Box(vec4f(spot.xyz, around.low.w), vec4f(spot.xyz, 0.0));
    if (!apart(alone, box, spot.w)) { return false; }
  }
  return true;
}
// The place of an invocation among those that keep what they test. After the next barrier, kept is the number of these.
fn placeAmongKept(keeps: bool, lane: u32, turn: u32) -> u32 {
  let word = turn * 1u;
  if (keeps) { atomicOr(&marks[word + lane / 32u], 1u << (lane % 32u)); }
  workgroupBarrier();
  if (lane < 1u) { atomicStore(&marks[1u - word + lane], 0u); }
  var before = countOneBits(atomicLoad(&marks[word + lane / 32u]) & ((1u << (lane % 32u)) - 1u));
  var all = 0u;
  for (var n = 0u; n < 1u; n++) {
    let ones = countOneBits(atomicLoad(&marks[word + n]));
    before += select(0u, ones, n < lane / 32u);
    all += ones;
  }
  if (lane == 0u) { kept = all; }
  return before;
}
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
@compute @workgroup_size(32)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  if (lane == 0u) { kept = select(0u, 1u, run.sourceCount > 0u && grid(0u) == 1.0 && order[run.evaluated + block] != 4294967295u); }
  if (workgroupUniformLoad(&kept) == 1u) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 32u + lane;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  var least_0: array<f32, 20>;
  // The largest term to visit.
  var most_0 = 3.4028234e38;
  let blocksOfTargets = (run.targetCount + 7u) / 8u;
  var around = Box(vec4f(1.7e38), vec4f(-1.7e38));
  for (var n = 0u; n < 4u; n++) {
    let block = boxAt(min(run.targetBoxes + block * 4u + n, (run.targetBoxes + blocksOfTargets) - 1u));
    around.low = min(around.low, block.low);
    around.high = max(around.high, block.high);
  }
  // The number of sources in the tile, and of all sources that were kept.
  var held = 0u;
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
    perReach = run.perReach;
    oneByOne = false;
    spots[lane] = vec4f(vec3f(xi_0, yi_0, zi_0), run.perReach);
    var tileTurn = 0u;
    if (lane < 2u) { atomicStore(&farthest[lane], 0u); }
    {
      let nodes0 = (run.sourceCount + 7u) / 8u;
      let first0 = 0u;
      let nodes1 = (nodes0 + 31u) / 32u;
      let first1 = first0 + nodes0;
      if (lane < 2u) { atomicStore(&marks[lane], 0u); }
      workgroupBarrier();
      var turn = 0u;
      var queued = 0u;
      var flush = false;
      let startBlocks = min(12u, nodes0);
      let startFirst = min(max(block * 4u + 2u, startBlocks / 2u) - startBlocks / 2u, nodes0 - startBlocks);
      for (var n = lane; n < startBlocks; n += 32u) { near0[n] = startFirst + n; }
      queued = startBlocks;
      workgroupBarrier();
      // The first batch has no nodes.
      for (var batch = 0u; batch < (nodes1 + 31u) / 32u + 2u; batch++) {
        let step1 = (batch - 1u) * 32u;
        flush = step1 >= nodes1;
        let node = step1 + lane;
        let keeps = node < nodes1 && !beyond(around, boxAt(first1 + node));
        let place = placeAmongKept(keeps, lane, turn);
        turn ^= 1u;
        if (keeps) {
          near1[place] = node;
        }
        let found1 = workgroupUniformLoad(&kept);
        for (var step0 = 0u; step0 < select(found1 * 32u, 1u, flush); step0 += 32u) {
          let node = near1[min((step0 + lane) / 32u, 31u)] * 32u + (step0 + lane) % 32u;
          let keeps = step0 + lane < found1 * 32u && node < nodes0 && node - startFirst >= startBlocks && !beyond(around, boxAt(first0 + node));
          let place = placeAmongKept(keeps, lane, turn);
          turn ^= 1u;
          if (keeps) {
            near0[queued + place] = node;
          }
          let found0 = workgroupUniformLoad(&kept);
          queued += found0;
          if (queued >= 16u || flush) {
            let entries = queued * 8u;
            for (var step = 0u; step < select(entries, 1u, flush && entries == 0u); step += 32u) {
              let entry = step + lane;
              let sourcePlace = near0[min(entry / 8u, 46u)] * 8u + entry % 8u;
              let source = packed[sourcePlace];
              let point = source.xyz;
              let alone = Box(vec4f(point, 0.0), vec4f(point, 0.0));
              let keeps = entry < entries && sourcePlace < run.sourceCount && !beyond(around, alone);
              let place = placeAmongKept(keeps, lane, turn);
              turn ^= 1u;
              if (keeps) {
                tile0[held + place] = source;
                tileIndex[held + place] = order[run.sourceOrder + sourcePlace];
              }
              let more = workgroupUniformLoad(&kept);
              held += more;
              met += more;
              if (held >= 32u || (flush && step + 32u >= entries)) {
                for (var first = 0u; first < held; first += 32u) {
                  let start = first;
                  var marks_0 = 0u;
                  for (var turn = 0u; turn < 8u; turn++) {
                    {
                      let u = turn * 4u + 0u;
                      let at = start + u;
                      let bit = 1u << u;
                      let source = tile0[at];
                      {
                        let dx = source.x - xi_0;
                        let dy = source.y - yi_0;
                        let dz = source.z - zi_0;
                        let r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 <= most_0) { marks_0 |= bit; }
                      }
                    }
                    {
                      let u = turn * 4u + 1u;
                      let at = start + u;
                      let bit = 1u << u;
                      let source = tile0[at];
                      {
                        let dx = source.x - xi_0;
                        let dy = source.y - yi_0;
                        let dz = source.z - zi_0;
                        let r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 <= most_0) { marks_0 |= bit; }
                      }
                    }
                    {
                      let u = turn * 4u + 2u;
                      let at = start + u;
                      let bit = 1u << u;
                      let source = tile0[at];
                      {
                        let dx = source.x - xi_0;
                        let dy = source.y - yi_0;
                        let dz = source.z - zi_0;
                        let r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 <= most_0) { marks_0 |= bit; }
                      }
                    }
                    {
                      let u = turn * 4u + 3u;
                      let at = start + u;
                      let bit = 1u << u;
                      let source = tile0[at];
                      {
                        let dx = source.x - xi_0;
                        let dy = source.y - yi_0;
                        let dz = source.z - zi_0;
                        let r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 <= most_0) { marks_0 |= bit; }
                      }
                    }
                  }
                  // The number of places of this slice that hold sources.
                  let full = (max(held, start) - start + 0u) / 1u;
                  if (full < 32u) { marks_0 &= (1u << full) - 1u; }
                  while (marks_0 != 0u) {
                    let u = firstTrailingBit(marks_0);
                    marks_0 &= marks_0 - 1u;
                    let at = start + u;
                    let source = tile0[at];
                    let j = tileIndex[at];
                    let dx = source.x - xi_0;
                    let dy = source.y - yi_0;
                    let dz = source.z - zi_0;
                    let r2 = dx * dx + dy * dy + dz * dz;
                    let value = r2;
                    let other = j;
                    if (j != i_0) { if (passAt % 2u == 0u) {
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
                    } }
                  }
                }
                held = 0u;
                spots[lane].w = select(run.perReach, max(run.perReach, 1.0 / (sqrt(least_0[19]) * run.slope + run.start)), least_0[19] < 3.4028234e38);
                atomicMax(&farthest[tileTurn], bitcast<u32>(least_0[19]));
                workgroupBarrier();
                let worst = bitcast<f32>(atomicLoad(&farthest[tileTurn]));
                tileTurn ^= 1u;
                if (lane == 0u) { atomicStore(&farthest[tileTurn], 0u); }
                if (worst < 3.4028234e38) { perReach = max(run.perReach, 1.0 / (sqrt(worst) * run.slope + run.start)); }
                oneByOne = met > 832u;
              }
            }
            queued = 0u;
          }
        }
      }
    }
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  if (at_0 < run.targetCount) {
  }
}
