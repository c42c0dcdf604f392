// lennard-jones, sum of force, blocks (workgroup 64, targets 32, unroll 1): points in blocks
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  boxes: u32, // where the boxes start in packed
  boxFirst: u32, // the first box of their blocks
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
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> packed: array<vec4f>;

var<workgroup> lows: array<vec4f, 256>;
var<workgroup> highs: array<vec4f, 256>;
fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  let place = part * 256u + lane;
  // After the last place the last point is used again, which changes no box.
  let j = order[run.orderFirst + min(place, run.count - 1u)];
  let x = vec3f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u]);
  let inside = wrapped(x);
  let wild = any((bitcast<vec3u>(x) & vec3u(0x7f800000u)) == vec3u(0x7f800000u));
  let size = max(max(max(max(max(abs(x.x), abs(x.y)), abs(x.z)), run.length_x), run.length_y), run.length_z);
  let low = select(vec4f(inside, -size), vec4f(-1.7e38), wild);
  let high = select(vec4f(inside, 0.0), vec4f(1.7e38), wild);
  lows[lane] = low;
  highs[lane] = high;
  if (place < run.count) {
    packed[2u * place] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], sqrt(points_epsilon[j]));
    packed[2u * place + 1u] = vec4f(0.5 * points_sigma[j], 0.0, 0.0, 0.0);
  }
  workgroupBarrier();
  let block = part * 32u + lane;
  if (lane >= 32u || block * 8u >= run.count) { return; }
  var least = vec4f(1.7e38);
  var most = vec4f(-1.7e38);
  for (var n = 0u; n < 8u; n++) {
    least = min(least, lows[lane * 8u + n]);
    most = max(most, highs[lane * 8u + n]);
  }
  packed[run.boxes + 2u * (run.boxFirst + block)] = least;
  packed[run.boxes + 2u * (run.boxFirst + block) + 1u] = most;
}
