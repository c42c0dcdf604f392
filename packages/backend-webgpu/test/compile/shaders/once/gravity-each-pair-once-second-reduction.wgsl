// gravity, sum of acceleration, each-pair-once (subgroup 32, targets 1, unroll 1, offsets 2): second reduction
struct Run {
  targetFirst: u32, // 0, because all points are targets
  targetCount: u32, // number of points
  parts: u32, // slots of this round: one per offset, then one per workgroup of a block
  carry: u32, // 1 if the results contain earlier rounds to continue from
  blocks: u32, // number of blocks of points in the ring
  offsetFirst: u32, // offsets [offsetFirst, offsetLast) between blocks that meet
  offsetLast: u32,
  perPart: u32, // offsets of each of the first longParts workgroups; the others have one
  longParts: u32,
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> partial: array<u32>;
@group(0) @binding(2) var<storage, read_write> result_acceleration: array<f32>;

var<workgroup> shared_words: array<u32, 768>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let share = lane / 32u;
  let at_0 = (group.x + 65535u * group.y) * 32u + lane % 32u;
  var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
  for (var part = share; part < run.parts && at_0 < run.targetCount; part += 8u) {
    sum0_0 += bitcast<f32>(partial[(part * 3u + 0u) * run.targetCount + at_0]);
    sum1_0 += bitcast<f32>(partial[(part * 3u + 1u) * run.targetCount + at_0]);
    sum2_0 += bitcast<f32>(partial[(part * 3u + 2u) * run.targetCount + at_0]);
  }
  shared_words[0u * 256u + lane] = bitcast<u32>(sum0_0);
  shared_words[1u * 256u + lane] = bitcast<u32>(sum1_0);
  shared_words[2u * 256u + lane] = bitcast<u32>(sum2_0);
  workgroupBarrier();
  if (share > 0u || at_0 >= run.targetCount) { return; }
  for (var place = lane + 32u; place < 256u; place += 32u) {
    sum0_0 += bitcast<f32>(shared_words[0u * 256u + place]);
    sum1_0 += bitcast<f32>(shared_words[1u * 256u + place]);
    sum2_0 += bitcast<f32>(shared_words[2u * 256u + place]);
  }
  result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
  result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
  result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
}
