// lennard-jones, sum of force, cells (workgroup 64, targets 64): points in cells
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  starts: u32, // where in order the counts of cells start, and then their first places
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  p0: f32, // cutoff * cutoff
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_epsilon: array<f32>;
@group(0) @binding(3) var<storage, read> points_sigma: array<f32>;
@group(0) @binding(4) var<storage, read> keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> packed: array<vec4f>;

fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * 256u + lane;
  if (place >= run.count) { return; }
  let placed = run.orderFirst + run.count;
  let j = order[placed + place];
  let cell = keys[j];
  let starts = run.starts;
  let last = order[starts + cell + 1u];
  var goes = order[starts + cell];
  for (var other = goes; other < last; other++) { goes += select(0u, 1u, order[placed + other] < j); }
  order[run.orderFirst + goes] = j;
  let inside = wrapped(wrapped(vec3f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u])));
  packed[2u * goes] = vec4f(inside.x, inside.y, inside.z, sqrt(points_epsilon[j]));
  packed[2u * goes + 1u] = vec4f(0.5 * points_sigma[j], 0.0, 0.0, 0.0);
}
