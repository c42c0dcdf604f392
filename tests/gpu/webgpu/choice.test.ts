// Runs that visit blocks of near points although no plan says so. A graphics card does that from thousands of points on; here the program
// is told to do it with few.

import {
  countWithin,
  forces,
  nearest,
  type PairWorkload,
  type Plan,
  pairPotential,
  periodic,
  type RunOptions,
  type Shape,
} from '@manybody/core'
import { createTuner } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { nearShareOf } from '@manybody/core/near'
import { afterAll, expect, test, vi } from 'vitest'
import { spaceOf } from '../../../packages/backend-webgpu/src/compile/designs/block-reach.ts'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { chooserShader } from '../../../packages/backend-webgpu/src/compile/ranges/choose-blocks.ts'
import type { Planning } from '../../../packages/backend-webgpu/src/design/designs.ts'
import type { Chooser } from '../../../packages/backend-webgpu/src/design/near.ts'
import { plainVariants } from '../../../packages/backend-webgpu/src/plans/variants.ts'
import { resultsOf } from '../../../packages/backend-webgpu/src/run/drivers/drivers.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { GpuArray } from '../../../packages/backend-webgpu/src/run/host/buffer.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { type BoundStep, compiled } from '../../../packages/backend-webgpu/src/run/programs/compiled-program.ts'
import { eitherLoop } from '../../../packages/backend-webgpu/src/run/programs/either.ts'
import { uploadInputs } from '../../../packages/backend-webgpu/src/run/programs/inputs.ts'
import { type PrepareContext, prepare } from '../../../packages/backend-webgpu/src/run/programs/prepare.ts'
import { GpuProgram } from '../../../packages/backend-webgpu/src/run/programs/program.ts'
import { createSequence } from '../../../packages/backend-webgpu/src/run/programs/sequence.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})
const boundary = periodic([1, 1, 1])
const particles = { position: Float32Array.from({ length: 1200 }, (_, n) => (n * 0.7548776662) % 1) }

/** The shader that makes the device's choice. */
function chooserOf(workload: PairWorkload, shape: Shape): Chooser {
  const space = spaceOf({ workload, shape })
  return { shader: chooserShader(space, shape.sameSet), space }
}

/** A program that counts, and may choose blocks. */
async function counting(radius: number) {
  const workload = countWithin(radius, { boundary })
  const { shape, bindings } = bind(workload, particles)
  const { of } = designsOf(workload, shape, host)
  const usual = await compiled(host, of({ variant: 'naive' }))
  const near = {
    choice: { mostShare: 0.5, shareOf: nearShareOf, kept: undefined, fewEqual: false },
    compiled: () => compiled(host, of({ variant: 'blocks' })),
  }
  const program = new GpuProgram(host, memory, workload, shape, { usual, near }, 0)
  return { program, bindings, all: new GpuProgram(host, memory, workload, shape, { usual }, 0) }
}

async function run(radius: number, options: RunOptions = {}) {
  const { program, bindings, all } = await counting(radius)
  expect(await program.run(bindings, options)).toEqual(await all.run(bindings, options))
  return program.report
}

test('a run with a short cutoff takes blocks, and has the counts of all pairs', async () => {
  const { variant, evaluated, interactions, timings } = await run(0.05)
  expect(variant).toMatch(/^blocks /)
  expect(evaluated).toBeLessThan(interactions / 2)
  expect(timings.compile).toBeGreaterThan(0)
})

test('a long cutoff and a range keep all pairs', async () => {
  for (const { variant, evaluated, interactions } of [await run(0.45), await run(0.05, { targets: [0, 100] })]) {
    expect(variant).toMatch(/^naive /)
    expect(evaluated).toBe(interactions)
  }
})

