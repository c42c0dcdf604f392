// The choice between blocks and all pairs: it is made for the points of each run, and depends on no earlier run.

import {
  accelerations,
  countWithin,
  createEngine,
  gravity,
  leapfrog,
  map,
  nearest,
  neighborsWithin,
  type PairWorkload,
  type Plan,
  pairTerm,
  reduce,
  type Shape,
  sum,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, describe, expect, it } from 'vitest'
import { factsOf } from '../../src/compile/plans/derive-facts.ts'
import { foldTime } from '../../src/compile/plans/pair-time.ts'
import { cpuWasm, learnedPlans } from '../../src/index.ts'
import { type BlocksCase, mostShare } from '../../src/run/plans/blocks-model.ts'
import { spread } from '../support/points.ts'

const count = 4000
const cutoff = 0.1
const position = spread(3 * count, 1)
const near = position.map((x) => x / 100)
const pull = accelerations(gravity({ softening: 0.05 }), { cutoff })
const mass = spread(count, 3, 0.5, 1)
const device = await cpuWasm().open({ threads: 1 })
afterAll(() => device.dispose())

async function programOf(workload: PairWorkload, plan?: Plan, on = device) {
  const { shape } = bind(workload, { position, mass })
  const program = await on.prepare(workload, shape, plan)
  const run = async (points: Float32Array) => {
    const results = await program.run(bind(workload, { position: points, mass }).bindings)
    return { results, report: program.report, variant: program.report.variant.split(/[ ,]/)[0] }
  }
  return { program, run, shape }
}

describe('a program without a plan', () => {
  it('visits blocks for points most of which are out of reach, and all pairs for others', async () => {
    const { program, run } = await programOf(countWithin(cutoff))
    const { program: plain, run: runPlain } = await programOf(countWithin(cutoff), { variant: 'simd' })
    for (const [points, variant] of [
      [position, 'blocks'],
      [near, 'simd'],
      [position, 'blocks'],
    ] as const) {
      const { results, report, variant: chosen } = await run(points)
      expect(chosen).toBe(variant)
      expect(report.interactions).toBe(count ** 2)
      if (variant === 'blocks') expect(report.evaluated).toBeLessThan(0.2 * count ** 2)
      else expect(report.evaluated).toBe(count ** 2)
      expect(results).toEqual((await runPlain(points)).results)
    }
    program.dispose()
    plain.dispose()
  })

  it.each([
    ['a sum that visits each pair once', pull, 'pairs-once'],
    // Of equal points, a target meets few.
    ['the nearest', nearest(3), 'blocks'],
    ['the least', reduce('argmin', pairTerm('r2')()), 'blocks'],
  ] as const)('chooses for %s', async (_, workload, other) => {
    const { program, run } = await programOf(workload)
    expect((await run(position)).variant).toBe('blocks')
    expect((await run(position.map(() => 0.5))).variant).toBe(other)
    program.dispose()
  })

  it.each([
    [1, 'simd'],
    [8, 'blocks'],
    [64, 'blocks'],
  ] as const)('visits blocks of few points if a target keeps several: %i nearest of 128', async (k, variant) => {
    const { bindings, shape } = bind(nearest(k), { position: position.slice(0, 3 * 128) })
    const program = await device.prepare(nearest(k), shape)
    await program.run(bindings)
    expect(program.report.variant).toMatch(variant)
    program.dispose()
  })

  it.each([64, 128])(
    'visits blocks of %i points if a pair takes long and only blocks visit it once',
    async (points) => {
      const long = sum(pairTerm('erf(r)*exp(-r2) + sin(r)*log(1 + r2)')(), { cutoff: 0.55 })
      for (const [law, variant] of [
        [long, /^blocks/],
        [countWithin(0.55), /^simd/],
      ] as const) {
        const { bindings, shape } = bind(law, { position: position.slice(0, 3 * points) })
        const program = await device.prepare(law, shape)
        await program.run(bindings)
        expect(program.report.variant).toMatch(variant)
        program.dispose()
      }
    },
  )

  it('visits all pairs of few targets, because all sources would be put in order for them, unless pairs take long', async () => {
    const [counted, double] = [countWithin(cutoff), await cpuWasm().open({ threads: 1, precision: 'f64' })]
    for (const [on, law, targets, variant] of [
      [device, counted, 128, /^simd/],
      [device, counted, 2000, /^blocks/],
      [double, counted, 128, /^simd/],
      [double, pull, 128, /^blocks/],
    ] as const) {
      const { bindings, shape } = bind(law, {
        targets: { position: near.slice(0, 3 * targets) },
        sources: { position, mass },
      })
      const program = await on.prepare(law, shape)
      await program.run(bindings)
      expect(program.report.variant).toMatch(variant)
      program.dispose()
    }
    double.dispose()
  })

  it('visits all pairs of few points, and of a law without a cutoff', async () => {
    for (const [points, variant] of [
      [256, /^pairs-once/],
      [1000, /^blocks/],
    ] as const) {
      const { shape, bindings } = bind(pull, { position: position.slice(0, 3 * points), mass: mass.slice(0, points) })
      const program = await device.prepare(pull, shape)
      await program.run(bindings)
      expect(program.report.variant).toMatch(variant)
      program.dispose()
    }
    const { program: open, run } = await programOf(sum(pairTerm('exp(-r2)')()))
    expect((await run(position)).variant).toBe('pairs-once')
    open.dispose()
  })

  it('visits all pairs in runs over ranges', async () => {
    const { program } = await programOf(pull)
    const { bindings } = bind(pull, { position, mass })
    const part = await program.run(bindings, { targets: [100, 108] })
    expect(program.report.variant).toMatch(/^simd/)
    const whole = await program.run(bindings)
    expect(program.report.variant).toMatch(/^blocks/)
    for (const [n, value] of (part.acceleration ?? []).entries())
      expect(whole.acceleration?.[300 + n]).toBeCloseTo(value, 2)
    program.dispose()
  })

  it('also chooses if its loop over all pairs was tuned', async () => {
    const tuned = await cpuWasm().open({ threads: 1, tune: 'quick' })
    const { run } = await programOf(pull, undefined, tuned)
    expect((await run(position)).variant).toBe('blocks')
    expect((await run(near)).variant).not.toBe('blocks')
    expect(Object.values(learnedPlans(tuned))).toHaveLength(1)
    tuned.dispose()
  })
})

