// stencil: gradient, marching (workgroup 64)
struct Run {
  count: u32, // cells
  p0: f32, // 0.5 / hx
  p1: f32, // 0.5 / hy
  p2: f32, // 0.5 / hz
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> points_field: array<f32>;
@group(0) @binding(2) var<storage, read_write> result_gradient: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // One invocation per 16 cells of a column along z; x runs fastest.
  let column = (group.x + group.z * groups.x) * 64u + lane;
  if (column >= 30u) { return; }
  let ix = (column) % 6u;
  let iy = (column / 6u) % 5u;
  let start = group.y * 16u;
  var iz = start;
  var cell = column + 30u * start;
  var c = points_field[cell];
  var zm = points_field[select(cell - 30u, cell + 1170u, iz == 0u)];
  // Each step loads the plane above only; the other two planes come from the step before.
  while (iz < min(start + 16u, 40u)) {
    let zp = points_field[select(cell + 30u, cell - 1170u, iz == 39u)];
    let xm = points_field[select(cell - 1u, cell + 5u, ix == 0u)];
    let xp = points_field[select(cell + 1u, cell - 5u, ix == 5u)];
    let ym = points_field[select(cell - 6u, cell + 24u, iy == 0u)];
    let yp = points_field[select(cell + 6u, cell - 24u, iy == 4u)];
    result_gradient[3u * cell + 0u] = run.p0 * (xp - xm);
    result_gradient[3u * cell + 1u] = run.p1 * (yp - ym);
    result_gradient[3u * cell + 2u] = run.p2 * (zp - zm);
    zm = c;
    c = zp;
    iz++;
    cell += 30u;
  }
}
