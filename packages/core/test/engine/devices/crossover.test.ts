// Short calls run on the processor where it answers sooner than the engine's graphics device, and only there.

import { afterEach, describe, expect, it } from 'vitest'
import type { Device } from '../../../src/contract/backend.ts'
import { createEngine, type Engine, type EngineOptions } from '../../../src/engine/engine.ts'
import { ProgramCompilationError } from '../../../src/ground/errors.ts'
import { pairTerm } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { accelerations, sum } from '../../../src/problem/workloads/pair.ts'
import { map } from '../../../src/problem/workloads/particle.ts'
import { type FakeBackend, type Faults, fakeBackend } from '../../support/fake-backends.ts'

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const after = (milliseconds: number): Faults => ({
  beforeRun: async () => {
    if (milliseconds > 0) await sleep(milliseconds)
  },
})
const graphics = (faults: Faults = after(20)) => fakeBackend('graphics', { kind: 'hardware', ...faults })
const processor = (faults: Faults = after(0)) => fakeBackend('processor', { kind: 'cpu', ...faults })

const law = accelerations(gravity({ softening: 0.1 }))
const field = sum(pairTerm('1/(r2 + 1)')())
const points = (count: number) => ({
  position: Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(n)),
  mass: new Float32Array(count).fill(1),
})

let engine: Engine | undefined
afterEach(() => engine?.dispose())

async function engineOf(
  backends: readonly FakeBackend[],
  options: Partial<EngineOptions<'f32'>> = {},
): Promise<Engine> {
  const made = await createEngine({ backends, ...options })
  expect(made.device.info.backend).toBe('graphics')
  engine = made
  return made
}

/** The backends that answered, in the order of calls. */
async function answers(engine: Engine, calls: number, count = 20): Promise<readonly string[]> {
  const names: string[] = []
  for (let n = 0; n < calls; n++) names.push((await engine.run(law, points(count))).report.backend)
  return names
}

/** Calls until the processor has opened and answers. */
async function moved(engine: Engine): Promise<readonly string[]> {
  const names: string[] = []
  while (names.at(-1) !== 'processor') names.push(...(await answers(engine, 1)))
  return names
}

describe('a short call', () => {
  it('moves to the processor after calls have shown that it is faster, and the report says so', async () => {
    const engine = await engineOf([graphics(), processor()])
    expect((await moved(engine)).slice(0, 5)).toEqual(Array(5).fill('graphics'))
    expect(await answers(engine, 8)).toEqual(Array(8).fill('processor'))
    const { report, acceleration } = await engine.run(law, points(20))
    // A timer of 20 ms may fire half a millisecond early.
    expect(report.crossover).toMatch(
      /^processor answers calls of this size in \d+\.\d\d ms, graphics in (19|2\d)\.\d\d ms$/,
    )
    expect(report.device).toBe('processor device')
    const other = await createEngine({ backends: [processor()] })
    expect(acceleration).toEqual((await other.run(law, points(20))).acceleration)
    other.dispose()
  })

  it.each([
    ['twice as slow', 40, 5],
    ['much slower', 150, 2],
  ])('stays where the processor is %s', async (_, milliseconds, most) => {
    const engine = await engineOf([graphics(), processor(after(milliseconds))])
    const names = [...(await moved(engine)), ...(await answers(engine, 8))]
    const tried = names.filter((name) => name === 'processor').length
    // A machine that is busy may give up the slower one earlier.
    expect(tried).toBeGreaterThanOrEqual(2)
    expect(tried).toBeLessThanOrEqual(most)
    expect(names.slice(-4)).toEqual(Array(4).fill('graphics'))
  })

  it('goes back to the device of the engine, which can run it, when the processor cannot', async () => {
    let refuses = false
    const beforeRun = () => {
      if (refuses) throw new ProgramCompilationError('processor', 'the source', ['too long'])
    }
    const engine = await engineOf([graphics(), processor({ beforeRun })])
    await moved(engine)
    refuses = true
    expect(await answers(engine, 3)).toEqual(Array(3).fill('graphics'))
  })

  it('is decided for each size and kind of workload', async () => {
    const engine = await engineOf([graphics(), processor()])
    await moved(engine)
    expect(await answers(engine, 1, 500)).toEqual(['graphics'])
    const { report } = await engine.run(map({ position: '2*position' }), points(20))
    expect(report.backend).toBe('graphics')
    expect(report.crossover).toBeUndefined()
    expect(await answers(engine, 1)).toEqual(['processor'])
    expect((await engine.verify(law, points(20))).report.backend).toBe('processor')
  })

  it('does not try a processor for more work than it could do in the time', async () => {
    const [first, other] = [graphics(after(0)), processor()]
    // Answers large problems at once, as no processor does: a million pairs take about a millisecond.
    const quick: FakeBackend = {
      ...first,
      async open(options) {
        const device = await first.open(options)
        const prepare: Device['prepare'] = async (workload, shape) => {
          const program = await device.prepare(workload, shape)
          if (shape.sources < 1000) return program
          return { ...program, report: program.report, run: async () => ({ value: new Float32Array(10) }) }
        }
        return { ...device, prepare }
      },
    }
    const engine = await engineOf([quick, other])
    const few = { targets: { position: points(10).position }, sources: { position: points(1_000_000).position } }
    for (let n = 0; n < 8; n++) await engine.run(field, few)
    expect(other.log.opened).toBe(0)
  })
})

