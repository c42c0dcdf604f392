// Each pair once against the float64 reference, at counts around the ends of blocks, on one thread and two.

import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  forces,
  gravity,
  lennardJones,
  pairTerm,
  periodic,
  potentials,
  reference,
  sum,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points, spread } from './support/points.ts'

const workloads = {
  gravity: accelerations(gravity({ softening: 0.05 })),
  coulomb: forces(coulomb()),
  'periodic Lennard-Jones': accelerations(lennardJones(), { boundary: periodic([1, 1, 1]), cutoff: 0.5 }),
  potential: potentials(gravity({ softening: 0.05 })),
  'symmetric term': sum(pairTerm('charge_i*charge_j*exp(-r2)')()),
  'self included': sum(pairTerm('charge_i + charge_j')(), { self: 'include' }),
}

describe.each([1, 2])('on %i thread(s)', (threads) => {
  const devices: Record<string, Device> = {}
  let truth: Device
  beforeAll(async () => {
    truth = await reference().open({ precision: 'f64' })
    for (const precision of ['f32', 'f64'] as const)
      devices[precision] = await cpuWasm({ threadsFrom: 0 }).open({ threads, precision })
  })
  afterAll(() => {
    for (const device of Object.values(devices)) device.dispose()
  })

  it.each(Object.entries(workloads))('%s', async (_, workload) => {
    for (const count of [1, 255, 257, 700]) {
      const sizes = { sigma: spread(count, 5, 0.02, 0.05), epsilon: spread(count, 6) }
      const { bindings, shape } = bind(workload, { ...points(count), ...sizes })
      const [name = ''] = workload.results
      const expected = (await (await truth.prepare(workload, shape)).run(bindings))[name] as FloatArray
      const scale = Math.max(...expected.map(Math.abs), 1e-30)
      for (const [precision, bound] of [
        ['f32', 2e-6],
        ['f64', 1e-13],
      ] as const) {
        const program = await devices[precision]?.prepare(workload, shape, { variant: 'pairs-once' })
        const got = (await program?.run(bindings))?.[name] as FloatArray
        expect(program?.report.variant).toMatch(/^pairs-once/)
        expect(got.length).toBe(expected.length)
        for (const [i, value] of got.entries())
          expect(Math.abs(value - (expected[i] as number)) / scale, `${count} ${i}`).toBeLessThan(bound)
      }
    }
  })
})

it.each([1, 2])('a run that stopped halfway leaves nothing to the next, on %i thread(s)', async (threads) => {
  const device = await cpuWasm({ threadsFrom: 0 }).open({ threads })
  const { bindings, shape } = bind(workloads.gravity, points(8192))
  const program = await device.prepare(workloads.gravity, shape, { variant: 'pairs-once' })
  const before = await program.run(bindings)
  const stop = new AbortController()
  const onProgress = (done: number) => {
    if (done > 0.3) stop.abort(new Error('enough'))
  }
  await expect(program.run(bindings, { signal: stop.signal, onProgress })).rejects.toThrow('enough')
  const after = await program.run(bindings)
  device.dispose()
  const [expected, got] = [before, after].map(({ acceleration }) => [...(acceleration as FloatArray)])
  const largest = Math.max(...(expected as number[]).map(Math.abs))
  for (const [k, value] of (got as number[]).entries())
    expect(Math.abs(value - (expected?.[k] as number)) / largest).toBeLessThan(1e-6)
})

