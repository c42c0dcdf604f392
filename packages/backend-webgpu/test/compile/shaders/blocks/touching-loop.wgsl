// squared distance, count of term, blocks (workgroup 64, targets 32, unroll 1)
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
  leastShare: f32, // how far points of no size reach, relative to it
  sizes: u32, // where the sizes of sources start in packed
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_radius: array<f32>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;
@group(0) @binding(4) var<storage, read> packed: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> result_count: array<u32>;

var<workgroup> tile0: array<vec4f, 128>;
var<workgroup> tileIndex: array<u32, 128>;
var<workgroup> shared_words: array<u32, 64>;
var<workgroup> near0: array<u32, 95>;
var<workgroup> near1: array<u32, 64>;
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
  let reach = min(1.0, (a.high.w + b.high.w) * run.perReach + run.leastShare);
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
  let xi_0 = points_position[2u * i_0];
  let yi_0 = points_position[2u * i_0 + 1u];
  let t0_0 = points_radius[i_0];
  var count_0 = 0u;
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
    let nodes1 = (nodes0 + 31u) / 32u;
    let first1 = first0 + nodes0;
    if (lane < 4u) { atomicStore(&marks[lane], 0u); }
    workgroupBarrier();
    var turn = 0u;
    var queued = 0u;
    var flush = false;
    for (var step1 = 0u; !flush; step1 += 64u) {
      flush = step1 >= nodes1;
      let node = step1 + lane;
      let keeps = node < nodes1 && !beyond(around, boxAt(first1 + node));
      let place = placeAmongKept(keeps, lane, turn);
      turn ^= 1u;
      if (keeps) {
        near1[place] = node;
      }
      let found1 = workgroupUniformLoad(&kept);
      for (var step0 = 0u; step0 < select(found1 * 32u, 1u, flush); step0 += 64u) {
        let node = near1[min((step0 + lane) / 32u, 63u)] * 32u + (step0 + lane) % 32u;
        let keeps = step0 + lane < found1 * 32u && node < nodes0 && !beyond(around, boxAt(first0 + node));
        let place = placeAmongKept(keeps, lane, turn);
        turn ^= 1u;
        if (keeps) {
          near0[queued + place] = node;
        }
        let found0 = workgroupUniformLoad(&kept);
        queued += found0;
        if (queued >= 32u || flush) {
          let entries = queued * 8u;
          for (var step = 0u; step < select(entries, 1u, flush && entries == 0u); step += 64u) {
            let entry = step + lane;
            let sourcePlace = near0[min(entry / 8u, 94u)] * 8u + entry % 8u;
            let source = packed[sourcePlace];
            let point = source.xy;
            let alone = Box(vec4f(point, 0.0, 0.0), vec4f(point, 0.0, packed[run.sizes + sourcePlace / 4u][sourcePlace % 4u]));
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
            if (held >= 64u || (flush && step + 64u >= entries)) {
              var next = slice;
              for (; next < held; next += 2u) {
                let at = next;
                let source = tile0[at];
                let j = tileIndex[at];
                {
                  let dx = source.x - xi_0;
                  let dy = source.y - yi_0;
                  let r2 = dx * dx + dy * dy;
                  let e0 = source.z + t0_0;
                  count_0 += select(0u, 1u, ((r2 <= e0 * abs(e0)) && j != i_0));
                }
              }
              held = 0u;
            }
          }
          queued = 0u;
        }
      }
    }
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  workgroupBarrier();
  shared_words[0u * 64u + lane] = count_0;
  workgroupBarrier();
  if (slice < 1u) {
    count_0 += shared_words[0u * 64u + lane + 32u];
  }
  if (slice == 0u && at_0 < run.targetCount) {
    result_count[at_0] = select(0u, result_count[at_0], run.carry == 1u) + count_0;
  }
}