it.each(['simd', 'blocks'])('keeps to the variant of a plan: %s', async (variant) => {
  const { program, run } = await programOf(countWithin(cutoff), { variant })
  for (const points of [position, near]) expect((await run(points)).variant).toBe(variant)
  program.dispose()
})

describe('a sequence', () => {
  const law = accelerations(gravity({ softening: 0.05 }), { cutoff })

  /** Sums by a sequence for each set of points in turn; `plan` decides the loop. */
  async function sums(plan: Plan | undefined, ...sets: readonly Float32Array[]) {
    const { shape, bindings } = bind(law, { position, mass })
    const program = await device.prepare(law, shape, plan)
    const [points, result] = [await device.buffer(3 * count), await device.buffer(3 * count)]
    const here = { ...bindings.targets, arrays: { ...bindings.targets.arrays, position: points } }
    const stage = {
      program,
      bindings: { ...bindings, targets: here, sources: here },
      outputs: { acceleration: result },
    }
    const sequence = await device.sequence([stage])
    const found: Float32Array[] = []
    for (const set of sets) {
      await points.write(set)
      await sequence.run(2)
      found.push((await result.read()) as Float32Array)
    }
    sequence.dispose()
    program.dispose()
    for (const buffer of [points, result]) buffer.dispose()
    return found
  }

  it('visits blocks while points are far apart and all pairs otherwise, whatever ran before', async () => {
    const [all, byBlocks] = [await sums({ variant: 'pairs-once' }, near), await sums({ variant: 'blocks' }, position)]
    expect(await sums(undefined, position, near, position)).toEqual([...byBlocks, ...all, ...byBlocks])
    // The bits tell which loop it was.
    expect(await sums({ variant: 'pairs-once' }, position)).not.toEqual(byBlocks)
    expect(await sums({ variant: 'blocks' }, near)).not.toEqual(all)
  })
})

