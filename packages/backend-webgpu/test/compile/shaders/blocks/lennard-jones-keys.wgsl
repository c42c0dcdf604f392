// order: the keys of points
struct Run {
  count: u32, // number of points
  boxCount: u32, // number of boxes that workgroups computed
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;

fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
fn alongCurve(cell: vec3u) -> vec3u {
  var c = min(cell, vec3u(1048575u));
  for (var bit = 524288u; bit > 1u; bit >>= 1u) {
    let below = bit - 1u;
    if ((c.x & bit) != 0u) { c.x ^= below; }
    if ((c.y & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.y) & below; c.x ^= swap; c.y ^= swap; }
    if ((c.z & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.z) & below; c.x ^= swap; c.z ^= swap; }
  }
  c.y ^= c.x;
  c.z ^= c.y;
  var flips = 0u;
  for (var bit = 524288u; bit > 1u; bit >>= 1u) {
    if ((c.z & bit) != 0u) { flips ^= bit - 1u; }
  }
  return c ^ vec3u(flips);
}
// A word of the key: the bits of all axes, from `first` on.
fn interleaved(c: vec3u, first: u32) -> u32 {
  var key = 0u;
  for (var n = 10u; n > 0u; n--) {
    let at = first + n - 1u;
    key = (key << 3u) | (((c.x >> at) & 1u) << 2u) | (((c.y >> at) & 1u) << 1u) | (((c.z >> at) & 1u) << 0u);
  }
  return key;
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Cells are cubes. The longest side has as many as the bits of a cell can count.
  let low = vec3f(0.0);
  let extent = max(max(run.length_x, run.length_y), run.length_z);
  let p = (group.x + group.z * groups.x) * 256u + lane;
  if (p >= run.count) { return; }
  let x = vec3f(points_position[3u * p], points_position[3u * p + 1u], points_position[3u * p + 2u]);
  let scale = select(0.0, 1048576.0 / extent, extent > 0.0);
  let cell = vec3u(clamp((wrapped(x) - low) * scale, vec3f(0.0), vec3f(1048575.0)));
  let place = alongCurve(cell);
  keys[p] = interleaved(place, 0u);
  keys[run.count + p] = interleaved(place, 10u);
}
