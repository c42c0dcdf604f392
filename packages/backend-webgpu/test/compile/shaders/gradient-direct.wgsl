// stencil: gradient, direct (workgroup 64)
struct Run {
  count: u32, // cells
  p0: f32, // 0.5 / hx
  p1: f32, // 0.5 / hy
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
  // One invocation per cell; x runs fastest.
  let cell = (group.x + group.z * groups.x) * 64u + lane;
  if (cell >= run.count) { return; }
  let ix = (cell) % 6u;
  let iy = (cell / 6u) % 5u;
  let xm = points_field[select(cell - 1u, cell + 0u, ix == 0u)];
  let xp = points_field[select(cell + 1u, cell - 0u, ix == 5u)];
  let ym = points_field[select(cell - 6u, cell + 0u, iy == 0u)];
  let yp = points_field[select(cell + 6u, cell - 0u, iy == 4u)];
  result_gradient[2u * cell + 0u] = run.p0 * (xp - xm);
  result_gradient[2u * cell + 1u] = run.p1 * (yp - ym);
}