describe.each([1, 2])('a simulation on %i threads', (threads) => {
  it('continues from a snapshot bit for bit, while its points come together and the loop by blocks gives way to all pairs', async () => {
    const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads })
    const particles = { position, velocity: position.map((x) => 5 * (0.5 - x)), mass }
    const law = gravity({ softening: 0.05 })
    const simulation = await engine.simulate({ law, particles, domain: { cutoff }, integrator: leapfrog, dt: 0.01 })
    await simulation.energy()
    const others: Awaited<ReturnType<typeof engine.resume>>[] = []
    for (const steps of [1, 2, 9, 8]) {
      await simulation.step(steps)
      const resumed = await engine.resume(await simulation.snapshot())
      expect(await resumed.energy()).toEqual(await simulation.energy())
      others.push(resumed)
    }
    for (const resumed of others) {
      for (; resumed.steps < simulation.steps; ) await resumed.step(1)
      for (const name of ['position', 'velocity', 'acceleration'])
        expect(await resumed.read(name)).toEqual(await simulation.read(name))
    }
    await engine.dispose()
  })
})

it('leaves other loops alone', async () => {
  const workload = map({ position: 'position + 1' })
  const { shape, bindings } = bind(workload, { position })
  const program = await device.prepare(workload, shape)
  await program.run(bindings)
  expect(program.report.variant).toMatch(/^simd/)
  program.dispose()
})

describe('the model', () => {
  const [square, counted] = [sum(pairTerm('r2')(), { cutoff }), countWithin(cutoff)]
  type Case = Partial<Omit<BlocksCase, 'pair'>> & { readonly term?: number }
  const shareFor = (law: PairWorkload, shape: Shape, { term = 12, precision = 'f32', ...more }: Case = {}) => {
    const { pair: facts } = factsOf(law, shape)
    if (!facts) throw new Error('expected a loop over pairs')
    const pair = term + foldTime(law.reduction, precision)
    return mostShare(law, facts, shape, { threads: 1, once: false, ...more, precision, pair })
  }
  const most = (points: number, law: PairWorkload = counted, more: Case = {}) =>
    shareFor(law, bind(law, { position: new Float32Array(3 * points) }).shape, more)

  it('takes blocks only for fewer pairs if threads share the work', () => {
    expect(most(2000)).toBeGreaterThan(most(2000, counted, { threads: 4 }))
    expect(most(150)).toBe(0)
  })

  it('never takes blocks where they would save less than a tenth of a run even if they met no pairs', () => {
    expect(most(350)).toBe(0)
    expect(most(500)).toBeGreaterThan(0.12)
  })

  it('takes blocks for more pairs if a pair takes longer, because what a target costs besides then matters less', () => {
    expect(most(500, counted, { term: 40 })).toBeGreaterThan(1.2 * most(500))
  })

  it('counts sources that enter a list of all pairs, and walks to two sets: of the nearest eight, some 64 points take blocks', () => {
    const [points, more] = [new Float32Array(3 * 64), new Float32Array(3 * 4096)]
    const mostOf = (targets: Float32Array, sources: Float32Array, k = 8) =>
      shareFor(nearest(k), bind(nearest(k), { targets: { position: targets }, sources: { position: sources } }).shape)
    expect(mostOf(points, points)).toBeGreaterThan(0.4)
    expect(mostOf(points, points, 1)).toBe(0)
    expect(mostOf(points, more)).toBeLessThan(0.13)
    expect(mostOf(more, points)).toBeGreaterThan(0.4)
  })

  it('takes blocks for more pairs if only they visit each pair once', () => {
    expect(most(2000, square)).toBeGreaterThan(most(2000, square, { once: true }))
  })

  it('lists neighbours by blocks only if they are few, because lists are sorted', () => {
    const listed = neighborsWithin(cutoff)
    for (const [precision, share] of [
      ['f32', 0.1],
      ['f64', 0.2],
    ] as const) {
      expect(most(2000, listed, { precision })).toBeLessThan(share)
      expect(most(2000, listed, { precision })).toBeGreaterThan(0.7 * share)
    }
  })

  it('spares few points a larger part of the pairs that are visited once than many', () => {
    const gain = (points: number) =>
      most(points, square, { precision: 'f64', once: true, term: 60 }) /
      most(points, counted, { precision: 'f64', term: 60 })
    expect(gain(300)).toBeGreaterThan(1.2 * gain(4000))
  })

  it('takes blocks of many points in every loop', () => {
    for (const precision of ['f32', 'f64'] as const)
      for (const law of [square, nearest(3), neighborsWithin(cutoff), counted])
        expect(most(1e6, law, { precision })).toBeGreaterThan(0.05)
  })
})
