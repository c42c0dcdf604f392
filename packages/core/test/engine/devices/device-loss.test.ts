// A device that vanishes: the work is done again on another one, and the change is reported.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import { DeviceLostError } from '../../../src/ground/errors.ts'
import { pairTerm } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { forces, matrix } from '../../../src/problem/workloads/pair.ts'
import { fakeBackend, proofRuns } from '../../support/fake-backends.ts'
import { referenceEngine } from '../../support/reference-engine.ts'

const particles = { position: Float64Array.of(0, 0, 0, 1, 2, 3, -1, 0, 1), mass: Float64Array.of(1, 2, 3) }
const workload = forces(gravity())
const options = { precision: 'f64' } as const
const note = (name: string) => `${name}: it was unplugged`

async function expected(): Promise<Float64Array> {
  await using engine = await referenceEngine()
  return (await engine.run(workload, particles)).force
}

describe('a device lost during a run', () => {
  it('is opened again, and the run is repeated and reports it', async () => {
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 2] })
    await using engine = await createEngine({ backends: [flaky, fakeBackend('other')], ...options })
    expect((await engine.run(workload, particles)).report.recoveries).toEqual([])
    const lost = engine.device
    const { force, report } = await engine.run(workload, particles)
    expect(force).toEqual(await expected())
    expect(report).toMatchObject({ backend: 'flaky', recoveries: [note('flaky')] })
    expect(engine.device).not.toBe(lost)
    expect([flaky.log.opened, flaky.log.disposed]).toEqual([2, 1])
    expect(engine.selection.verdicts.map((v) => `${v.backend} ${v.outcome}: ${v.reason}`)).toEqual([
      'flaky chosen: opened again after it was lost: it was unplugged',
      'other available: not tried, as flaky is preferred',
    ])
    expect((await engine.run(workload, particles)).report.recoveries).toEqual([])
  })

  it('twice gives way to the next backend', async () => {
    // The second device proves itself, then is lost at its first run.
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 1, 2 * proofRuns + 2] })
    const other = fakeBackend('other')
    await using engine = await createEngine({ backends: [flaky, other], ...options })
    const { force, report } = await engine.run(workload, particles)
    expect(force).toEqual(await expected())
    expect(report).toMatchObject({ backend: 'other', recoveries: [note('flaky'), note('flaky')] })
    expect(engine.selection.verdicts.map((v) => `${v.backend} ${v.outcome}: ${v.reason}`)).toEqual([
      'other chosen: the first by preference that computes a known problem right',
      'flaky lost: was lost: it was unplugged; other took over',
    ])
  })

  it('for good gives way to the next backend at once, and its backend is not tried again', async () => {
    const stuck = fakeBackend('stuck', { losesAt: [proofRuns + 1], final: true })
    const other = fakeBackend('other')
    await using engine = await createEngine({ backends: [stuck, other], ...options })
    const { force, report } = await engine.run(workload, particles)
    expect(force).toEqual(await expected())
    expect(report).toMatchObject({ backend: 'other', recoveries: [note('stuck')] })
    expect([stuck.log.probed, stuck.log.opened]).toEqual([1, 1])
    expect(engine.selection.verdicts.map((v) => `${v.backend} ${v.outcome}: ${v.reason}`)).toEqual([
      'other chosen: the first by preference that computes a known problem right',
      'stuck lost: was lost: it was unplugged',
    ])
  })

  it('for good, without another backend, is an error in this and every later run', async () => {
    const stuck = fakeBackend('stuck', { losesAt: [proofRuns + 1], final: true })
    await using engine = await createEngine({ backends: [stuck], backend: 'stuck', ...options })
    for (let n = 0; n < 2; n++)
      await expect(engine.run(workload, particles)).rejects.toThrow(
        'Cannot open backend "stuck": was lost: it was unplugged',
      )
    expect([stuck.log.opened, stuck.log.disposed]).toEqual([1, 1])
  })

  it('is retried by the next run if no other backend could take over', async () => {
    let there = true
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 1] })
    const probe = flaky.probe.bind(flaky)
    const away = {
      ...flaky,
      probe: () => (there ? probe() : Promise.resolve({ available: false, reason: 'unplugged' } as const)),
    }
    await using engine = await createEngine({ backends: [away], ...options })
    there = false
    await expect(engine.run(workload, particles)).rejects.toThrow(/flaky: unplugged/)
    await expect(engine.run(workload, particles)).rejects.toThrow(/flaky: unplugged/)
    there = true
    expect((await engine.run(workload, particles)).force).toEqual(await expected())
  })

  it('again and again ends in the error', async () => {
    const flaky = fakeBackend('flaky', { losesAt: [2, 4, 6, 8, 10, 12] })
    await using engine = await createEngine({ backends: [flaky], ...options })
    const error = await engine.run(workload, particles).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(DeviceLostError)
    expect(error).toMatchObject({
      message: 'Cannot continue with flaky: the device was lost (it was unplugged); plug it in',
    })
  })

  it('by several runs at once is replaced once', async () => {
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 1] })
    await using engine = await createEngine({ backends: [flaky, fakeBackend('other')], ...options })
    const runs = await Promise.all([1, 2, 3].map(() => engine.run(workload, particles)))
    for (const { force, report } of runs) {
      expect(force).toEqual(await expected())
      expect(report).toMatchObject({ backend: 'flaky', recoveries: [note('flaky')] })
    }
    expect([flaky.log.opened, flaky.log.disposed]).toEqual([2, 1])
  })

  it('is not replaced for other errors', async () => {
    const broken = fakeBackend('broken', {
      beforeRun: (run) => {
        if (run > proofRuns) throw new Error('out of memory')
      },
    })
    await using engine = await createEngine({ backends: [broken, fakeBackend('other')] })
    await expect(engine.run(workload, particles)).rejects.toThrow('out of memory')
    expect(broken.log.opened).toBe(1)
  })

  it('while the engine is disposed leaves no device open', async () => {
    let dispose = () => {}
    const duringProof = (run: number) => run === proofRuns + 2 && dispose()
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 1], beforeRun: (run) => void duringProof(run) })
    const engine = await createEngine({ backends: [flaky] })
    dispose = () => engine.dispose()
    await expect(engine.run(workload, particles)).rejects.toThrow('the engine was disposed')
    expect([flaky.log.opened, flaky.log.disposed]).toEqual([2, 2])
  })
})

