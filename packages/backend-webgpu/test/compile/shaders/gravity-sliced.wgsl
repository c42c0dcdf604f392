// gravity, sum of acceleration, sliced (workgroup 64, slices 4)
struct Run {
  targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
  targetCount: u32,
  sourceFirst: u32, // sources [sourceFirst, sourceLast)
  sourceLast: u32,
  chunk: u32, // number of sources of one workgroup
  parts: u32, // number of parts into which the grid splits the sources
  carry: u32, // 1 if the results contain earlier ones to continue from
  p0: f32, // G
  p1: f32, // softening * softening
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_mass: array<f32>;
@group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

var<workgroup> tile0: array<vec4f, 64>;
var<workgroup> shared_words: array<u32, 192>;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Invocations with the same member share targets; each visits one slice of the sources.
  let member = lane % 16u;
  let slice = lane / 16u;
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  // Target 0 of this invocation: at_0 is its place among the results, i_0 its index among the points.
  let at_0 = block * 16u + member;
  let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
  let xi_0 = points_position[3u * i_0];
  let yi_0 = points_position[3u * i_0 + 1u];
  let zi_0 = points_position[3u * i_0 + 2u];
  var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
  var next = min(firstSource + lane, lastSource - 1u);
  var ahead = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
  for (var start = firstSource; start < lastSource; start += 64u) {
    workgroupBarrier();
    tile0[lane] = ahead;
    workgroupBarrier();
    next = min(start + 64u + lane, lastSource - 1u);
    ahead = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
    if (start + 64u <= lastSource) {
      // With a constant trip count and a step of 1, the compiler can prove the bounds of the tile.
      for (var turn = 0u; turn < 16u; turn++) {
        {
          let source = tile0[(turn) * 4u + slice];
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
      }
    } else {
      for (var at = slice; at < lastSource - start; at += 4u) {
        {
          let source = tile0[at];
          {
            let dx = source.x - xi_0;
            let dy = source.y - yi_0;
            let dz = source.z - zi_0;
            let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
            let w = source.w * e0 * (e0 * e0);
            sum0_0 += w * dx;
            sum1_0 += w * dy;
            sum2_0 += w * dz;
          }
        }
      }
    }
  }
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
    result_acceleration[3u * at_0 + word] = select(0.0, result_acceleration[3u * at_0 + word], run.carry == 1u) + sum;
  }
}
