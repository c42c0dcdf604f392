// A workload that the engine's device cannot run: the next candidate runs it, the report says so, and constraints still hold.

import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '../../../src/engine/engine.ts'
import { ProgramCompilationError, UnsupportedWorkloadError } from '../../../src/ground/errors.ts'
import { pairTerm } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { energy, matrix, nearest, sum } from '../../../src/problem/workloads/pair.ts'
import { map } from '../../../src/problem/workloads/particle.ts'
import type { Shape, Workload } from '../../../src/problem/workloads/workload.ts'
import { reference } from '../../../src/truth/reference/backend.ts'
import { type Faults, fakeBackend, proofRuns } from '../../support/fake-backends.ts'

const reason = 'needs 12 storage buffers, device limit is 8'
/** Refuses sums of terms, but not the gravity of the proof. */
const refusesTerms = ({ results }: Workload) => (results[0] === 'value' ? reason : undefined)
const gpu = (faults: Faults = { refuses: refusesTerms }) => fakeBackend('webgpu', { kind: 'hardware', ...faults })
const wasm = (faults: Faults = {}) => fakeBackend('cpu-wasm', { kind: 'cpu', ...faults })
const software = () => fakeBackend('angle', { kind: 'software' })

const note = (what = 'workload', why = reason, ran = 'cpu-wasm') =>
  `webgpu cannot run this ${what}: ${why}; ran on ${ran}`
const field = sum(pairTerm('m_j')())
const points = { position: Float64Array.of(0, 0, 0, 1, 2, 3, -1, 0, 1), m: Float64Array.of(1, 2, 4) }
const right = [6, 5, 3]

let engine: Engine<'f32' | 'f64'> | undefined
afterEach(() => engine?.dispose())

async function engineOf(
  backends: EngineOptions['backends'],
  options: Partial<EngineOptions> = {},
): Promise<Engine<'f32' | 'f64'>> {
  engine = await createEngine({ backends, ...options })
  return engine
}

describe('a workload that the device does not support', () => {
  it('runs on the next candidate, and the report names it and says why', async () => {
    const other = wasm()
    const engine = await engineOf([gpu(), other])
    const { value, report } = await engine.run(field, points)
    expect([...value]).toEqual(right)
    expect(report).toMatchObject({ backend: 'cpu-wasm', device: 'cpu-wasm device', kind: 'cpu', notes: [note()] })
    expect(engine.device.info.backend).toBe('webgpu')
    expect((await engine.run(nearest(1), { position: points.position })).report).toMatchObject({ backend: 'webgpu' })
  })

  it('leaves the report of other workloads without notes', async () => {
    const engine = await engineOf([gpu(), wasm()])
    await engine.run(field, points)
    expect((await engine.run(nearest(1), { position: points.position })).report).not.toHaveProperty('notes')
  })

  it('opens the next candidate once, asks the device no more, and disposes of both', async () => {
    const other = wasm()
    const asked: Workload[] = []
    const refuses = (workload: Workload) => {
      asked.push(workload)
      return refusesTerms(workload)
    }
    const counting = gpu({ refuses })
    const engine = await engineOf([counting, other])
    expect(other.log.opened).toBe(0)
    const calls = await Promise.all([1, 2, 3].map(() => engine.run(field, points)))
    const before = asked.length
    calls.push(await engine.run(field, points))
    expect(calls.map(({ report }) => report.notes)).toEqual(Array(4).fill([note()]))
    expect(other.log.opened).toBe(1)
    expect(other.log.prepared).toHaveLength(2)
    expect(asked).toHaveLength(before)
    engine.dispose()
    expect([counting.log.disposed, other.log.disposed]).toEqual([1, 1])
  })

  it('depends on its shape: points that fit run on the device', async () => {
    const most = (_: Workload, { targets }: Shape) => (targets > 100 ? 'an array is too large' : undefined)
    const engine = await engineOf([gpu({ refuses: most }), wasm()])
    const many = { position: Float64Array.from({ length: 303 }, (_, n) => n), m: new Float64Array(101).fill(1) }
    const reports = [points, many, points].map(async (set) => (await engine.run(field, set)).report.backend)
    expect(await Promise.all(reports)).toEqual(['webgpu', 'cpu-wasm', 'webgpu'])
  })

  it.each<[name: string, run: (engine: Engine<'f32' | 'f64'>) => Promise<unknown>]>([
    ['a prepared program', async (engine) => (await (await engine.prepare(field, { count: 3 })).run(points)).report],
    ['verify', async (engine) => (await engine.verify(field, points)).report],
    [
      'results in given arrays',
      async (engine) => {
        const into = { value: new Float32Array(3) }
        const { value, report } = await engine.run(field, points, { into })
        expect(value).toBe(into.value)
        expect([...value]).toEqual(right)
        return report
      },
    ],
    [
      'ranges',
      async (engine) => {
        const ranges = { targets: [0, 3], offsets: [0, 1], sources: [0, 2] }
        return (await engine.run(field, points, { ranges })).report
      },
    ],
  ])('takes the next candidate with %s, too', async (_, run) => {
    const engine = await engineOf([gpu(), wasm()])
    expect(await run(engine)).toMatchObject({ backend: 'cpu-wasm', notes: [note()] })
  })

  it('is streamed and added up by the next candidate', async () => {
    const other = wasm()
    const refuses = ({ results }: Workload) => (results[0] === 'acceleration' ? undefined : reason)
    const engine = await engineOf([gpu({ refuses }), other])
    const rows: number[] = []
    for await (const { value, notes } of engine.stream(matrix(pairTerm('m_j')()), points, { rows: 1 })) {
      rows.push(...value)
      expect(notes).toEqual([note()])
    }
    expect(rows).toEqual([0, 2, 4, 1, 0, 4, 1, 2, 0])
    expect(await engine.total({ all: 'm' }, points)).toEqual({ all: 7 })
    expect(other.log.opened).toBe(1)
  })

  it('releases its program on the next candidate, once it is disposed of', async () => {
    const other = wasm()
    const engine = await engineOf([gpu(), other])
    const program = await engine.prepare(field, { count: 3 })
    await program.run(points)
    const before = other.log.programsDisposed
    program.dispose()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(other.log.programsDisposed).toBe(before + 1)
  })
})

