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
  p0: f32, // cutoff * cutoff
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> targets_position: array<f32>;
@group(0) @binding(2) var<storage, read> exclusions_offsets: array<u32>;
@group(0) @binding(3) var<storage, read> exclusions_sources: array<u32>;
@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@group(0) @binding(5) var<storage, read> packed: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> result_index: array<i32>;
@group(0) @binding(7) var<storage, read_write> result_distance: array<u32>;

var<workgroup> tile0: array<vec2f, 64>;
var<workgroup> tileIndex: array<u32, 64>;
var<workgroup> near0: array<u32, 47>;
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
  var gap = max(b.low.xy - a.high.xy, a.low.xy - b.high.xy);
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * perReach, vec2f(0.0), vec2f(1e18));
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
// Whether no point of the box is within reach of any target.
fn beyond(around: Box, box: Box) -> bool {
  if (apart(around, box, perReach)) { return true; }
  if (!oneByOne) { return false; }
  for (var n = 0u; n < 32u; n++) {
    let spot = spots[n];
    let alone = Box(vec4f(spot.xy, 0.0, around.low.w), vec4f(spot.xy, 0.0, 0.0));
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
  let xi_0 = targets_position[2u * i_0];
  let yi_0 = targets_position[2u * i_0 + 1u];
  var least_0_0 = 3.4028234e38; var source_0_0 = 0xffffffffu;
  var least_0_1 = 3.4028234e38; var source_0_1 = 0xffffffffu;
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
  perReach = run.perReach;
  oneByOne = false;
  spots[lane] = vec4f(vec2f(xi_0, yi_0), 0.0, run.perReach);
  var tileTurn = 0u;
  if (lane < 2u) { atomicStore(&farthest[lane], 0u); }
  {
    let nodes0 = (run.sourceCount + 7u) / 8u;
    let first0 = 0u;
    if (lane < 2u) { atomicStore(&marks[lane], 0u); }
    workgroupBarrier();
    var turn = 0u;
    var queued = 0u;
    var flush = false;
    let middle = 0.5 * around.low.xy + 0.5 * around.high.xy;
    var nearestBlock = 0u;
    {
      let first = 0u;
      let last = nodes0;
      var least = 0x7f7fffffu;
      var own = first;
      for (var node = first + lane; node < last; node += 32u) {
        let box = boxAt(first0 + node);
        var apart = 0.5 * box.low.xy + 0.5 * box.high.xy - middle;
        // The largest float32 if a coordinate is not finite.
        let distance = min(bitcast<u32>(length(clamp(apart, vec2f(-1e18), vec2f(1e18)))), 0x7f7fffffu);
        if (distance < least) {
          least = distance;
          own = node;
        }
      }
      if (lane == 0u) {
        atomicStore(&nearest[0], 0x7f7fffffu);
        atomicStore(&nearest[1], 0xffffffffu);
      }
      workgroupBarrier();
      atomicMin(&nearest[0], least);
      workgroupBarrier();
      if (atomicLoad(&nearest[0]) == least) { atomicMin(&nearest[1], own); }
      workgroupBarrier();
      nearestBlock = atomicLoad(&nearest[1]);
      workgroupBarrier();
    }
    let startBlocks = min(12u, nodes0);
    let startFirst = min(max(nearestBlock, startBlocks / 2u) - startBlocks / 2u, nodes0 - startBlocks);
    for (var n = lane; n < startBlocks; n += 32u) { near0[n] = startFirst + n; }
    queued = startBlocks;
    workgroupBarrier();
    // The first batch has no nodes.
    for (var batch = 0u; batch < (nodes0 + 31u) / 32u + 2u; batch++) {
      let step0 = (batch - 1u) * 32u;
      flush = step0 >= nodes0;
      let node = step0 + lane;
      let keeps = node < nodes0 && node - startFirst >= startBlocks && !beyond(around, boxAt(first0 + node));
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
          let source = packed[sourcePlace].xy;
          let point = source.xy;
          let alone = Box(vec4f(point, 0.0, 0.0), vec4f(point, 0.0, 0.0));
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
                    let r2 = dx * dx + dy * dy;
                    if (r2 <= least_0_1) { marks_0 |= bit; }
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
                    let r2 = dx * dx + dy * dy;
                    if (r2 <= least_0_1) { marks_0 |= bit; }
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
                    let r2 = dx * dx + dy * dy;
                    if (r2 <= least_0_1) { marks_0 |= bit; }
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
                    let r2 = dx * dx + dy * dy;
                    if (r2 <= least_0_1) { marks_0 |= bit; }
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
                let r2 = dx * dx + dy * dy;
                let counts = ((r2 <= run.p0) && !listed(j, i_0));
                let value = r2;
                let other = j;
                if (counts) { if (value < least_0_1 || (value == least_0_1 && other < source_0_1)) {
                  let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                  least_0_1 = select(value, least_0_0, before0);
                  source_0_1 = select(other, source_0_0, before0);
                  least_0_0 = select(least_0_0, value, before0);
                  source_0_0 = select(source_0_0, other, before0);
                } }
              }
            }
            held = 0u;
            spots[lane].w = select(run.perReach, max(run.perReach, 1.0 / (sqrt(least_0_1) * run.slope + run.start)), least_0_1 < 3.4028234e38);
            atomicMax(&farthest[tileTurn], bitcast<u32>(least_0_1));
            workgroupBarrier();
            let worst = bitcast<f32>(atomicLoad(&farthest[tileTurn]));
            tileTurn ^= 1u;
            if (lane == 0u) { atomicStore(&farthest[tileTurn], 0u); }
            if (worst < 3.4028234e38) { perReach = max(run.perReach, 1.0 / (sqrt(worst) * run.slope + run.start)); }
            oneByOne = met > 544u;
          }
        }
        queued = 0u;
      }
    }
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  if (at_0 < run.targetCount) {
    result_index[2u * at_0 + 0u] = bitcast<i32>(source_0_0);
    result_distance[2u * at_0 + 0u] = select(bitcast<u32>(sqrt(least_0_0)), 0x7f800000u, source_0_0 == 0xffffffffu);
    result_index[2u * at_0 + 1u] = bitcast<i32>(source_0_1);
    result_distance[2u * at_0 + 1u] = select(bitcast<u32>(sqrt(least_0_1)), 0x7f800000u, source_0_1 == 0xffffffffu);
  }
}
