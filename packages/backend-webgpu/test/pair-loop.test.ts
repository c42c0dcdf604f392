// The generated shaders, as text: what a stranger reads first. Whether they compute rightly, tests/gpu tells.

import {
  accelerations,
  forces,
  gravity,
  lennardJones,
  type PairWorkload,
  type Plan,
  pairTerm,
  periodic,
  type Shape,
  sum,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../src/designs.ts'
import type { LoopHost } from '../src/gpu-host.ts'
import type { Shader } from '../src/shader.ts'

const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const gpu: LoopHost = {
  info: { name: 'a GPU', kind: 'hardware' },
  limits: {
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupSizeX: 256,
    maxComputeWorkgroupStorageSize: 16384,
    maxStorageBufferBindingSize: 2 ** 30,
    maxBufferSize: 2 ** 30,
  },
  subgroups: { least: 16, most: 32 },
}
/** The shaders in the order in which they run. */
const shadersOf = (workload: PairWorkload, plan: Plan) =>
  designsOf(workload, shape, gpu).of(plan).shaders() as readonly [Shader, Shader]

test('gravity, tiled', () => {
  const plan = { variant: 'tiled', sizes: { workgroup: 64, blocks: 0 } }
  const [loop] = shadersOf(accelerations(gravity({ softening: 0.05 })), plan)
  expect(loop.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, tiled (workgroup 64)
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_mass: array<f32>;
    @group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

    var<workgroup> tile0: array<vec4f, 64>;
    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 64u + lane;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      for (var start = firstSource; start < lastSource; start += 64u) {
        workgroupBarrier();
        if (start + lane < lastSource) {
          let j = start + lane;
          tile0[lane] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
        }
        workgroupBarrier();
        if (start + 64u <= lastSource) {
          // A constant trip count and a step of 1 let the compiler prove the bounds of the tile.
          for (var turn = 0u; turn < 64u; turn++) {
            {
              let source = tile0[turn];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        } else {
          for (var at = 0u; at < lastSource - start; at++) {
            {
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        }
      }
      if (at_0 < run.targetCount) {
        result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
        result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
        result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
      }
    }
    "
  `)
})

test('gravity, split: partial sums and the second reduction', () => {
  const plan = { variant: 'split', sizes: { workgroup: 64, targets: 2, unroll: 2, parts: 4 } }
  const [loop, combine] = shadersOf(accelerations(gravity({ softening: 0.05 })), plan)
  expect(loop.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, split (workgroup 64, targets 2, unroll 2, parts 4, block sums)
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_mass: array<f32>;
    @group(0) @binding(3) var<storage, read_write> partial: array<u32>;

    var<workgroup> tile0: array<vec4f, 64>;
    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 128u + lane;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      // Target 1 of this invocation: its place among the results, and its index among the points.
      let at_1 = block * 128u + 64u + lane;
      let i_1 = run.targetFirst + min(at_1, run.targetCount - 1u);
      let xi_1 = points_position[3u * i_1];
      let yi_1 = points_position[3u * i_1 + 1u];
      let zi_1 = points_position[3u * i_1 + 2u];
      var sum0_1 = 0.0; var sum1_1 = 0.0; var sum2_1 = 0.0;
      var total_sum0_0 = sum0_0; var total_sum1_0 = sum1_0; var total_sum2_0 = sum2_0;
      var total_sum0_1 = sum0_1; var total_sum1_1 = sum1_1; var total_sum2_1 = sum2_1;
      for (var start = firstSource; start < lastSource; start += 64u) {
        workgroupBarrier();
        if (start + lane < lastSource) {
          let j = start + lane;
          tile0[lane] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
        }
        workgroupBarrier();
        var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
        var sum0_1 = 0.0; var sum1_1 = 0.0; var sum2_1 = 0.0;
        if (start + 64u <= lastSource) {
          // A constant trip count and a step of 1 let the compiler prove the bounds of the tile.
          for (var turn = 0u; turn < 32u; turn++) {
            {
              let source = tile0[turn * 2u + 0u];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
            }
            {
              let source = tile0[turn * 2u + 1u];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
            }
          }
        } else {
          for (var at = 0u; at < lastSource - start; at++) {
            {
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
              {
                let dx = source.x - xi_1;
                let dy = source.y - yi_1;
                let dz = source.z - zi_1;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_1 += w * dx;
                sum1_1 += w * dy;
                sum2_1 += w * dz;
              }
            }
          }
        }
        total_sum0_0 += sum0_0; total_sum1_0 += sum1_0; total_sum2_0 += sum2_0;
        total_sum0_1 += sum0_1; total_sum1_1 += sum1_1; total_sum2_1 += sum2_1;
      }
      sum0_0 = total_sum0_0; sum1_0 = total_sum1_0; sum2_0 = total_sum2_0;
      sum0_1 = total_sum0_1; sum1_1 = total_sum1_1; sum2_1 = total_sum2_1;
      if (at_0 < run.targetCount) {
        partial[(group.y * 3u + 0u) * run.targetCount + at_0] = bitcast<u32>(sum0_0);
        partial[(group.y * 3u + 1u) * run.targetCount + at_0] = bitcast<u32>(sum1_0);
        partial[(group.y * 3u + 2u) * run.targetCount + at_0] = bitcast<u32>(sum2_0);
      }
      if (at_1 < run.targetCount) {
        partial[(group.y * 3u + 0u) * run.targetCount + at_1] = bitcast<u32>(sum0_1);
        partial[(group.y * 3u + 1u) * run.targetCount + at_1] = bitcast<u32>(sum1_1);
        partial[(group.y * 3u + 2u) * run.targetCount + at_1] = bitcast<u32>(sum2_1);
      }
    }
    "
  `)
  expect(combine.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, split (workgroup 64, targets 2, unroll 2, parts 4, block sums): second reduction
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read_write> partial: array<u32>;
    @group(0) @binding(2) var<storage, read_write> result_acceleration: array<f32>;

    var<workgroup> shared_words: array<u32, 768>;
    @compute @workgroup_size(256)
    fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
      let share = lane / 32u;
      let at_0 = (group.x + 65535u * group.y) * 32u + lane % 32u;
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      for (var part = share; part < run.parts && at_0 < run.targetCount; part += 8u) {
        sum0_0 += bitcast<f32>(partial[(part * 3u + 0u) * run.targetCount + at_0]);
        sum1_0 += bitcast<f32>(partial[(part * 3u + 1u) * run.targetCount + at_0]);
        sum2_0 += bitcast<f32>(partial[(part * 3u + 2u) * run.targetCount + at_0]);
      }
      shared_words[0u * 256u + lane] = bitcast<u32>(sum0_0);
      shared_words[1u * 256u + lane] = bitcast<u32>(sum1_0);
      shared_words[2u * 256u + lane] = bitcast<u32>(sum2_0);
      workgroupBarrier();
      if (share > 0u || at_0 >= run.targetCount) { return; }
      for (var place = lane + 32u; place < 256u; place += 32u) {
        sum0_0 += bitcast<f32>(shared_words[0u * 256u + place]);
        sum1_0 += bitcast<f32>(shared_words[1u * 256u + place]);
        sum2_0 += bitcast<f32>(shared_words[2u * 256u + place]);
      }
      result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
      result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
      result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
    }
    "
  `)
})

test('gravity, vectorised: sources packed, then read whole', () => {
  const plan = { variant: 'vectorised' }
  const [pack, loop] = shadersOf(accelerations(gravity({ softening: 0.05 })), plan)
  expect(pack.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, vectorised (workgroup 64): sources packed
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_mass: array<f32>;
    @group(0) @binding(3) var<storage, read_write> packed: array<vec4f>;

    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      let j = run.sourceFirst + (group.x + group.z * groups.x) * 64u + lane;
      if (j >= run.sourceLast) { return; }
      packed[j] = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], run.p0 * points_mass[j]);
    }
    "
  `)
  expect(loop.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, vectorised (workgroup 64)
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> packed: array<vec4f>;
    @group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 64u + lane;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      for (var j = firstSource; j < lastSource; j++) {
        let source = packed[j];
        {
          let dx = source.x - xi_0;
          let dy = source.y - yi_0;
          let dz = source.z - zi_0;
          let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
          let w = source.w * e0 * (e0 * e0);
          sum0_0 += w * dx;
          sum1_0 += w * dy;
          sum2_0 += w * dz;
        }
      }
      if (at_0 < run.targetCount) {
        result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
        result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
        result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
      }
    }
    "
  `)
})

test('gravity, subgroup-shuffle', () => {
  const sizes = { workgroup: 64, targets: 1, unroll: 1, blocks: 0 }
  const plan = { variant: 'subgroup-shuffle', sizes }
  const [loop] = shadersOf(accelerations(gravity({ softening: 0.05 })), plan)
  expect(loop.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, subgroup-shuffle (workgroup 64)
    enable subgroups;
    diagnostic(off, subgroup_uniformity);

    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_mass: array<f32>;
    @group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
      @builtin(subgroup_invocation_id) subgroupLane: u32,
      @builtin(subgroup_size) subgroupSize: u32,
    ) {
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 64u + lane;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      for (var row = firstSource; row < lastSource; row += subgroupSize) {
        // Beyond the last source that source is loaded again, and not visited.
        let next = min(row + subgroupLane, lastSource - 1u);
        let own = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
        if (row + subgroupSize <= lastSource) {
          for (var turn = 0u; turn < subgroupSize; turn++) {
            {
              let source = subgroupShuffle(own, turn);
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        } else {
          for (var at = 0u; at < lastSource - row; at++) {
            {
              let source = subgroupShuffle(own, at);
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        }
      }
      if (at_0 < run.targetCount) {
        result_acceleration[3u * at_0 + 0u] = select(0.0, result_acceleration[3u * at_0 + 0u], run.carry == 1u) + sum0_0;
        result_acceleration[3u * at_0 + 1u] = select(0.0, result_acceleration[3u * at_0 + 1u], run.carry == 1u) + sum1_0;
        result_acceleration[3u * at_0 + 2u] = select(0.0, result_acceleration[3u * at_0 + 2u], run.carry == 1u) + sum2_0;
      }
    }
    "
  `)
})

test('gravity, sliced', () => {
  const plan = { variant: 'sliced', sizes: { workgroup: 64, slices: 4, unroll: 1, blocks: 0 } }
  const [loop] = shadersOf(accelerations(gravity({ softening: 0.05 })), plan)
  expect(loop.code).toMatchInlineSnapshot(`
    "// gravity, sum of acceleration, sliced (workgroup 64, slices 4)
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
      p0: f32, // G
      p1: f32, // softening * softening
    }
    @group(0) @binding(0) var<uniform> run: Run;
    @group(0) @binding(1) var<storage, read> points_position: array<f32>;
    @group(0) @binding(2) var<storage, read> points_mass: array<f32>;
    @group(0) @binding(3) var<storage, read_write> result_acceleration: array<f32>;

    var<workgroup> tile0: array<vec4f, 64>;
    var<workgroup> shared_words: array<u32, 192>;
    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      // Invocations of one member share targets; each visits its slice of the sources.
      let member = lane % 16u;
      let slice = lane / 16u;
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 16u + member;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      var next = min(firstSource + lane, lastSource - 1u);
      var ahead = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
      for (var start = firstSource; start < lastSource; start += 64u) {
        workgroupBarrier();
        tile0[lane] = ahead;
        workgroupBarrier();
        next = min(start + 64u + lane, lastSource - 1u);
        ahead = vec4f(points_position[3u * next], points_position[3u * next + 1u], points_position[3u * next + 2u], run.p0 * points_mass[next]);
        if (start + 64u <= lastSource) {
          // A constant trip count and a step of 1 let the compiler prove the bounds of the tile.
          for (var turn = 0u; turn < 16u; turn++) {
            {
              let source = tile0[(turn) * 4u + slice];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        } else {
          for (var at = slice; at < lastSource - start; at += 4u) {
            {
              let source = tile0[at];
              {
                let dx = source.x - xi_0;
                let dy = source.y - yi_0;
                let dz = source.z - zi_0;
                let e0 = inverseSqrt(run.p1 + dx * dx + dy * dy + dz * dz);
                let w = source.w * e0 * (e0 * e0);
                sum0_0 += w * dx;
                sum1_0 += w * dy;
                sum2_0 += w * dz;
              }
            }
          }
        }
      }
      workgroupBarrier();
      shared_words[0u * 64u + lane] = bitcast<u32>(sum0_0);
      shared_words[1u * 64u + lane] = bitcast<u32>(sum1_0);
      shared_words[2u * 64u + lane] = bitcast<u32>(sum2_0);
      workgroupBarrier();
      for (var word = slice; word < 3u && at_0 < run.targetCount; word += 4u) {
        var sum = 0.0;
        for (var other = 0u; other < 4u; other++) {
          sum += bitcast<f32>(shared_words[word * 64u + other * 16u + member]);
        }
        result_acceleration[3u * at_0 + word] = select(0.0, result_acceleration[3u * at_0 + word], run.carry == 1u) + sum;
      }
    }
    "
  `)
})

test('what the host computes may be beyond float32', () => {
  const law = pairTerm('tiny*1e60*r2', { parameters: { tiny: 1e-60 } })()
  const [loop] = shadersOf(sum(law), { variant: 'naive' })
  expect(loop.code).toMatch(/p0: f32, \/\/ .*1e\+60/)
})

test('the name of a law cannot leave its comment', () => {
  const law = { ...gravity(), name: 'gravity\n} \u0085 fn' }
  const [loop] = shadersOf(accelerations(law), { variant: 'naive' })
  expect(loop.code.split('\n')[0]).toMatch(/^\/\/ gravity } {3}fn, sum of/)
})

test('Lennard-Jones with a cutoff in a periodic box, naive', () => {
  const plan = { variant: 'naive' }
  const workload = forces(lennardJones(), { cutoff: 2.5, boundary: periodic([9, 9, 9]) })
  expect(shadersOf(workload, plan)[0].code).toMatchInlineSnapshot(`
    "// lennard-jones, sum of force, naive (workgroup 64)
    struct Run {
      targetFirst: u32, // targets [targetFirst, targetFirst + targetCount)
      targetCount: u32,
      sourceFirst: u32, // sources [sourceFirst, sourceLast)
      sourceLast: u32,
      chunk: u32, // sources of one workgroup
      parts: u32, // parts that the grid splits the sources into
      carry: u32, // 1 where results hold earlier ones to go on from
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
    @group(0) @binding(4) var<storage, read_write> result_force: array<f32>;

    @compute @workgroup_size(64)
    fn main(
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
      @builtin(local_invocation_index) lane: u32,
    ) {
      let firstSource = run.sourceFirst + group.y * run.chunk;
      let lastSource = min(firstSource + run.chunk, run.sourceLast);
      let block = group.x + group.z * groups.x;
      // Target 0 of this invocation: its place among the results, and its index among the points.
      let at_0 = block * 64u + lane;
      let i_0 = run.targetFirst + min(at_0, run.targetCount - 1u);
      let xi_0 = points_position[3u * i_0];
      let yi_0 = points_position[3u * i_0 + 1u];
      let zi_0 = points_position[3u * i_0 + 2u];
      let t0_0 = 0.5 * points_sigma[i_0];
      let t1_0 = 24.0 * sqrt(points_epsilon[i_0]);
      var sum0_0 = 0.0; var sum1_0 = 0.0; var sum2_0 = 0.0;
      for (var j = firstSource; j < lastSource; j++) {
        let source = vec4f(points_position[3u * j], points_position[3u * j + 1u], points_position[3u * j + 2u], sqrt(points_epsilon[j]));
        let source1 = vec2f(0.5 * points_sigma[j], 0.0);
        {
          let e0 = source.x - xi_0;
          let dx = e0 - run.p1 * round(run.p2 * e0);
          let e1 = source.y - yi_0;
          let dy = e1 - run.p3 * round(run.p4 * e1);
          let e2 = source.z - zi_0;
          let dz = e2 - run.p5 * round(run.p6 * e2);
          let r2 = dx * dx + dy * dy + dz * dz;
          let safeR2 = select(1.0, r2, (0.0 < r2));
          let e3 = source1.x + t0_0;
          let e4 = 1.0 / safeR2;
          let e5 = e3 * e3 * e4;
          let e6 = e5 * e5 * e5;
          let w = select(0.0, source.w * (1.0 - 2.0 * e6) * (e6 * e4), (r2 <= run.p0));
          sum0_0 += w * dx;
          sum1_0 += w * dy;
          sum2_0 += w * dz;
        }
      }
      if (at_0 < run.targetCount) {
        result_force[3u * at_0 + 0u] = select(0.0, result_force[3u * at_0 + 0u], run.carry == 1u) + sum0_0 * (t1_0);
        result_force[3u * at_0 + 1u] = select(0.0, result_force[3u * at_0 + 1u], run.carry == 1u) + sum1_0 * (t1_0);
        result_force[3u * at_0 + 2u] = select(0.0, result_force[3u * at_0 + 2u], run.carry == 1u) + sum2_0 * (t1_0);
      }
    }
    "
  `)
})