test('runs and rounds take cells where they suit the parameters', async () => {
  const workload = countWithin(0.05, { boundary })
  const { shape, bindings } = bind(workload, particles)
  const { of } = designsOf(workload, shape, host)
  const usual = await compiled(host, of({ variant: 'naive' }))
  const choice = {
    mostShare: 0.5,
    shareOf: nearShareOf,
    kept: undefined,
    fewEqual: false,
    chooser: chooserOf(workload, shape),
  }
  const counts = await GpuArray.create(host, memory, shape.targets)
  const position = await GpuArray.create(host, memory, particles.position.length)
  await position.write(particles.position)
  const expected = await new GpuProgram(host, memory, workload, shape, { usual }, 0).run(bindings)
  for (const [suits, alone, run, rounds] of [
    [true, false, /^cells /, /^cells .* or naive /],
    [true, true, /^cells /, /^cells \([^)]*\)$/],
    [false, true, /^blocks /, /^blocks .* or naive /],
  ] as const) {
    const near = {
      choice,
      compiled: () => compiled(host, of({ variant: 'blocks' })),
      cells: {
        choice: { ...choice, alone },
        compiled: () => compiled(host, of({ variant: 'cells' })),
        suit: () => suits,
        carries: 1201,
      },
    }
    const program = new GpuProgram(host, memory, workload, shape, { usual, near }, 0)
    expect(await program.run(bindings)).toEqual(expected)
    expect(program.report.variant).toMatch(run)
    expect(program.carries).toBe(1201)
    const set = { ...bindings.targets, arrays: { position } }
    const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { count: counts } }
    const sequence = await createSequence(host, memory, [stage])
    expect(sequence.variants).toEqual([expect.stringMatching(rounds)])
    await sequence.run(2)
    expect([...(await counts.read())]).toEqual([...(expected.count ?? [])])
  }
})

test('a run that is repeated begins at once, with the loop for its points', async () => {
  const { program, bindings, all } = await counting(0.05)
  const near = particles.position.map((x) => 0.02 * x)
  for (const [position, loop] of [
    [particles.position, /^blocks /],
    [near, /^naive /],
  ] as const) {
    const set = { ...bindings.targets, arrays: { position } }
    const own = { ...bindings, targets: set, sources: set }
    expect(program.again(own)).toBeUndefined()
    await program.run(own)
    const repeated = program.again(own)
    expect(repeated).toBeDefined()
    expect(await repeated).toEqual(await all.run(own))
    expect(program.report.variant).toMatch(loop)
  }
})

test('only a graphics card with many points, and without a plan or a tuner, has blocks to choose', async () => {
  const card = { ...host, info: { ...host.info, kind: 'hardware' as const } }
  const asItIs = { host, crowd: (shape: Shape) => shape, fitted: (plan: Plan) => plan }
  const planning = { host: card, crowd: (shape: Shape) => shape, fitted: () => ({ variant: 'naive' }) }
  const proof = { alike: true, compare: async () => 'same' as const }
  const workload = countWithin(0.05, { boundary })
  const shapeOf = (points: number): Shape => ({ ...bind(workload, particles).shape, targets: points, sources: points })
  const nearOf = async (
    points: number,
    plan?: Plan,
    given: Planning | undefined = planning,
    others: Partial<PrepareContext> = {},
  ) => {
    const shape = shapeOf(points)
    const designs = designsOf(workload, shape, host, given)
    return (await prepare({ host, tuning: undefined, proof, ...others }, designs, workload, shape, plan)).near
  }
  expect((await nearOf(20_000))?.choice.mostShare).toBeGreaterThan(0.1)
  expect(await nearOf(2000)).toBeUndefined()
  expect(await nearOf(20_000, { variant: 'naive' })).toBeUndefined()
  expect(await nearOf(20_000, undefined, asItIs)).toBeUndefined()
  const tuner = createTuner()
  vi.spyOn(tuner, 'fastest').mockImplementation(async (_, [first], { prepare }) => prepare(first as Plan) as never)
  const tuning = { tuner, effort: 'quick', memory } as const
  expect(await nearOf(20_000, undefined, planning, { tuning })).toBeUndefined()
})

/** Plans for the other loop, for forces. */
const plans: readonly Plan[] = [
  ...plainVariants.map((variant) => ({ variant, sizes: variant === 'split' ? { parts: 3 } : {} })),
  { variant: 'each-pair-once', sizes: { targets: 4, unroll: 1 } },
]

/** Points spread over the box, and points in one place, so that nearly all are within reach of each other. */
const spreadOut = particles.position
const inOnePlace = spreadOut.map((x) => 0.02 * x)