describe('gravity divides forces by masses at the end', () => {
  const workload = accelerations(gravity({ softening: 0.05 }))
  const count = 300
  const { position, mass } = points(count)
  const fewer = (n: number, value: number) => mass.map((m, k) => (k === n ? value : m))
  const sets: Record<string, Float32Array> = {
    ordinary: mass,
    'one is negative': fewer(7, -1.5),
    'one is 0': fewer(7, 0),
    'one is very small': fewer(7, 1e-12),
    'one has no inverse': fewer(7, 1e-40),
    'all are large': mass.map((m) => m * 1e30),
    'all are small': mass.map((m) => m * 1e-30),
  }
  let device: Device
  let truth: Device
  beforeAll(async () => {
    truth = await reference().open({ precision: 'f64' })
    device = await cpuWasm().open({ threads: 1 })
  })
  afterAll(() => device.dispose())

  async function expectRight(masses: Float32Array, got: FloatArray | undefined): Promise<void> {
    const { bindings, shape } = bind(workload, { position, mass: masses })
    const { acceleration } = await (await truth.prepare(workload, shape)).run(bindings)
    expect(got?.length).toBe(3 * count)
    for (let n = 0; n < 3 * count; n += 3) {
      const [right, found] = [acceleration, got].map((a) => Array.from(a?.subarray(n, n + 3) ?? [])) as [
        number[],
        number[],
      ]
      const off = Math.hypot(...right.map((x, k) => x - (found[k] as number)))
      expect(off / Math.hypot(...right), `target ${n / 3}`).toBeLessThan(3e-6)
    }
  }

  it.each(Object.entries(sets))('and is right where %s', async (_, masses) => {
    const { bindings, shape } = bind(workload, { position, mass: masses })
    const program = await device.prepare(workload, shape, { variant: 'pairs-once' })
    await expectRight(masses, (await program.run(bindings)).acceleration as FloatArray)
  })

  it('and a sequence is right after its masses have changed', async () => {
    const { bindings, shape } = bind(workload, { position, mass })
    const program = await device.prepare(workload, shape, { variant: 'pairs-once' })
    const [masses, acceleration] = await Promise.all([device.buffer(count), device.buffer(3 * count)])
    await masses.write(mass)
    const arrays = { ...bindings.targets.arrays, mass: masses }
    const set = { ...bindings.targets, arrays }
    const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { acceleration } }
    const sequence = await device.sequence([stage])
    for (const changed of [mass, fewer(7, 0), mass.map((m) => 5 * m)]) {
      await masses.write(changed)
      await sequence.run(1)
      await expectRight(changed, await acceleration.read())
    }
    sequence.dispose()
  })
})

describe('ranges, and runs that continue others', () => {
  const [count, workload] = [700, workloads.gravity] as const
  const { bindings, shape } = bind(workload, points(count))
  const parts = [{ targets: [10, 500] }, { sources: [0, 300] }, { targets: [0, 40], sources: [100, 700] }] as const

  it('take the loop over all pairs, to the bit, and the report names it', async () => {
    const device = await cpuWasm().open({ threads: 1 })
    const [once, simd] = await Promise.all(
      ['pairs-once', 'simd'].map((variant) => device.prepare(workload, shape, { variant, sizes: { tile: 64 } })),
    )
    const whole = await once?.run(bindings)
    expect(once?.report.variant).toMatch(/^pairs-once/)
    // The two loops add terms in different orders, which tells them apart.
    expect(whole).not.toEqual(await simd?.run(bindings))
    for (const part of parts) {
      expect(await once?.run(bindings, part)).toEqual(await simd?.run(bindings, part))
      const [first, last] = 'targets' in part ? part.targets : [0, count]
      const [from, to] = 'sources' in part ? part.sources : [0, count]
      const { variant, accumulation, chains, evaluated } = simd?.report ?? {}
      expect(once?.report).toMatchObject({ variant, accumulation, chains, evaluated })
      expect(variant).toMatch(/^simd/)
      expect(evaluated).toBe((last - first) * (to - from))
    }
    device.dispose()
  })
})

describe.each(['f32', 'f64'] as const)('in %s', (precision) => {
  const { bindings, shape } = bind(workloads.gravity, points(6000))

  it.each([2, 3])('the bits do not depend on which of %i threads compute', async (threads) => {
    const results: Float64Array[] = []
    // All work by the caller's thread, then by any threads.
    for (const threadsFrom of [Infinity, 0]) {
      const device = await cpuWasm({ threadsFrom }).open({ threads, precision })
      const program = await device.prepare(workloads.gravity, shape, { variant: 'pairs-once' })
      const wanted = threadsFrom === 0 ? `${threads} threads` : '1 thread'
      // On a busy machine, a worker may come too late for its share of a run.
      for (let run = 0; run < 6 || (run < 200 && !program.report.variant.includes(wanted)); run++)
        results.push(Float64Array.from((await program.run(bindings)).acceleration ?? []))
      expect(program.report.variant).toContain(wanted)
      device.dispose()
    }
    for (const result of results) expect(result).toEqual(results[0])
  })
})
