// cells: count points
struct Run {
  count: u32, // number of points
  starts: u32, // where in order the counts of cells start, and then their first places
  cells_x: u32, // number of cells along x
  edge_x: f32, // length of their edges
  perEdge_x: f32,
  cells_y: u32, // number of cells along y
  edge_y: f32, // length of their edges
  perEdge_y: f32,
  cells_z: u32, // number of cells along z
  edge_z: f32, // length of their edges
  perEdge_z: f32,
  length_x: f32,
  perLength_x: f32, // 1 / length_x
  length_y: f32,
  perLength_y: f32, // 1 / length_y
  length_z: f32,
  perLength_z: f32, // 1 / length_z
  owner: f32, // the number of the owner of these lists
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_position: array<f32>;
@group(0) @binding(2) var<storage, read_write> order: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> carried: array<f32>;
@group(0) @binding(5) var<storage, read_write> rounds: array<u32>;

fn lengths() -> vec3f { return vec3f(run.length_x, run.length_y, run.length_z); }
fn wrapped(x: vec3f) -> vec3f { return x - lengths() * floor(x * vec3f(run.perLength_x, run.perLength_y, run.perLength_z)); }
fn cellsAlong() -> vec3u { return vec3u(run.cells_x, run.cells_y, run.cells_z); }
fn cellAlong(inside: vec3f) -> vec3u {
  let last = vec3f(cellsAlong() - 1u);
  return vec3u(clamp(floor(inside * vec3f(run.perEdge_x, run.perEdge_y, run.perEdge_z)), vec3f(0.0), last));
}
@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let held = bitcast<f32>(rounds[0u]);
  let moved = carried[1u] != 0.0;
  let holds = held > 0.0 && !moved;
  let rests = held < 0.0 || (held > 0.0 && moved && held < 3.0);
  let sorts = !holds || carried[2u] != run.owner;
  if (group.x + group.z + lane == 0u) {
    rounds[1u] = select(0u, 1u, sorts);
    rounds[2u] = select(0u, 1u, !holds);
    rounds[3u] = select(0u, 1u, sorts && !rests);
    rounds[4u] = select(0u, 1u, holds);
    let more = select(1.0, min(held + 1.0, 1048576.0), holds);
    carried[0u] = select(more, select(-32.0, held + 1.0, held < 0.0), rests);
  }
  if (!sorts) { return; }
  let p = (group.x + group.z * groups.x) * 256u + lane;
  if (p >= run.count) { return; }
  let now = vec3f(points_position[3u * p], points_position[3u * p + 1u], points_position[3u * p + 2u]);
  let x = select(now, vec3f(carried[3u * p + 3u], carried[3u * p + 4u], carried[3u * p + 5u]), holds);
  carried[3u * p + 3u] = x.x;
  carried[3u * p + 4u] = x.y;
  carried[3u * p + 5u] = x.z;
  let along = cellAlong(wrapped(wrapped(x)));
  let cell = select(((along.z * run.cells_y + along.y) * run.cells_x + along.x), 0u, any((bitcast<vec3u>(x) & vec3u(0x7f800000u)) == vec3u(0x7f800000u)));
  keys[p] = cell;
  keys[run.count + p] = atomicAdd(&order[run.starts + cell], 1u);
}
