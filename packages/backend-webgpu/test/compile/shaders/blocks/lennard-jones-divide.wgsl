// order: divide crowded cells of points
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  starts: u32, // where in order the counts of cells start, and then their first places
  stride: u32, // from the counts of a level to those of the next, which take turns
  crowded: u32, // where order says how many levels have a crowded cell
  level: u32, // the level with the cells to divide, from 1
  bits: u32, // number of bits of a place that the cells of the first level tell apart
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> order: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
fn lowest() -> vec3f { return vec3f(0.0); }
fn longest() -> f32 { return max(max(run.length_x, run.length_y), run.length_z); }
fn alongCurve(x: vec3f, top: u32) -> vec3u {
  let extent = longest();
  let scale = select(0.0, f32(2u * top) / extent, extent > 0.0);
  let most = vec3u(2u * top - 1u);
  var c = min(vec3u(clamp((x - lowest()) * scale, vec3f(0.0), vec3f(most))), most);
  for (var bit = top; bit > 1u; bit >>= 1u) {
    let below = bit - 1u;
    if ((c.x & bit) != 0u) { c.x ^= below; }
    if ((c.y & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.y) & below; c.x ^= swap; c.y ^= swap; }
    if ((c.z & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.z) & below; c.x ^= swap; c.z ^= swap; }
  }
  c.y ^= c.x;
  c.z ^= c.y;
  var flips = 0u;
  for (var bit = top; bit > 1u; bit >>= 1u) {
    if ((c.z & bit) != 0u) { flips ^= bit - 1u; }
  }
  return c ^ vec3u(flips);
}
fn interleaved(c: vec3u, first: u32, bits: u32) -> u32 {
  var key = 0u;
  for (var n = bits; n > 0u; n--) {
    let at = first + n - 1u;
    key = (key << 3u) | (((c.x >> at) & 1u) << 2u) | (((c.y >> at) & 1u) << 1u) | (((c.z >> at) & 1u) << 0u);
  }
  return key;
}
fn countsOf(level: u32) -> u32 { return run.starts + ((level + 1u) & 1u) * run.stride; }
// The bits of a place behind the first ones, and zeros behind the last.
fn bitsBehind(high: u32, low: u32, first: u32) -> u32 {
  let most = 1073741823u;
  if (first < 30u) { return ((high << first) & most) | (low >> (30u - first)); }
  return (low << min(first - 30u, 30u)) & most;
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (atomicLoad(&order[run.crowded]) < run.level) { return; }
  let stride = groups.x * groups.z * 256u;
  for (var p = (group.x + group.z * groups.x) * 256u + lane; p < run.count; p += stride) {
    let own = countsOf(run.level) + keys[p];
    let first = atomicLoad(&order[own]);
    let parts = atomicLoad(&order[own + 1u]) - first;
    if (parts == 1u) {
      keys[p] = first;
      continue;
    }
    // Equal points stay in the order of their indices.
    var part = min(u32(f32(p) / f32(run.count) * f32(parts)), parts - 1u);
    if (run.level < 3u) {
      // Where the number of bits of its place is that earlier levels have told apart.
      let behind = run.orderFirst + run.count + p;
      let known = select(atomicLoad(&order[behind]), run.bits, run.level == 1u);
      let more = countTrailingZeros(parts);
      let place = alongCurve(wrapped(vec3f(points_position[3u * p], points_position[3u * p + 1u], points_position[3u * p + 2u])), 524288u);
      part = bitsBehind(interleaved(place, 10u, 10u), interleaved(place, 0u, 10u), known) >> (30u - more);
      atomicStore(&order[behind], known + more);
    }
    let cell = first + part;
    let before = atomicAdd(&order[countsOf(run.level + 1u) + cell], 1u);
    keys[p] = cell;
    keys[run.count + p] = before;
    if (before == 32u && run.level < 3u) { atomicMax(&order[run.crowded], run.level + 1u); }
  }
}
