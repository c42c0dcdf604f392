// The generated shaders of maps, cell indices and stencils, as text. Whether they compute rightly, tests/gpu tells.

import { cellIndex, gradient, map, type Shape } from '@manybody/core'
import { expect, test } from 'vitest'
import { wgslText } from '../src/text.ts'

const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position', 'velocity'] }

test('a map, staged', () => {
  const workload = map({ position: 'position + dt*velocity' }, { dt: 0.1 })
  expect(wgslText(workload, shape, { plan: { variant: 'staged' } })).toMatchInlineSnapshot(`
    "// map: position, staged (workgroup 64)
    struct Run {
      count: u32, // points
      p0: f32, // dt
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_velocity: array<f32>;
    @group(0) @binding(3) var<storage, read_write> result_position: array<f32>;

    var<workgroup> staged0: array<f32, 192>;
    var<workgroup> staged1: array<f32, 192>;
    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      // The first point of this workgroup, and the point of this invocation.
      let first = (group.x + group.z * groups.x) * 64u;
      let p = first + lane;
      // Neighbours load neighbouring numbers, whichever point they belong to.
      for (var at = lane; at < 192u; at += 64u) {
        if (3u * first + at < 3u * run.count) {
          staged0[at] = points_position[3u * first + at];
          staged1[at] = points_velocity[3u * first + at];
        }
      }
      workgroupBarrier();
      if (p >= run.count) { return; }
      let in0 = staged0[3u * lane + 0u];
      let in1 = staged0[3u * lane + 1u];
      let in2 = staged0[3u * lane + 2u];
      let in3 = staged1[3u * lane + 0u];
      let in4 = staged1[3u * lane + 1u];
      let in5 = staged1[3u * lane + 2u];
      let out0_0 = in0 + run.p0 * in3;
      let out0_1 = in1 + run.p0 * in4;
      let out0_2 = in2 + run.p0 * in5;
      result_position[3u * p + 0u] = out0_0;
      result_position[3u * p + 1u] = out0_1;
      result_position[3u * p + 2u] = out0_2;
    }
    "
  `)
})

test('cell indices, direct', () => {
  const workload = cellIndex({ cells: [3, 4, 5], spacing: 1 })
  expect(wgslText(workload, shape, { plan: { variant: 'direct' } })).toMatchInlineSnapshot(`
    "// cell index: index, direct (workgroup 64)
    struct Run {
      count: u32, // points
      p0: f32, // 1 / spacingX
      p1: f32, // -originX
      p2: f32, // 1 / spacingY
      p3: f32, // -originY
      p4: f32, // 1 / spacingZ
      p5: f32, // -originZ
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read_write> result_index: array<i32>;

    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      // The first point of this workgroup, and the point of this invocation.
      let first = (group.x + group.z * groups.x) * 64u;
      let p = first + lane;
      if (p >= run.count) { return; }
      let in0 = points_position[3u * p + 0u];
      let in1 = points_position[3u * p + 1u];
      let in2 = points_position[3u * p + 2u];
      let e0 = floor(run.p0 * (run.p1 + in0));
      let e1 = floor(run.p2 * (run.p3 + in1));
      let e2 = floor(run.p4 * (run.p5 + in2));
      let cell_0 = ((i32(e0 - 3.0 * floor(0.3333333333333333 * e0)) % 3) + 3) % 3;
      let cell_1 = ((i32(e1 - 4.0 * floor(0.25 * e1)) % 4) + 4) % 4;
      let cell_2 = ((i32(e2 - 5.0 * floor(0.2 * e2)) % 5) + 5) % 5;
      result_index[p] = cell_0 + 3 * (cell_1 + 4 * (cell_2));
    }
    "
  `)
})

test('a gradient, direct', () => {
  const workload = gradient({ cells: [6, 5], spacing: 1, edges: 'clamp' })
  const flat = { ...shape, dimension: 2 as const }
  expect(wgslText(workload, flat, { plan: { variant: 'direct' } })).toMatchInlineSnapshot(`
    "// stencil: gradient, direct (workgroup 64)
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
      // One cell an invocation; x runs fastest.
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
    "
  `)
})

test('a gradient, marching', () => {
  const workload = gradient({ cells: [6, 5, 40], spacing: 1 })
  expect(wgslText(workload, shape, { plan: { variant: 'marching' } })).toMatchInlineSnapshot(`
    "// stencil: gradient, marching (workgroup 64)
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
      // One column of cells along z an invocation, 16 cells of it; x runs fastest.
      let column = (group.x + group.z * groups.x) * 64u + lane;
      if (column >= 30u) { return; }
      let ix = (column) % 6u;
      let iy = (column / 6u) % 5u;
      let start = group.y * 16u;
      var iz = start;
      var cell = column + 30u * start;
      var c = points_field[cell];
      var zm = points_field[select(cell - 30u, cell + 1170u, iz == 0u)];
      // Of the three planes, the one above is loaded; the others are those of the step before.
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
    "
  `)
})
