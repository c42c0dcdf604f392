// gravity, sum of acceleration with a tolerance
struct Run {
  targetCount: u32, // number of targets
  sourceCount: u32,
  groupFirst: u32, // workgroups [groupFirst, groupLast) run in this dispatch
  groupLast: u32,
  sourceOrder: u32, // where the order of the sources starts; that of the targets starts at 0
  evaluated: u32, // where each workgroup writes the number of sources that it met
  proxyFirst: u32, // the place of the first proxy among the sources
  scheme: u32, // where packed has the number of proxies of a node
  carry: u32, // always 0, because this loop never continues from earlier results
  boxes: u32, // where the two corners of each node start in packed
  openings: u32, // where the two vectors of each node start that a walk reads
  opening2: f32, // the square of the radius of a node by its distance up to which it is far
  levels: u32, // number of levels of the tree below its root
  leaves: u32, // the first nodes are the leaves
  proxied: u32, // the first node that has proxies
  startFirst: u32, // the first node from which the walk starts
  startCount: u32, // number of these nodes: a multiple of four
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> order: array<u32>;
@group(0) @binding(3) var<storage, read> packed: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> result_acceleration: array<f32>;

var<workgroup> tile0: array<vec4f, 256>;
var<workgroup> shared_words: array<u32, 192>;
// The first children of opened nodes, with their level in the upper bits.
var<workgroup> stack: array<u32, 272>;
var<workgroup> queue: array<u32, 384>;
// One bit per invocation for each thing that may be done with a node, for this round and for the one before.
var<workgroup> marks: array<atomic<u32>, 12>;
var<workgroup> kept: vec4u;
// The first node of each level.
var<workgroup> firstNodes: array<u32, 16>;
// The first child of a node, with its level.
fn childrenOf(node: u32, level: u32) -> u32 {
  let below = max(level, 1u) - 1u;
  return 16777216u * below + firstNodes[below] + 4u * (node - firstNodes[level]);
}
var<workgroup> fields: array<f32, 16>;
// The boxes around the targets of each member.
var<workgroup> lows: array<vec4f, 8>;
var<workgroup> highs: array<vec4f, 8>;
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
  if (lane < 16u) {
    var first = 0u;
    var nodes = (run.sourceCount + 15u) / 16u;
    for (var level = 0u; level < min(lane, run.levels); level++) {
      nodes = (nodes + 3u) / 4u;
      first += 4u * nodes;
    }
    firstNodes[lane] = first;
  }
  // Target 0 of this invocation: place_0 is its place in the order, i_0 its index among the points, and at_0 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_0 = block * 32u + member;
  let i_0 = order[min(place_0, run.targetCount - 1u)];
  let at_0 = select(0xffffffffu, i_0, place_0 < run.targetCount);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  var total_sum0_0 = 0.0; var total_sum1_0 = 0.0; var total_sum2_0 = 0.0;
  // Target 1 of this invocation: place_1 is its place in the order, i_1 its index among the points, and at_1 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_1 = block * 32u + 8u + member;
  let i_1 = order[min(place_1, run.targetCount - 1u)];
  let at_1 = select(0xffffffffu, i_1, place_1 < run.targetCount);
  let xi_1 = points_position[3u * i_1];
  let yi_1 = points_position[3u * i_1 + 1u];
  let zi_1 = points_position[3u * i_1 + 2u];
  var total_sum0_1 = 0.0; var total_sum1_1 = 0.0; var total_sum2_1 = 0.0;
  // Target 2 of this invocation: place_2 is its place in the order, i_2 its index among the points, and at_2 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_2 = block * 32u + 16u + member;
  let i_2 = order[min(place_2, run.targetCount - 1u)];
  let at_2 = select(0xffffffffu, i_2, place_2 < run.targetCount);
  let xi_2 = points_position[3u * i_2];
  let yi_2 = points_position[3u * i_2 + 1u];
  let zi_2 = points_position[3u * i_2 + 2u];
  var total_sum0_2 = 0.0; var total_sum1_2 = 0.0; var total_sum2_2 = 0.0;
  // Target 3 of this invocation: place_3 is its place in the order, i_3 its index among the points, and at_3 the place of
  // its result, or 0xffffffff if there is no such target.
  let place_3 = block * 32u + 24u + member;
  let i_3 = order[min(place_3, run.targetCount - 1u)];
  let at_3 = select(0xffffffffu, i_3, place_3 < run.targetCount);
  let xi_3 = points_position[3u * i_3];
  let yi_3 = points_position[3u * i_3 + 1u];
  let zi_3 = points_position[3u * i_3 + 2u];
  var total_sum0_3 = 0.0; var total_sum1_3 = 0.0; var total_sum2_3 = 0.0;
  var lowest = vec4f(3.4028234e38);
  var highest = vec4f(-3.4028234e38);
  lowest = min(lowest, vec4f(vec3f(xi_0, yi_0, zi_0), 0.0));
  highest = max(highest, vec4f(vec3f(xi_0, yi_0, zi_0), 0.0));
  lowest = min(lowest, vec4f(vec3f(xi_1, yi_1, zi_1), 0.0));
  highest = max(highest, vec4f(vec3f(xi_1, yi_1, zi_1), 0.0));
  lowest = min(lowest, vec4f(vec3f(xi_2, yi_2, zi_2), 0.0));
  highest = max(highest, vec4f(vec3f(xi_2, yi_2, zi_2), 0.0));
  lowest = min(lowest, vec4f(vec3f(xi_3, yi_3, zi_3), 0.0));
  highest = max(highest, vec4f(vec3f(xi_3, yi_3, zi_3), 0.0));
  if (lane < 8u) {
    lows[lane] = lowest;
    highs[lane] = highest;
  }
  workgroupBarrier();
  for (var n = 0u; n < 8u; n++) {
    lowest = min(lowest, lows[n]);
    highest = max(highest, highs[n]);
  }
  let around = 0.5 * (lowest.xyz + highest.xyz);
  let halfAround = 0.5 * (highest.xyz - lowest.xyz);
  if (lane < run.levels) {
    let start = block * 32u;
    let size = 16u << (2u * lane);
    let siblings = (start >> (6u + 2u * lane)) * 4u;
    var sum = 0.0;
    var heaviest = 0.0;
    for (var n = 0u; n < 4u; n++) {
      let own = (siblings + n) * size < start + 32u && start < (siblings + n + 1u) * size;
      let node = firstNodes[lane] + siblings + n;
      let weight = packed[run.openings + 2u * node + 1u];
      let apart = weight.xyz - around;
      let apart2 = select(dot(apart, apart) + weight.w, dot(halfAround, halfAround), own);
      var share = packed[run.boxes + 2u * node + 1u].w;
      if (own) {
        // The heaviest of the targets does not act on itself, so it has the field of the others alone.
        let others = packed[run.boxes + 2u * node].w;
        let heavy = share - others;
        share = others + min(heavy, heaviest);
        heaviest = max(heavy, heaviest);
      }
      let field = share / max(apart2, 1e-30);
      // Only leaves have the targets themselves. Points that are not finite have no field.
      if (field > 0.0 && !(own && lane > 0u)) { sum += field; }
    }
    fields[lane] = sum;
  }
  workgroupBarrier();
  var field = 0.0;
  for (var level = 0u; level < run.levels; level++) { field += fields[level]; }
  let opening2 = run.opening2 * select(1.0, pow(field, 0.4), field > 0.0);
  let proxySize = u32(packed[run.scheme].x);
  // The number of sources and proxies that the targets met.
  var met = 0u;
  {
    var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
    var sum0_1 = 0.0; var sum1_1 = 0.0; var sum2_1 = 0.0;
    var sum0_2 = 0.0; var sum1_2 = 0.0; var sum2_2 = 0.0;
    var sum0_3 = 0.0; var sum1_3 = 0.0; var sum2_3 = 0.0;
    if (lane < 12u) { atomicStore(&marks[lane], 0u); }
    var depth = run.startCount / 4u;
    if (lane < depth) { stack[lane] = 67108864u + run.startFirst + 4u * lane; }
    let below = (1u << (lane % 32u)) - 1u;
    var turn = 0u;
    var queuedNear = 0u;
    var queuedFar = 0u;
    var last = false;
    workgroupBarrier();
    while (!last) {
      let taken = min(depth, 16u);
      depth -= taken;
      var opened = false;
      var near = false;
      var far = false;
      var node = 0u;
      var children = 0u;
      if (lane < 4u * taken) {
        let entry = stack[depth + lane / 4u];
        let level = entry / 16777216u;
        node = entry % 16777216u + lane % 4u;
        let box = packed[run.openings + 2u * node];
        let weight = packed[run.openings + 2u * node + 1u];
        let apart = max(abs(box.xyz - around) - halfAround, vec3f(0.0));
        let weightApart = max(abs(weight.xyz - around) - halfAround, vec3f(0.0));
        let nearest = min(dot(apart, apart), dot(weightApart, weightApart));
        let holds = !(box.w < 0.0);
        far = holds && box.w < opening2 * nearest && weight.w < 0.81 * nearest && node >= run.proxied;
        near = holds && !far && node < run.leaves;
        opened = holds && !far && node >= run.leaves;
        children = childrenOf(node, level);
      }
      if (opened) { atomicOr(&marks[turn + 0u + lane / 32u], 1u << (lane % 32u)); }
      if (near) { atomicOr(&marks[turn + 2u + lane / 32u], 1u << (lane % 32u)); }
      if (far) { atomicOr(&marks[turn + 4u + lane / 32u], 1u << (lane % 32u)); }
      workgroupBarrier();
      let opened0 = countOneBits(atomicLoad(&marks[turn + 0u]));
      let opened1 = countOneBits(atomicLoad(&marks[turn + 1u]));
      let openedAll = opened0 + opened1;
      let openedAt = countOneBits(atomicLoad(&marks[turn + 0u + lane / 32u]) & below) + select(0u, opened0, lane / 32u > 0u);
      let near0 = countOneBits(atomicLoad(&marks[turn + 2u]));
      let near1 = countOneBits(atomicLoad(&marks[turn + 3u]));
      let nearAll = near0 + near1;
      let nearAt = countOneBits(atomicLoad(&marks[turn + 2u + lane / 32u]) & below) + select(0u, near0, lane / 32u > 0u);
      let far0 = countOneBits(atomicLoad(&marks[turn + 4u]));
      let far1 = countOneBits(atomicLoad(&marks[turn + 5u]));
      let farAll = far0 + far1;
      let farAt = countOneBits(atomicLoad(&marks[turn + 4u + lane / 32u]) & below) + select(0u, far0, lane / 32u > 0u);
      // Clears the marks of the next round.
      if (lane < 6u) { atomicStore(&marks[6u - turn + lane], 0u); }
      if (opened) { stack[depth + openedAt] = children; }
      if (near) { queue[queuedNear + nearAt] = node; }
      if (far) { queue[192u + queuedFar + farAt] = node; }
      if (lane == 0u) { kept = vec4u(openedAll, nearAll, farAll, 0u); }
      let found = workgroupUniformLoad(&kept);
      turn = 6u - turn;
      depth += found.x;
      queuedNear += found.y;
      queuedFar += found.z;
      last = depth == 0u;
      for (var ofFar = 0u; ofFar < 2u; ofFar++) {
        let size = select(16u, proxySize, ofFar == 1u);
        let entries = size * select(queuedNear, queuedFar, ofFar == 1u);
        if (entries < 256u && !last) { continue; }
        for (var base = 0u; base < entries; base += 256u) {
          let held = min(entries - base, 256u);
          for (var entry = base + lane; entry < base + held; entry += 64u) {
            let item = u32((f32(entry) + 0.5) / f32(size));
            let queued = queue[ofFar * 192u + item];
            let source = entry - item * size + select(16u * queued, run.proxyFirst + (queued - run.proxied) * size, ofFar == 1u);
            {
              let sourcePlace = source;
              let source = packed[sourcePlace];
              tile0[entry - base] = source;
            }
          }
          workgroupBarrier();
          var next = slice;
          for (; next + 24u < held; next += 32u) {
            {
              let at = next;
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
              {
                let dx = source.x - xi_2;
                let dy = source.y - yi_2;
                let dz = source.z - zi_2;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_2 += w * dx;
                sum1_2 += w * dy;
                sum2_2 += w * dz;
              }
              {
                let dx = source.x - xi_3;
                let dy = source.y - yi_3;
                let dz = source.z - zi_3;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_3 += w * dx;
                sum1_3 += w * dy;
                sum2_3 += w * dz;
              }
            }
            {
              let at = next + 8u;
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
              {
                let dx = source.x - xi_2;
                let dy = source.y - yi_2;
                let dz = source.z - zi_2;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_2 += w * dx;
                sum1_2 += w * dy;
                sum2_2 += w * dz;
              }
              {
                let dx = source.x - xi_3;
                let dy = source.y - yi_3;
                let dz = source.z - zi_3;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_3 += w * dx;
                sum1_3 += w * dy;
                sum2_3 += w * dz;
              }
            }
            {
              let at = next + 16u;
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
              {
                let dx = source.x - xi_2;
                let dy = source.y - yi_2;
                let dz = source.z - zi_2;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_2 += w * dx;
                sum1_2 += w * dy;
                sum2_2 += w * dz;
              }
              {
                let dx = source.x - xi_3;
                let dy = source.y - yi_3;
                let dz = source.z - zi_3;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_3 += w * dx;
                sum1_3 += w * dy;
                sum2_3 += w * dz;
              }
            }
            {
              let at = next + 24u;
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
              {
                let dx = source.x - xi_2;
                let dy = source.y - yi_2;
                let dz = source.z - zi_2;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_2 += w * dx;
                sum1_2 += w * dy;
                sum2_2 += w * dz;
              }
              {
                let dx = source.x - xi_3;
                let dy = source.y - yi_3;
                let dz = source.z - zi_3;
                let r2 = dx * dx + dy * dy + dz * dz;
                let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
                let w = source.w * e0 * (e0 * e0);
                sum0_3 += w * dx;
                sum1_3 += w * dy;
                sum2_3 += w * dz;
              }
            }
          }
          for (; next < held; next += 8u) {
            let at = next;
            let source = tile0[at];
            {
              let dx = source.x - xi_0;
              let dy = source.y - yi_0;
              let dz = source.z - zi_0;
              let r2 = dx * dx + dy * dy + dz * dz;
              let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
              let w = source.w * e0 * (e0 * e0);
              sum0_0 += w * dx;
              sum1_0 += w * dy;
              sum2_0 += w * dz;
            }
            {
              let dx = source.x - xi_1;
              let dy = source.y - yi_1;
              let dz = source.z - zi_1;
              let r2 = dx * dx + dy * dy + dz * dz;
              let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
              let w = source.w * e0 * (e0 * e0);
              sum0_1 += w * dx;
              sum1_1 += w * dy;
              sum2_1 += w * dz;
            }
            {
              let dx = source.x - xi_2;
              let dy = source.y - yi_2;
              let dz = source.z - zi_2;
              let r2 = dx * dx + dy * dy + dz * dz;
              let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
              let w = source.w * e0 * (e0 * e0);
              sum0_2 += w * dx;
              sum1_2 += w * dy;
              sum2_2 += w * dz;
            }
            {
              let dx = source.x - xi_3;
              let dy = source.y - yi_3;
              let dz = source.z - zi_3;
              let r2 = dx * dx + dy * dy + dz * dz;
              let e0 = inverseSqrt(run.p1 + select(1.0, r2, (0.0 < r2)));
              let w = source.w * e0 * (e0 * e0);
              sum0_3 += w * dx;
              sum1_3 += w * dy;
              sum2_3 += w * dz;
            }
          }
          workgroupBarrier();
          total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
          total_sum0_1 += sum0_1; total_sum1_1 += sum1_1; total_sum2_1 += sum2_1;
          total_sum0_2 += sum0_2; total_sum1_2 += sum1_2; total_sum2_2 += sum2_2;
          total_sum0_3 += sum0_3; total_sum1_3 += sum1_3; total_sum2_3 += sum2_3;
          sum0_0 = 0.0; sum1_0 = 0.0; sum2_0 = 0.0;
          sum0_1 = 0.0; sum1_1 = 0.0; sum2_1 = 0.0;
          sum0_2 = 0.0; sum1_2 = 0.0; sum2_2 = 0.0;
          sum0_3 = 0.0; sum1_3 = 0.0; sum2_3 = 0.0;
        }
        met += entries;
        if (ofFar == 1u) { queuedFar = 0u; } else { queuedNear = 0u; }
      }
    }
    total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
    total_sum0_1 += sum0_1; total_sum1_1 += sum1_1; total_sum2_1 += sum2_1;
    total_sum0_2 += sum0_2; total_sum1_2 += sum1_2; total_sum2_2 += sum2_2;
    total_sum0_3 += sum0_3; total_sum1_3 += sum1_3; total_sum2_3 += sum2_3;
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  var sum0_0 = total_sum0_0; var sum1_0 = total_sum1_0; var sum2_0 = total_sum2_0;
  var sum0_1 = total_sum0_1; var sum1_1 = total_sum1_1; var sum2_1 = total_sum2_1;
  var sum0_2 = total_sum0_2; var sum1_2 = total_sum1_2; var sum2_2 = total_sum2_2;
  var sum0_3 = total_sum0_3; var sum1_3 = total_sum1_3; var sum2_3 = total_sum2_3;
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_0);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_0);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_0);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_0 < run.targetCount; word += 8u) {
    var sum = 0.0;
    for (var other = 0u; other < 8u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 8u + member]);
    }
    result_acceleration[3u * at_0 + word] = select(0.0, result_acceleration[3u * at_0 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_1);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_1);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_1);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_1 < run.targetCount; word += 8u) {
    var sum = 0.0;
    for (var other = 0u; other < 8u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 8u + member]);
    }
    result_acceleration[3u * at_1 + word] = select(0.0, result_acceleration[3u * at_1 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_2);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_2);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_2);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_2 < run.targetCount; word += 8u) {
    var sum = 0.0;
    for (var other = 0u; other < 8u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 8u + member]);
    }
    result_acceleration[3u * at_2 + word] = select(0.0, result_acceleration[3u * at_2 + word], run.carry == 1u) + sum;
  }
  workgroupBarrier();
  shared_words[0u * 64u + lane] = bitcast<u32>(sum0_3);
  shared_words[1u * 64u + lane] = bitcast<u32>(sum1_3);
  shared_words[2u * 64u + lane] = bitcast<u32>(sum2_3);
  workgroupBarrier();
  for (var word = slice; word < 3u && at_3 < run.targetCount; word += 8u) {
    var sum = 0.0;
    for (var other = 0u; other < 8u; other++) {
      sum += bitcast<f32>(shared_words[word * 64u + other * 8u + member]);
    }
    result_acceleration[3u * at_3 + word] = select(0.0, result_acceleration[3u * at_3 + word], run.carry == 1u) + sum;
  }
}
