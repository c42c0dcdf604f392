// lennard-jones, sum of force, blocks (workgroup 64, targets 32, unroll 1)
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
  reachOfSize: f32, // by how much a coordinate of 1 enlarges that distance, relative to it
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  p0: f32, // cutoff * cutoff
  p1: f32, // boxX
  p2: f32, // 1 / boxX
  p3: f32, // boxY
  p4: f32, // 1 / boxY
  p5: f32, // boxZ
  p6: f32, // 1 / boxZ
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_epsilon: array<f32>;
@group(0) @binding(3) var<storage, read> points_sigma: array<f32>;
@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@group(0) @binding(5) var<storage, read> packed: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> result_force: array<f32>;

var<workgroup> tile0: array<vec4f, 128>;
var<workgroup> tile1: array<vec2f, 128>;
var<workgroup> shared_words: array<u32, 192>;
var<workgroup> near0: array<u32, 95>;
var<workgroup> near1: array<u32, 64>;
// One bit per invocation that keeps what it tests, for this test and for the one before.
var<workgroup> marks: array<atomic<u32>, 4>;
var<workgroup> kept: u32;
fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
struct Box {
  low: vec4f,
  high: vec4f,
}
fn boxAt(node: u32) -> Box { return Box(packed[run.boxes + 2u * node], packed[run.boxes + 2u * node + 1u]); }
// Whether no point of a box is within reach of any point of the other.
fn beyond(a: Box, b: Box) -> bool {
  var gap = max(b.low.xyz - a.high.xyz, a.low.xyz - b.high.xyz);
  // The nearest image may lie beyond a face.
  gap = min(gap, min(b.low.xyz + lengths() - a.high.xyz, a.low.xyz + lengths() - b.high.xyz));
  // Lengths are relative to the reach, so that no square underflows or, if it is less than that of 1e18, overflows.
  let share = clamp(gap * run.perReach, vec3f(0.0), vec3f(1e18));
  let reach = 1.0 + run.reachOfSize * max(-a.low.w, -b.low.w);
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
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  let t0_0 = 0.5 * points_sigma[i_0];
  let t1_0 = 24.0 * sqrt(points_epsilon[i_0]);
  var total_sum0_0 = 0.0; var total_sum1_0 = 0.0; var total_sum2_0 = 0.0;
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
    var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
    var tiles = 0u;
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
            let source = packed[2u * sourcePlace];
            let source1 = packed[2u * sourcePlace + 1u].xy;
            let point = wrapped(source.xyz);
            let alone = Box(vec4f(point, boxAt(sourcePlace / 8u).low.w), vec4f(point, 0.0));
            let keeps = entry < entries && sourcePlace < run.sourceCount && !beyond(around, alone);
            let place = placeAmongKept(keeps, lane, turn);
            turn ^= 1u;
            if (keeps) {
              tile0[held + place] = source;
              tile1[held + place] = source1;
            }
            let more = workgroupUniformLoad(&kept);
            held += more;
            met += more;
            if (held >= 64u || (flush && step + 64u >= entries)) {
              var next = slice;
              for (; next < held; next += 2u) {
                let at = next;
                let source = tile0[at];
                let source1 = tile1[at];
                {
                  let e0 = source.x - xi_0;
                  let dx = e0 - run.p1 * round(run.p2 * e0);
                  let e1 = source.y - yi_0;
                  let dy = e1 - run.p3 * round(run.p4 * e1);
                  let e2 = source.z - zi_0;
                  let dz = e2 - run.p5 * round(run.p6 * e2);
                  let r2 = dx * dx + dy * dy + dz * dz;
                  let safeR2 = select(1.0, r2, (0.0 < r2));
                  let e3 = source1.x + t0_0;
                  let e4 = 1.0 / safeR2;
                  let e5 = e3 * e3 * e4;
                  let e6 = e5 * e5 * e5;
                  let w = select(0.0, source.w * (1.0 - 2.0 * e6) * (e6 * e4), (r2 <= run.p0));
                  sum0_0 += w * dx;
                  sum1_0 += w * dy;
                  sum2_0 += w * dz;
                }
              }
              held = 0u;
              tiles += 1u;
              if (tiles == 4u) {
                total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
                sum0_0 = 0.0; sum1_0 = 0.0; sum2_0 = 0.0;
                tiles = 0u;
              }
            }
          }
          queued = 0u;
        }
      }
    }
    total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  var sum0_0 = total_sum0_0; var sum1_0 = total_sum1_0; var sum2_0 = total_sum2_0;
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_0);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_0);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_0);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_0 < run.targetCount; word += 2u) {
    var sum = 0.0;
    for (var other = 0u; other < 2u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 32u + member]);
    }
    result_force[3u * at_0 + word] = select(0.0, result_force[3u * at_0 + word], run.carry == 1u) + sum * (t1_0);
  }
}
