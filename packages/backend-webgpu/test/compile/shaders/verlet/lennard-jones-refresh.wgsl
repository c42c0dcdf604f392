// lennard-jones, sum of force, cells (workgroup 64, targets 16) with Verlet lists: points in the order of the lists
struct Run {
  count: u32, // number of points
  orderFirst: u32, // where their order starts
  starts: u32, // where in order the counts of cells start, and then their first places
  sums: u32, // where in order their sums start, one for each workgroup
  rebuilt: u32, // where packed has the coordinates of the rebuild
  owner: f32, // the number of the owner of these lists
  mostMoved2: f32, // the square of the longest displacement that lists allow
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
@group(0) @binding(4) var<storage, read_write> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> packed: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> carried: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> rounds: array<u32>;

// Whether a point of the workgroup has moved too far.
var<workgroup> far: atomic<u32>;
fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * 256u + lane;
  let bits = atomicLoad(&carried[0u]);
  if (place == 0u) { rounds[0u] = bits; }
  let invocations = groups.x * groups.z * 256u;
  for (var word = run.starts + place; word < run.sums; word += invocations) { order[word] = 0u; }
  if (lane == 0u) { atomicStore(&far, 0u); }
  workgroupBarrier();
  if (place < run.count && bitcast<f32>(bits) > 0.0) {
    // Lists that were built elsewhere have no order here.
    let built = bitcast<f32>(atomicLoad(&carried[2u])) == run.owner;
    let j = select(place, order[run.orderFirst + place], built);
    let inside = wrapped(wrapped(vec3f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u])));
    var before = packed[run.rebuilt + place].xyz;
    if (!built) { before = wrapped(wrapped(vec3f(bitcast<f32>(atomicLoad(&carried[3u * j + 3u])), bitcast<f32>(atomicLoad(&carried[3u * j + 4u])), bitcast<f32>(atomicLoad(&carried[3u * j + 5u]))))); }
    var moved = inside - before;
    moved -= lengths() * round(moved * vec3f(run.perLength_x, run.perLength_y, run.perLength_z));
    if (!(dot(moved, moved) <= run.mostMoved2)) { atomicStore(&far, 1u); }
    packed[2u * place] = vec4f(inside.x, inside.y, inside.z, sqrt(points_epsilon[j]));
    packed[2u * place + 1u] = vec4f(0.5 * points_sigma[j], 0.0, 0.0, 0.0);
  }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&far) != 0u) { atomicStore(&carried[1u], bitcast<u32>(1.0)); }
}
