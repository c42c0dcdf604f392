// squared distance, count of term, blocks (workgroup 64, targets 32, unroll 1): points in blocks
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  boxes: u32, // where the boxes start in packed
  boxFirst: u32, // the first box of their blocks
  sizes: u32, // where the sizes of sources start in packed
  size_p0: f32,
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read> points_radius: array<f32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> packed: array<vec4f>;

fn isNaN(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn greatest(a: f32, b: f32) -> f32 { return select(select(a, b, b > a), a, isNaN(a)); }
var<workgroup> lows: array<vec4f, 256>;
var<workgroup> highs: array<vec4f, 256>;
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
  let x = vec2f(points_position[2u * j], points_position[2u * j + 1u]);
  let inside = x;
  let wild = any((bitcast<vec2u>(x) & vec2u(0x7f800000u)) == vec2u(0x7f800000u));
  let size = max(abs(x.x), abs(x.y));
  let low = select(vec4f(inside, 0.0, -size), vec4f(-1.7e38), wild);
  let high = select(vec4f(inside, 0.0, 0.0), vec4f(1.7e38), wild);
  lows[lane] = low;
  highs[lane] = vec4f(high.xyz, select(run.size_p0, greatest(0.0, points_radius[j] + 0.0000152587890625 * abs(points_radius[j])), (points_radius[j] + 0.0000152587890625 * abs(points_radius[j]) <= run.size_p0)));
  if (place < run.count) {
    packed[place] = vec4f(points_position[2u * j], points_position[2u * j + 1u], points_radius[j], 0.0);
  }
  workgroupBarrier();
  if (lane < 64u && part * 256u + 4u * lane < run.count) {
    packed[run.sizes + part * 64u + lane] =
      vec4f(highs[4u * lane].w, highs[4u * lane + 1u].w, highs[4u * lane + 2u].w, highs[4u * lane + 3u].w);
  }
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
