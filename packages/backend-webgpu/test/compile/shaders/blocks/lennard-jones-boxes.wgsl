// blocks: boxes of a level
struct Run {
  boxes: u32, // where the boxes start in packed
  children: u32, // number of nodes in the level below
  childFirst: u32, // the first of them
  nodeFirst: u32, // the first node of this level
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> packed: array<vec4f>;

var<workgroup> lows: array<vec4f, 128>;
var<workgroup> highs: array<vec4f, 128>;
@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Each invocation has one child.
  let child = (group.x + group.z * groups.x) * 128u + lane;
  lows[lane] = vec4f(1.7e38);
  highs[lane] = vec4f(-1.7e38);
  if (child < run.children) {
    lows[lane] = packed[run.boxes + 2u * (run.childFirst + child)];
    highs[lane] = packed[run.boxes + 2u * (run.childFirst + child) + 1u];
  }
  for (var half = 16u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane % 32u < half) {
      lows[lane] = min(lows[lane], lows[lane + half]);
      highs[lane] = max(highs[lane], highs[lane + half]);
    }
  }
  if (lane % 32u == 0u && child < run.children) {
    let node = run.nodeFirst + child / 32u;
    packed[run.boxes + 2u * node] = lows[lane];
    packed[run.boxes + 2u * node + 1u] = highs[lane];
  }
}
