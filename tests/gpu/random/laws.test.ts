// Random laws in random workloads, on the software GPU: WebGPU in random variants, and WebGL, one version for each seed.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import type { Plan } from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { Dice } from '../../support/random/dice.ts'
import { faultsOf } from '../../support/random/laws.ts'
import { randomProblem, seeds } from '../../support/random/problem.ts'
import { deep } from '../../support/share.ts'

const gpu = await webgpu().open()
const gl = [2, 1] as const
const webgls = await Promise.all(gl.map(async (version) => webgl({ context: await angleContexts(version) }).open()))
afterAll(() => {
  for (const device of [gpu, ...webgls]) device.dispose()
})

const plans: readonly (Plan | undefined)[] = [
  undefined,
  { variant: 'naive', sizes: { targets: 2 } },
  { variant: 'grid-stride', sizes: { workgroup: 16 } },
  { variant: 'vectorised', sizes: { workgroup: 32, parts: 3 } },
  { variant: 'tiled', sizes: { workgroup: 16, targets: 2 } },
  { variant: 'tiled-vectorised', sizes: { workgroup: 32, unroll: 2 } },
  { variant: 'register-blocked', sizes: { workgroup: 16, targets: 2, unroll: 2 } },
  { variant: 'split', sizes: { workgroup: 32, targets: 2, unroll: 1, parts: 3 } },
  { variant: 'sliced', sizes: { workgroup: 32, slices: 4, unroll: 2 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 16, targets: 2, unroll: 2 } },
]

test.each(seeds(60))('WebGPU, seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const planned = problem.workload.loop === 'pair' && problem.workload.reduction !== 'none'
  expect(await faultsOf(gpu, problem, { plan: planned ? new Dice(seed).pick(plans) : undefined })).toEqual([])
})

test.each(seeds(40))('WebGL, seed %i', async (seed) => {
  for (const device of deep ? webgls : webgls.slice(seed % 2).slice(0, 1))
    expect((await faultsOf(device, randomProblem(seed))) ?? []).toEqual([])
})
