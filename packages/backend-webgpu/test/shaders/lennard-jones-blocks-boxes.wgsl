// blocks: boxes of a level
struct Run {
  boxes: u32, // where the boxes start in packed
  children: u32, // number of nodes in the level below
  childFirst: u32, // the first of them
  nodeFirst: u32, // the first node of this level
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> packed: array<vec4f>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let node = (group.x + group.z * groups.x) * 64u + lane;
  let first = node * 32u;
  if (first >= run.children) { return; }
  var low = vec4f(1.7e38);
  var high = vec4f(-1.7e38);
  for (var child = first; child < min(first + 32u, run.children); child++) {
    low = min(low, packed[run.boxes + 2u * (run.childFirst + child)]);
    high = max(high, packed[run.boxes + 2u * (run.childFirst + child) + 1u]);
  }
  packed[run.boxes + 2u * (run.nodeFirst + node)] = low;
  packed[run.boxes + 2u * (run.nodeFirst + node) + 1u] = high;
}
