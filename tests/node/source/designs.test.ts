// A law is scheduled once for each program: support, plan, printed text and program share one design.

import { accelerations, createEngine, type Engine, gravity, map, type Shape, type Workload } from 'manybody'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { designOf } from '../../../packages/backend-webgl/src/compile/designs/designs.ts'
import { dialects } from '../../../packages/backend-webgl/src/compile/glsl/dialect.ts'
import { supportOf as webglSupport } from '../../../packages/backend-webgl/src/support.ts'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { type AnyVersion, shadersOf } from '../../../packages/backend-webgpu/src/design/design.ts'
import { leastLimits } from '../../../packages/backend-webgpu/src/design/least-limits.ts'
import { versionFor } from '../../../packages/backend-webgpu/src/design/versions.ts'
import { supportOf as webgpuSupport } from '../../../packages/backend-webgpu/src/support.ts'
import { callsDuring } from '../../support/calls.ts'

const schedules = (work: () => unknown) => callsDuring(work, ['core/src/language/schedule.ts', 'schedule'])

const shape: Shape = { dimension: 3, targets: 5000, sources: 5000, sameSet: true, vectors: ['position', 'velocity'] }
const pairs = () => accelerations(gravity({ softening: 0.1 }))
/** With another number each time: everything about an equal map is known already. */
let step = 0
const points = () => map({ position: 'position + step*velocity' }, { step: ++step })

const limits = leastLimits as GPUSupportedLimits

function onWebGpu(workload: Workload): void {
  expect(webgpuSupport(workload, shape, limits)).toEqual({ ok: true })
  const host = { info: { name: 'a GPU', kind: 'hardware' as const }, limits, subgroups: { least: 32, most: 32 } }
  const { of, folds } = designsOf(workload, shape, host)
  const design = folds ? folds.plain() : of()
  expect(shadersOf(design)[0]?.code).toContain('fn main')
  shadersOf(design, versionFor<AnyVersion>(design, { G: 1, softening: 0.1, step: 0.1 }))
}

function onWebGl(workload: Workload): void {
  const limits = { resultBytes: 2 ** 28, textureSize: 4096, textures: 16 }
  const info = { backend: 'webgl', name: 'a GPU', kind: 'hardware', precision: 'f32', features: [], limits } as const
  expect(webglSupport(workload, shape, info)).toEqual({ ok: true })
  expect(designOf(workload, shape, dialects[2]).passes[0]?.glsl).toContain('vec4')
}

let engine: Engine | undefined
beforeAll(async () => {
  engine = await createEngine({ backend: 'cpu-wasm' })
})
afterAll(() => engine?.dispose())

async function onCpu(workload: Workload): Promise<void> {
  await engine?.prepare(workload, { count: 5000, vectors: shape.vectors })
}

test.each([
  ['webgpu', onWebGpu],
  ['webgl', onWebGl],
  ['cpu-wasm', onCpu],
])('%s schedules a law once, and a map once', async (_, prepare) => {
  expect(await schedules(() => prepare(pairs()))).toEqual([1])
  expect(await schedules(() => prepare(points()))).toEqual([1])
})