describe('a device lost during a stream', () => {
  it('continues with the missing rows', async () => {
    const flaky = fakeBackend('flaky', { losesAt: [proofRuns + 2] })
    await using engine = await createEngine({ backends: [flaky], ...options })
    const seen: number[] = []
    const firsts: number[] = []
    for await (const { first, value } of engine.stream(matrix(pairTerm('dx')()), particles, { rows: 1 })) {
      firsts.push(first)
      seen.push(...value)
    }
    expect(firsts).toEqual([0, 1, 2])
    expect(seen.map((x) => x + 0)).toEqual([0, 1, -1, -1, 0, -2, 1, 2, 0])
    expect(flaky.log.opened).toBe(2)
  })
})

describe('a device lost during a simulation', () => {
  it('continues from its state as if nothing had happened', async () => {
    const moving = { ...particles, velocity: new Float64Array(9).fill(0.1) }
    const setup = { law: gravity({ softening: 0.1 }), particles: moving, dt: 0.01 }
    const steady = await createEngine({ backends: [fakeBackend('steady')], ...options })
    const undisturbed = await steady.simulate(setup)
    await undisturbed.step(12)

    const flaky = fakeBackend('flaky', { losesAt: [20] })
    await using engine = await createEngine({ backends: [flaky], ...options })
    const simulation = await engine.simulate(setup)
    await simulation.step(5)
    await simulation.step(7)
    expect(simulation.recoveries).toEqual([note('flaky')])
    expect(simulation.steps).toBe(12)
    expect(await simulation.read('position')).toEqual(await undisturbed.read('position'))
    expect(await simulation.read('velocity')).toEqual(await undisturbed.read('velocity'))
    steady.dispose()
  })
})