/** A sequence with a near loop for another workload, so that the results tell which of the two loops ran. */
async function choosing(usual: PairWorkload, other: PairWorkload, plan: Plan, dimension: 2 | 3 = 3) {
  const { shape, bindings } = bind(usual, { position: spreadOut, dimension })
  const near = {
    choice: {
      mostShare: 0.5,
      shareOf: nearShareOf,
      kept: usual.k,
      fewEqual: usual.k !== undefined,
      chooser: chooserOf(usual, shape),
    },
    compiled: () => compiled(host, designsOf(other, shape, host).of({ variant: 'blocks' })),
  }
  const made = await compiled(host, designsOf(usual, shape, host).of(plan))
  const program = new GpuProgram(host, memory, usual, shape, { usual: made, near }, 0)
  const position = await GpuArray.create(host, memory, spreadOut.length)
  const width = usual.k ?? dimension
  const outputs = Object.fromEntries(
    await Promise.all(
      usual.results.map(async (name) => [name, await GpuArray.create(host, memory, shape.targets * width)] as const),
    ),
  )
  const set = { ...bindings.targets, arrays: { position } }
  const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs }
  const sequence = await createSequence(host, memory, [stage])
  // Otherwise a benchmark would always name the loop over all pairs.
  expect(sequence.variants).toEqual([expect.stringMatching(new RegExp(`^blocks \\(.* or ${plan.variant} \\(`))])
  return async (points: Float32Array) => {
    await position.write(points)
    await sequence.run(2)
    const alone = async (workload: PairWorkload) => {
      const program = await compiled(host, designsOf(workload, shape, host).of({ variant: 'naive' }))
      const given = { ...bindings.targets, arrays: { position: points } }
      return new GpuProgram(host, memory, workload, shape, { usual: program }, 0).run({
        ...bindings,
        targets: given,
        sources: given,
      })
    }
    const [name = ''] = usual.results
    const found = await (outputs[name] as GpuArray).read()
    return { found, usual: (await alone(usual))[name] ?? [], other: (await alone(other))[name] ?? [] }
  }
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  const most = Math.max(...Array.from(expected, Math.abs))
  expect(most).toBeGreaterThan(0)
  expect(Math.max(...Array.from(found, (x, n) => Math.abs(x - (expected[n] as number))))).toBeLessThan(1e-5 * most)
}

test.each(plans)('in a sequence the device chooses between blocks and $variant in each round', async (plan) => {
  const [usual, other] = [1, 3].map((factor) =>
    forces(pairPotential(`${factor}*r2`)(), { cutoff: 0.05, boundary }),
  ) as [PairWorkload, PairWorkload]
  const run = await choosing(usual, other, plan)
  for (const points of [spreadOut, inOnePlace, spreadOut]) {
    const results = await run(points)
    expectClose(results.found, points === spreadOut ? results.other : results.usual)
  }
})

test.each([2, 3] as const)('in a sequence the device chooses how to find the nearest in %i-D', async (dimension) => {
  const run = await choosing(
    nearest(4),
    nearest(4, { self: 'include' }),
    { variant: 'group-minima', sizes: { workgroup: 32, targets: 1, unroll: 1, group: 32, parts: 2 } },
    dimension,
  )
  // Whatever the scale, only a few of many points are nearest, also of equal points.
  for (const points of [spreadOut, inOnePlace, spreadOut.map(() => 0.5)]) {
    const { found, other } = await run(points)
    expect([...found]).toEqual([...other])
  }
  const lost = spreadOut.map((x, n) => (n % 7 ? x : Number.NaN))
  expect([...(await run(lost)).found]).toHaveLength((4 * spreadOut.length) / dimension)
})

test('a round with many workgroups over all pairs always visits blocks', async () => {
  const workload = countWithin(0.05, { boundary })
  const plan = { variant: 'split', sizes: { workgroup: 32, targets: 1, unroll: 1, parts: 16 } }
  const lease = memory.lease()
  for (const count of [400, 40_000]) {
    const { shape, bindings } = bind(workload, { position: new Float32Array(3 * count) })
    const { of } = designsOf(workload, shape, host)
    const blocks = await compiled(host, of({ variant: 'blocks' }))
    const choice = {
      mostShare: 0.5,
      shareOf: nearShareOf,
      kept: undefined,
      fewEqual: false,
      chooser: chooserOf(workload, shape),
    }
    const near = { choice, compiled: async () => blocks }
    const usual = await compiled(host, of(plan))
    const program = new GpuProgram(host, memory, workload, shape, { usual, near }, 0)
    const results = resultsOf(blocks.design, bindings, {}, true)
    const buffers = await uploadInputs(host, blocks.design, bindings, lease)
    for (const { name, held } of results) buffers.set(`result.${name}`, await lease.array(4 * held))
    const run = { bindings, options: {}, buffers, lease, budget: () => 1e12, whole: true }
    const dispatched = async (steps: AsyncIterable<BoundStep>) => {
      const shaders: string[] = []
      for await (const { dispatches } of steps) shaders.push(...dispatches.map(({ pipeline }) => pipeline.shader.label))
      return shaders
    }
    const alone = await dispatched(blocks.steps(run, results))
    const chosen = await dispatched(eitherLoop(host, program, blocks, run, results))
    if (count > 400) expect(chosen).toEqual(alone)
    else expect(chosen.length).toBeGreaterThan(alone.length + 1)
  }
  lease.release()
})