describe('a program that does not compile', () => {
  const rejects = ({ results }: Workload) => (results[0] === 'value' ? 'nesting is too deep' : undefined)

  it('runs on the next candidate, compiles there once, and the report says so', async () => {
    const [first, other] = [gpu({ rejects }), wasm()]
    const engine = await engineOf([first, other])
    for (let n = 0; n < 2; n++) {
      const { value, report } = await engine.run(field, points)
      expect([...value]).toEqual(right)
      expect(report.notes).toEqual([note('workload', 'its program does not compile (nesting is too deep)')])
    }
    expect([first.log.prepared.length, other.log.prepared.length]).toEqual([2, 2])
  })

  it('is an error with the source if there is no other candidate', async () => {
    const error = await (await engineOf([gpu({ rejects })])).run(field, points).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ProgramCompilationError)
    expect(error).toMatchObject({ source: 'the source' })
  })

  it('shortens the message of a compiler', async () => {
    const long = gpu({ rejects: (workload) => rejects(workload)?.repeat(1000) })
    const { report } = await (await engineOf([long, wasm()])).run(field, points)
    expect(report.notes?.[0]?.length).toBeLessThan(400)
  })
})

describe('the next candidate', () => {
  it('is the next by preference: a GPU in software comes after a processor', async () => {
    const engine = await engineOf([software(), wasm({ refuses: refusesTerms }), gpu()])
    const { report } = await engine.run(field, points)
    expect(report).toMatchObject({ backend: 'angle', kind: 'software' })
    expect(report.notes).toEqual([
      note('workload', reason, 'angle'),
      note('workload', reason, 'angle').replace('webgpu', 'cpu-wasm'),
    ])
  })

  it('is the next of the named backends', async () => {
    const backends = [gpu(), wasm(), software()]
    const engine = await engineOf(backends, { backend: ['webgpu', 'angle', 'cpu-wasm'] })
    expect((await engine.run(field, points)).report.backend).toBe('angle')
    expect(backends[1]?.log.opened).toBe(0)
  })

  it('is the reference only if it is named', async () => {
    await expect((await engineOf([gpu(), reference()])).run(field, points)).rejects.toThrow(UnsupportedWorkloadError)
    const named = await engineOf([gpu(), reference()], { backend: ['webgpu', 'reference'] })
    expect((await named.run(field, points)).report.backend).toBe('reference')
  })

  it.each<[name: string, options: Partial<EngineOptions>]>([
    ['a single name', { backend: 'webgpu' }],
    ['what is required', { require: ['hardware'] }],
    ['what is forbidden', { forbid: ['cpu-wasm'] }],
  ])('must meet %s', async (_, options) => {
    const other = wasm()
    const engine = await engineOf([gpu(), other], options)
    await expect(engine.run(field, points)).rejects.toThrow(
      new UnsupportedWorkloadError('value of m_j', 'webgpu', reason),
    )
    expect(other.log.opened).toBe(0)
  })

  it('is not asked about a plan, which names a loop of one backend', async () => {
    const engine = await engineOf([gpu(), wasm()])
    await expect(engine.run(field, points, { plan: { variant: 'direct' } })).rejects.toThrow(reason)
  })

  it('must prove itself, or the one after it runs', async () => {
    const wrong = wasm({
      distort: (results) => ({ acceleration: new Float32Array(results.acceleration?.length ?? 0) }),
    })
    const engine = await engineOf([gpu(), wrong, software()])
    const { report } = await engine.run(field, points)
    expect(report.backend).toBe('angle')
    expect(report.notes).toEqual([
      note('workload', reason, 'angle'),
      expect.stringMatching(/^cpu-wasm cannot run this workload: it computed gravity .*; ran on angle$/),
    ])
    expect(wrong.log.disposed).toBe(wrong.log.opened)
  })

  it('is opened again after it was lost, and the report says so', async () => {
    const flaky = wasm({ losesAt: [proofRuns + 1] })
    const engine = await engineOf([gpu(), flaky])
    const { value, report } = await engine.run(field, points)
    expect([...value]).toEqual(right)
    expect(report).toMatchObject({ backend: 'cpu-wasm', recoveries: ['cpu-wasm: it was unplugged'], notes: [note()] })
    expect([flaky.log.opened, flaky.log.disposed]).toEqual([2, 1])
    expect(engine.device.info.backend).toBe('webgpu')
  })

  it('stays in use after the device of the engine was lost and replaced', async () => {
    const [flaky, other] = [gpu({ refuses: refusesTerms, losesAt: [proofRuns + 1] }), wasm()]
    const engine = await engineOf([flaky, other])
    await engine.run(field, points)
    const { report } = await engine.run(nearest(1), { position: points.position })
    expect(report).toMatchObject({ backend: 'webgpu', recoveries: ['webgpu: it was unplugged'] })
    expect((await engine.run(field, points)).report).toMatchObject({ backend: 'cpu-wasm', notes: [note()] })
    expect(other.log.opened).toBe(1)
  })

  it('that opens while the engine is disposed of is disposed of as well', async () => {
    let dispose = () => {}
    const slow = wasm({ beforeRun: () => dispose() })
    const engine = await engineOf([gpu(), slow])
    dispose = () => engine.dispose()
    await expect(engine.run(field, points)).rejects.toThrow('the engine was disposed')
    expect([slow.log.opened, slow.log.disposed]).toEqual([1, 1])
  })
})

