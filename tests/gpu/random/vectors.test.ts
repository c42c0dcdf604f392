// Random laws of vectors on the software GPU, against the same laws written out: WebGPU in random variants, and WebGL with every other one.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { wgslText } from '@manybody/backend-webgpu/text'
import { createEngine, type Plan } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { profiles, webgpuPlannedFor } from '../../support/gpu/gpu-profiles.ts'
import { Dice } from '../../support/random/dice.ts'
import { seeds } from '../../support/random/problem.ts'
import {
  isDecidedByComponents,
  meetsByComponents,
  vectorFaults,
  vectorFaultsInRanges,
} from '../../support/random/vector-faults.ts'
import { randomVectors } from '../../support/random/vectors.ts'
import { deep } from '../../support/share.ts'

const gpu = await createEngine({ backends: [webgpu()] })
const device = await webgpu().open()
const card = await createEngine({ backends: profiles.slice(0, 1).map(webgpuPlannedFor) })
const gl = await createEngine({ backends: [webgl({ context: await angleContexts(2) })] })
afterAll(() => {
  for (const one of [gpu, device, card, gl]) one.dispose()
})

const plans: readonly (Plan | undefined)[] = [
  undefined,
  { variant: 'naive', sizes: { targets: 2 } },
  { variant: 'tiled', sizes: { workgroup: 16, targets: 2 } },
  { variant: 'register-blocked', sizes: { workgroup: 16, targets: 2, unroll: 2 } },
  { variant: 'split', sizes: { workgroup: 32, targets: 2, unroll: 1, parts: 3 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 16, targets: 2, unroll: 2 } },
]
const components: Plan = {
  variant: 'components',
  sizes: { workgroup: 16, slices: 4, targets: 4, unroll: 4, parts: 2 },
}
const shared: Plan = { variant: 'shared-components', sizes: { workgroup: 16, slices: 4, unroll: 8, parts: 2 } }

test.each(seeds(28))('WebGPU, seed %i', async (seed) => {
  const problem = randomVectors(seed)
  const planned = problem.workload.reduction !== 'none'
  expect(await vectorFaults(gpu, problem, planned ? new Dice(seed).pick(plans) : undefined)).toEqual([])
})

/** The longest shader that a software GPU compiles within seconds, because it has a copy of the term for each pair of an invocation. */
const mostCharacters = 20_000

/** Laws with functions of vectors of both points. */
const ofBoth = seeds(60).filter((seed) => {
  const { workload, particles, divided } = randomVectors(seed)
  return !divided && workload.reduction !== 'none' && meetsByComponents(workload, bind(workload, particles).shape)
})
/** Sums that compile soon in registers. Cards judge the others, too (tests/hardware). */
const inRegisters = ofBoth.filter((seed) => {
  const { workload, particles } = randomVectors(seed)
  if (workload.reduction !== 'sum' || workload.law.name.includes('erf')) return false
  return wgslText(workload, bind(workload, particles).shape, { plan: components }).length < mostCharacters
})

test.each(inRegisters)('WebGPU, component by component, seed %i', async (seed) => {
  expect(await vectorFaults(gpu, randomVectors(seed), components)).toEqual([])
})

test.each(deep ? ofBoth : ofBoth.slice(0, 16))('WebGPU, component by component in memory, seed %i', async (seed) => {
  expect(await vectorFaults(gpu, randomVectors(seed), shared)).toEqual([])
})

/** Matrices that cards compute in tiles. */
const inTiles = seeds(240).filter((seed) => {
  const { workload, particles } = randomVectors(seed)
  return workload.reduction === 'none' && meetsByComponents(workload, bind(workload, particles).shape)
})

test.each(deep ? inTiles : inTiles.slice(0, 12))('a matrix in tiles, seed %i', async (seed) => {
  expect(await vectorFaults(card, randomVectors(seed))).toEqual([])
})

test('many laws meet component by component', () => {
  expect(inRegisters.length).toBeGreaterThan(5)
  expect(ofBoth.length).toBeGreaterThan(16)
  expect(inTiles.length).toBeGreaterThan(12)
})

/** Vectors whole: in one part, in as many as the points leave, and in three. */
const wholePlans: readonly (Plan | undefined)[] = [1, undefined, 3].map((parts) =>
  parts ? { variant: 'vector', sizes: { parts } } : undefined,
)
const divided = seeds(60).filter((seed) => randomVectors(seed).divided)

test.each(deep ? divided : divided.slice(0, 24))('WebGPU, whole and in ranges, seed %i', async (seed) => {
  const faults = await vectorFaultsInRanges(device, randomVectors(seed), new Dice(seed).pick(wholePlans))
  expect(faults ?? []).toEqual([])
})

test('hardly a whole vector is refused on WebGPU', () => {
  const laws = Array.from({ length: 120 }, (_, seed) => randomVectors(seed)).filter((law) => law.divided)
  const refused = laws.filter(({ workload, particles }) => {
    try {
      wgslText(workload, bind(workload, particles).shape)
      return false
    } catch (error) {
      if (isDecidedByComponents(error)) return true
      throw error
    }
  })
  expect(laws.length).toBeGreaterThan(30)
  expect(refused.length).toBeLessThan(laws.length / 10)
})

test.each(seeds(28).filter((seed) => deep || seed % 2 === 0))('WebGL, seed %i', async (seed) => {
  expect(await vectorFaults(gl, randomVectors(seed))).toEqual([])
})