describe('every call runs on the chosen device', () => {
  const stays = async (backends: readonly FakeBackend[], options: Partial<EngineOptions<'f32'>> = {}) => {
    expect(new Set(await answers(await engineOf(backends, options), 12))).toEqual(new Set(['graphics']))
    expect(backends[1]?.log.opened).toBe(0)
  }

  it('if crossover is off', () => stays([graphics(), processor()], { crossover: false }))
  it('if its backend was requested by name', () => stays([graphics(), processor()], { backend: 'graphics' }))
  it('if backends were requested in an order', () =>
    stays([graphics(), processor()], { backend: ['graphics', 'processor'] }))
  it('if processors are forbidden', () => stays([graphics(), processor()], { forbid: ['cpu'] }))
  it('if a feature is required that the processor lacks', () =>
    stays([graphics({ features: ['subgroups'], ...after(20) }), processor()], { require: ['subgroups'] }))

  it('if a plan names a loop of that device', async () => {
    const engine = await engineOf([graphics(), processor()])
    await moved(engine)
    const { report } = await engine.run(law, points(20), { plan: { variant: 'plain' } })
    expect(report.backend).toBe('graphics')
  })

  it('in simulations', async () => {
    const other = processor()
    const engine = await engineOf([graphics(), other])
    await moved(engine)
    const { runs } = other.log
    const moving = { ...points(20), velocity: new Float32Array(60) }
    const simulation = await engine.simulate({ law: gravity({ softening: 0.1 }), dt: 0.01, particles: moving })
    await simulation.step(2)
    simulation.dispose()
    expect(other.log.runs).toBe(runs)
  })
})

describe('the second device', () => {
  it('is left out if it computes wrongly', async () => {
    const wrong = processor({ distort: (results) => ({ ...results, acceleration: new Float32Array(201) }) })
    const engine = await engineOf([graphics(), wrong])
    expect(new Set(await answers(engine, 12))).toEqual(new Set(['graphics']))
  })

  it('is left out if it cannot be opened', async () => {
    const engine = await engineOf([graphics(), processor({ openThrows: new Error('no memory') })])
    expect(new Set(await answers(engine, 12))).toEqual(new Set(['graphics']))
  })

  it('is replaced when the first is lost: another device is chosen for all calls', async () => {
    const other = processor()
    const engine = await engineOf([graphics({ losesAt: [8] }), other])
    await answers(engine, 12)
    expect(engine.device.info.backend).toBe('graphics')
    engine.dispose()
    await expect.poll(() => other.log.disposed, { timeout: 10_000 }).toBe(other.log.opened)
  })

  it('may vanish: the call is answered by the first, which stays', async () => {
    const other = processor({ losesAt: [4] })
    const engine = await engineOf([graphics(), other])
    await moved(engine)
    expect(await answers(engine, 4)).toEqual(['processor', 'graphics', 'graphics', 'graphics'])
    const { report } = await engine.run(law, points(20))
    expect(report.recoveries).toEqual([])
    expect(other.log).toMatchObject({ opened: 1, disposed: 1 })
  })

  it('is disposed of with the engine', async () => {
    const other = processor()
    const engine = await engineOf([graphics(), other])
    await moved(engine)
    expect(other.log).toMatchObject({ opened: 1, disposed: 0 })
    engine.dispose()
    expect(other.log).toMatchObject({ opened: 1, disposed: 1 })
  })

  it('does not change results while it opens', async () => {
    const engine = await engineOf([graphics(), processor()])
    const running = Array.from({ length: 30 }, () => engine.run(law, points(20)))
    const results = await Promise.all(running)
    for (const { acceleration } of results) expect(acceleration).toEqual(results[0]?.acceleration)
  })
})

it('rejects anything but true and false', async () => {
  await expect(createEngine({ backends: [graphics()], crossover: 'no' as never })).rejects.toThrow(
    '"crossover" expected true or false, got "no"',
  )
})