describe('a workload that no candidate can run', () => {
  it('is an error with one line for each, in this and in later calls', async () => {
    const backends = [gpu(), wasm({ rejects: ({ results }) => (results[0] === 'value' ? 'too long' : undefined) })]
    const engine = await engineOf(backends)
    for (let n = 0; n < 2; n++) {
      const error = await engine.run(field, points).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(UnsupportedWorkloadError)
      expect((error as Error).message.split('\n')).toEqual([
        'Cannot run "value of m_j" on webgpu or cpu-wasm: no candidate can run it',
        `  webgpu: ${reason}`,
        '  cpu-wasm: its program does not compile (too long)',
      ])
    }
  })
})

describe('a simulation', () => {
  const law = gravity({ softening: 0.1 })
  const particles = { position: points.position, mass: points.m, velocity: new Float64Array(9).fill(0.1) }
  const setup = { law, particles, dt: 0.01 }

  async function positions(backends: EngineOptions['backends'], steps = 4): Promise<unknown> {
    await using engine = await createEngine({ backends })
    const simulation = await engine.simulate(setup)
    await simulation.step(steps)
    return await simulation.read('position')
  }

  it('runs on the next candidate as a whole if the device cannot run one of its parts', async () => {
    const refuses = ({ loop }: Workload) => (loop === 'particle' ? reason : undefined)
    const engine = await engineOf([gpu({ refuses }), wasm()])
    const simulation = await engine.simulate(setup)
    expect(simulation.notes).toEqual([])
    await simulation.step(4)
    expect(simulation.notes).toEqual([note('simulation')])
    expect(await simulation.read('position')).toEqual(await positions([wasm()]))
    expect(simulation.recoveries).toEqual([])
  })

  it('says so before it allocates anything on the device', async () => {
    const refuses = (workload: Workload, { targets }: Shape) =>
      workload.loop === 'pair' && targets === 3 ? 'too many points' : undefined
    const first = gpu({ refuses })
    const simulation = await (await engineOf([first, wasm()])).simulate(setup)
    await simulation.step(1)
    expect(simulation.notes).toEqual([note('simulation', 'too many points')])
    expect(first.log.buffers).toBe(0)
  })

  it('moves as it is when a later call asks for what the device cannot do, and repeats no step', async () => {
    const refuses = ({ results }: Workload) => (results[0] === 'energy' ? reason : undefined)
    const [first, other] = [gpu({ refuses }), wasm()]
    const simulation = await (await engineOf([first, other])).simulate(setup)
    await simulation.step(3)
    expect(simulation.notes).toEqual([])
    const still = await createEngine({ backends: [wasm()] })
    const expected = await still.simulate(setup)
    await expected.step(3)
    expect(await simulation.energy()).toEqual(await expected.energy())
    expect(simulation.notes).toEqual([note('simulation')])
    await simulation.step(1)
    expect(simulation.steps).toBe(4)
    expect(await simulation.read('position')).toEqual(await positions([wasm()]))
    still.dispose()
  })

  it('stays where its GPU buffers are, and refuses in words what that device cannot do', async () => {
    const refuses = ({ results }: Workload) => (results[0] === 'energy' ? reason : undefined)
    const simulation = await (await engineOf([gpu({ refuses, native: true }), wasm()])).simulate(setup)
    await simulation.gpuBuffer('position')
    await expect(simulation.energy()).rejects.toThrow(
      new UnsupportedWorkloadError(
        'simulation',
        'webgpu',
        `${reason}; the simulation stays there, because its GPU buffers are in use`,
      ),
    )
    await simulation.step(1)
    expect([simulation.steps, simulation.notes]).toEqual([1, []])
  })

  it('that no candidate can run is an error with one line for each', async () => {
    const refuses = ({ loop }: Workload) => (loop === 'particle' ? reason : undefined)
    const simulation = await (await engineOf([gpu({ refuses }), wasm({ refuses })])).simulate(setup)
    await expect(simulation.step(1)).rejects.toThrow(
      `Cannot run "simulation" on webgpu or cpu-wasm: no candidate can run it\n  webgpu: ${reason}\n  cpu-wasm: ${reason}`,
    )
  })

  it('still recovers on the candidate that runs it', async () => {
    const refuses = ({ loop }: Workload) => (loop === 'particle' ? reason : undefined)
    const flaky = wasm({ losesAt: [proofRuns + 3] })
    const simulation = await (await engineOf([gpu({ refuses }), flaky])).simulate(setup)
    await simulation.step(2)
    await simulation.step(2)
    expect(await simulation.read('position')).toEqual(await positions([wasm()]))
  })
})

it('a map or an energy takes the next candidate like a sum over pairs', async () => {
  const refuses = (workload: Workload) => (workload.results[0] === 'acceleration' ? undefined : reason)
  const engine = await engineOf([gpu({ refuses }), wasm()])
  const doubled = await engine.run(map({ twice: '2*m' }), { m: points.m })
  expect([...doubled.twice]).toEqual([2, 4, 8])
  expect(doubled.report.notes).toEqual([note()])
  const total = await engine.run(energy(gravity({ softening: 0.1 })), { position: points.position, mass: points.m })
  expect(total.report.notes).toEqual([note()])
})
