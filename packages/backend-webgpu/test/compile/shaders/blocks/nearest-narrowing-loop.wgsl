// squared distance, smallest of term, blocks (workgroup 32, targets 32, unroll 1)
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
  reachOfSize: f32, // by how much a coordinate of 1 enlarges that distance
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  p0: f32, // boxX
  p1: f32, // 1 / boxX
  p2: f32, // boxY
  p3: f32, // 1 / boxY
  p4: f32, // boxZ
  p5: f32, // 1 / boxZ
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> targets_position: array<f32>;
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
fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
struct Box {
  low: vec4f,
  high: vec4f,
}
fn boxAt(node: u32) -> Box { return Box(packed[run.boxes + 2u * node], packed[run.boxes + 2u * node + 1u]); }
// Whether no point of a box is within reach of any point of the other.
fn apart(a: Box, b: Box, perReach: f32) -> bool {
  var gap = max(b.low.xyz - a.high.xyz, a.low.xyz - b.high.xyz);
  // The nearest image may lie beyond a face.
  gap = min(gap, min(b.low.xyz + lengths() - a.high.xyz, a.low.xyz + lengths() - b.high.xyz));
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * perReach, vec3f(0.0), vec3f(1e18));
  let reach = 1.0 + run.reachOfSize * perReach * max(-a.low.w, -b.low.w);
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
@compute @workgroup_size(32)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 32u + lane;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let xi_0 = targets_position[3u * i_0];
  let yi_0 = targets_position[3u * i_0 + 1u];
  let zi_0 = targets_position[3u * i_0 + 2u];
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
  spots[lane] = vec4f(wrapped(vec3f(xi_0, yi_0, zi_0)), run.perReach);
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
    let middle = 0.5 * around.low.xyz + 0.5 * around.high.xyz;
    var nearestBlock = 0u;
    {
      let first = 0u;
      let last = nodes1;
      var least = 0x7f7fffffu;
      var own = first;
      for (var node = first + lane; node < last; node += 32u) {
        let box = boxAt(first1 + node);
        var apart = 0.5 * box.low.xyz + 0.5 * box.high.xyz - middle;
        apart = wrapped(apart + 0.5 * lengths()) - 0.5 * lengths();
        // The largest float32 if a coordinate is not finite.
        let distance = min(bitcast<u32>(length(clamp(apart, vec3f(-1e18), vec3f(1e18)))), 0x7f7fffffu);
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
    {
      let first = nearestBlock * 32u;
      let last = min(nodes0, first + 32u);
      var least = 0x7f7fffffu;
      var own = first;
      for (var node = first + lane; node < last; node += 32u) {
        let box = boxAt(first0 + node);
        var apart = 0.5 * box.low.xyz + 0.5 * box.high.xyz - middle;
        apart = wrapped(apart + 0.5 * lengths()) - 0.5 * lengths();
        // The largest float32 if a coordinate is not finite.
        let distance = min(bitcast<u32>(length(clamp(apart, vec3f(-1e18), vec3f(1e18)))), 0x7f7fffffu);
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
            let point = wrapped(source.xyz);
            let alone = Box(vec4f(point, boxAt(sourcePlace / 8u).low.w), vec4f(point, 0.0));
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
                for (var turn = 0u; turn < 32u; turn++) {
                  {
                    let u = turn;
                    let at = start + u;
                    let bit = 1u << u;
                    let source = tile0[at];
                    {
                      let e0 = source.x - xi_0;
                      let dx = e0 - run.p0 * round(run.p1 * e0);
                      let e1 = source.y - yi_0;
                      let dy = e1 - run.p2 * round(run.p3 * e1);
                      let e2 = source.z - zi_0;
                      let dz = e2 - run.p4 * round(run.p5 * e2);
                      let r2 = dx * dx + dy * dy + dz * dz;
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
                  let e0 = source.x - xi_0;
                  let dx = e0 - run.p0 * round(run.p1 * e0);
                  let e1 = source.y - yi_0;
                  let dy = e1 - run.p2 * round(run.p3 * e1);
                  let e2 = source.z - zi_0;
                  let dz = e2 - run.p4 * round(run.p5 * e2);
                  let r2 = dx * dx + dy * dy + dz * dz;
                  let value = r2;
                  let other = j;
                  if (value < least_0_1 || (value == least_0_1 && other < source_0_1)) {
                    let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                    least_0_1 = select(value, least_0_0, before0);
                    source_0_1 = select(other, source_0_0, before0);
                    least_0_0 = select(least_0_0, value, before0);
                    source_0_0 = select(source_0_0, other, before0);
                  }
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
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  if (at_0 < run.targetCount) {
    result_index[2u * at_0 + 0u] = bitcast<i32>(source_0_0);
    result_distance[2u * at_0 + 0u] = select(bitcast<u32>(sqrt(least_0_0)), 0x7f800000u, source_0_0 == 0xffffffffu);
    result_index[2u * at_0 + 1u] = bitcast<i32>(source_0_1);
    result_distance[2u * at_0 + 1u] = select(bitcast<u32>(sqrt(least_0_1)), 0x7f800000u, source_0_1 == 0xffffffffu);
  }
}
