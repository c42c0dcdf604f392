// squared distance, smallest of term, blocks (workgroup 64, targets 32, unroll 4)
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
  perReach: f32, // 1 / the distance up to which the walk looks
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

var<workgroup> tile0: array<vec2f, 127>;
var<workgroup> tileIndex: array<u32, 127>;
var<workgroup> shared_words: array<u32, 256>;
var<workgroup> near0: array<u32, 95>;
// One bit per invocation that keeps what it tests, for this test and for the one before.
var<workgroup> marks: array<atomic<u32>, 4>;
var<workgroup> kept: u32;
struct Box {
  low: vec4f,
  high: vec4f,
}
fn boxAt(node: u32) -> Box { return Box(packed[run.boxes + 2u * node], packed[run.boxes + 2u * node + 1u]); }
// Whether no point of a box is within reach of any point of the other.
fn beyond(a: Box, b: Box) -> bool {
  var gap = max(b.low.xy - a.high.xy, a.low.xy - b.high.xy);
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * run.perReach, vec2f(0.0), vec2f(1e18));
  let reach = 1.0;
  return dot(share, share) > reach * reach;
}
// The place of an invocation among those that keep what they test. After the next barrier, kept is the number of these.
fn placeAmongKept(keeps: bool, lane: u32, turn: u32) -> u32 {
  let word = turn * 2u;
  if (keeps) { atomicOr(&marks[word + lane / 32u], 1u << (lane % 32u)); }
  workgroupBarrier();
  if (lane < 2u) { atomicStore(&marks[2u - word + lane], 0u); }
  var before = countOneBits(atomicLoad(&marks[word + lane / 32u]) & ((1u << (lane % 32u)) - 1u));
  var all = 0u;
  for (var n = 0u; n < 2u; n++) {
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
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 32u;
  let slice = lane / 32u;
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 32u + member;
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
  {
    let nodes0 = (run.sourceCount + 7u) / 8u;
    let first0 = 0u;
    if (lane < 4u) { atomicStore(&marks[lane], 0u); }
    workgroupBarrier();
    var turn = 0u;
    var queued = 0u;
    var last = false;
    for (var step0 = 0u; !last; step0 += 64u) {
      last = step0 >= nodes0;
      let node = step0 + lane;
      let keeps = node < nodes0 && !beyond(around, boxAt(first0 + node));
      let place = placeAmongKept(keeps, lane, turn);
      turn ^= 1u;
      if (keeps) {
        near0[queued + place] = node;
      }
      let found0 = workgroupUniformLoad(&kept);
      queued += found0;
      if (queued >= 32u || last) {
        let entries = queued * 8u;
        for (var step = 0u; step < select(entries, 1u, last && entries == 0u); step += 64u) {
          let entry = step + lane;
          let sourcePlace = near0[min(entry / 8u, 94u)] * 8u + entry % 8u;
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
          if (held >= 64u || (last && step + 64u >= entries)) {
            var next = slice;
            for (; next + 6u < held; next += 8u) {
              {
                let at = next;
                let source = tile0[at];
                let j = tileIndex[at];
                {
                  let dx = source.x - xi_0;
                  let dy = source.y - yi_0;
                  let r2 = dx * dx + dy * dy;
                  let value = r2;
                  let other = j;
                  if (((r2 <= run.p0) && !listed(j, i_0))) { let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
                  if (before1) {
                    let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                    least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
                    source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
                    least_0_0 = select(least_0_0, value, before0);
                    source_0_0 = select(source_0_0, other, before0);
                  } }
                }
              }
              {
                let at = next + 2u;
                let source = tile0[at];
                let j = tileIndex[at];
                {
                  let dx = source.x - xi_0;
                  let dy = source.y - yi_0;
                  let r2 = dx * dx + dy * dy;
                  let value = r2;
                  let other = j;
                  if (((r2 <= run.p0) && !listed(j, i_0))) { let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
                  if (before1) {
                    let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                    least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
                    source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
                    least_0_0 = select(least_0_0, value, before0);
                    source_0_0 = select(source_0_0, other, before0);
                  } }
                }
              }
              {
                let at = next + 4u;
                let source = tile0[at];
                let j = tileIndex[at];
                {
                  let dx = source.x - xi_0;
                  let dy = source.y - yi_0;
                  let r2 = dx * dx + dy * dy;
                  let value = r2;
                  let other = j;
                  if (((r2 <= run.p0) && !listed(j, i_0))) { let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
                  if (before1) {
                    let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                    least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
                    source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
                    least_0_0 = select(least_0_0, value, before0);
                    source_0_0 = select(source_0_0, other, before0);
                  } }
                }
              }
              {
                let at = next + 6u;
                let source = tile0[at];
                let j = tileIndex[at];
                {
                  let dx = source.x - xi_0;
                  let dy = source.y - yi_0;
                  let r2 = dx * dx + dy * dy;
                  let value = r2;
                  let other = j;
                  if (((r2 <= run.p0) && !listed(j, i_0))) { let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
                  if (before1) {
                    let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                    least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
                    source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
                    least_0_0 = select(least_0_0, value, before0);
                    source_0_0 = select(source_0_0, other, before0);
                  } }
                }
              }
            }
            for (; next < held; next += 2u) {
              let at = next;
              let source = tile0[at];
              let j = tileIndex[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let r2 = dx * dx + dy * dy;
                let value = r2;
                let other = j;
                if (((r2 <= run.p0) && !listed(j, i_0))) { let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
                if (before1) {
                  let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
                  least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
                  source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
                  least_0_0 = select(least_0_0, value, before0);
                  source_0_0 = select(source_0_0, other, before0);
                } }
              }
            }
            held = 0u;
          }
        }
        queued = 0u;
      }
    }
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(least_0_0);
  shared_words[2u * 64u + lane] = source_0_0;
  shared_words[1u * 64u + lane] = bitcast<u32>(least_0_1);
  shared_words[3u * 64u + lane] = source_0_1;
  workgroupBarrier();
  if (slice < 1u) {
    for (var q = 0u; q < 2u; q++) {
      let value = bitcast<f32>(shared_words[q * 64u + lane + 32u]);
      if (value > least_0_1) { break; }
      let other = shared_words[(q + 2u) * 64u + lane + 32u];
      let before1 = (value < least_0_1) | ((value == least_0_1) & (other < source_0_1));
      if (before1) {
        let before0 = (value < least_0_0) | ((value == least_0_0) & (other < source_0_0));
        least_0_1 = select(select(least_0_1, value, before1), least_0_0, before0);
        source_0_1 = select(select(source_0_1, other, before1), source_0_0, before0);
        least_0_0 = select(least_0_0, value, before0);
        source_0_0 = select(source_0_0, other, before0);
      }
    }
  }
  if (slice == 0u && at_0 < run.targetCount) {
    result_index[2u * at_0 + 0u] = bitcast<i32>(source_0_0);
    result_distance[2u * at_0 + 0u] = select(bitcast<u32>(sqrt(least_0_0)), 0x7f800000u, source_0_0 == 0xffffffffu);
    result_index[2u * at_0 + 1u] = bitcast<i32>(source_0_1);
    result_distance[2u * at_0 + 1u] = select(bitcast<u32>(sqrt(least_0_1)), 0x7f800000u, source_0_1 == 0xffffffffu);
  }
}
