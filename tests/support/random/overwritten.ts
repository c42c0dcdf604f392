// Calls whose arrays are overwritten as soon as the promise is returned. The answers must not change.

import {
  accelerations,
  cellIndex,
  type Engine,
  energy,
  forces,
  gravity,
  map,
  matrix,
  nearest,
  type Particles,
  pairTerm,
  type SimulationOptions,
  stencil,
  type Workload,
} from '@manybody/core'
import { numbers } from '../numbers.ts'

const count = 100
const law = gravity({ softening: 0.1 })
const grid = { cells: [4, 5, 5], spacing: 1 }

const points = () => ({
  position: numbers(3 * count, 1),
  velocity: numbers(3 * count, 2),
  mass: numbers(count, 3).map((x) => x + 0.5),
})

type Arrays = Record<string, Float32Array>

/**
 * Calls of an engine with separate arrays. These change as soon as the call has returned, or other values take the place of those in an object.
 * Arrays for results do not change: a call may have written them by then.
 */
type Ask = (engine: Engine, data: Arrays, change: (given: object, values?: object) => void) => Promise<unknown>

const run =
  (workload: Workload, of: (data: Arrays) => object = (data) => data): Ask =>
  async (engine, data, change) => {
    const running = engine.run(workload, of(data) as Particles)
    change(data)
    const { report: _, ...results } = await running
    return results
  }

const asks: Readonly<Record<string, Ask>> = {
  'run: accelerations': run(accelerations(law)),
  'run: an energy': run(energy(law)),
  'run: nearest': run(nearest(4)),
  'run: a map': run(map({ position: 'position + velocity' })),
  'run: cells': run(cellIndex({ cells: [4, 4, 4], spacing: 0.25 })),
  'run: two sets': run(forces(law), (data) => ({ targets: data, sources: { ...data } })),
  'run: a field': run(stencil({ slope: '(xp - xm)/hx' }, grid), ({ mass: field }) => ({ field })),
  'run: parameters, and arrays for results': async (engine, data, change) => {
    const options = { parameters: { G: 2 }, into: { acceleration: new Float32Array(3 * count) } }
    const running = engine.run(accelerations(law), data as Particles, options)
    change(data)
    change(options.parameters, { G: 5 })
    change(options.into, { acceleration: undefined })
    return (await running).acceleration
  },
  'a prepared program': async (engine, data, change) => {
    const program = await engine.prepare(accelerations(law), { count })
    const options = { parameters: { G: 2 }, into: { acceleration: new Float32Array(3 * count) } }
    const running = program.run(data as Particles, options)
    change(data)
    change(options.parameters, { G: 5 })
    change(options.into, { acceleration: undefined })
    return (await running).acceleration
  },
  stream: async (engine, data, change) => {
    const rows = engine.stream(matrix(pairTerm('r2 + mass_j')()), data as Particles, { rows: 30 })
    change(data)
    const blocks: number[][] = []
    for await (const { value } of rows) blocks.push([...value])
    return blocks
  },
  verify: async (engine, data, change) => {
    const verifying = engine.verify(accelerations(law), data as Particles, { sample: 20 })
    change(data)
    const { ok, max } = await verifying
    return { ok, max }
  },
  simulate: async (engine, data, change) => {
    const pair: [number, number] = [0, 1]
    const options = { law, particles: data, dt: 0.01, domain: { exclusions: [pair] } } as unknown as SimulationOptions
    const starting = engine.simulate(options)
    change(data)
    change(options, { dt: 7 })
    change(pair, [2, 3])
    const simulation = await starting
    await simulation.step(2)
    return simulation.read('position')
  },
  resume: async (engine, data, change) => {
    const particles = data as unknown as SimulationOptions['particles']
    const first = await engine.simulate({ law, particles, dt: 0.01 })
    await first.step(1)
    const snapshot = await first.snapshot()
    const resuming = engine.resume(snapshot)
    change(snapshot.arrays)
    change(snapshot, { dt: 7 })
    const second = await resuming
    await second.step(1)
    return second.read('position')
  },
  'write to a buffer': async ({ device }, { position }, change) => {
    const buffer = await device.buffer(3 * count)
    const writing = buffer.write(position as Float32Array)
    change({ position })
    await writing
    const written = await buffer.read()
    buffer.dispose()
    return written
  },
}

const flat = (answer: unknown): readonly unknown[] =>
  typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(flat) : [answer]

/** Equal numbers, up to the order of additions. WebGL chooses that order by the times of slices. */
function alike(a: readonly unknown[], b: readonly unknown[]): boolean {
  const near = (x: unknown, y: unknown) =>
    Object.is(x, y) || Math.abs((x as number) - (y as number)) <= 1e-4 * (1 + Math.abs(x as number))
  return a.length === b.length && a.every((x, n) => near(x, b[n]))
}

/** The names of calls that gave no answer, or another one because their arrays were overwritten. */
export async function disturbed(engine: Engine): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [name, ask] of Object.entries(asks)) {
    const [quiet, changed] = [
      await ask(engine, points(), () => {}),
      await ask(engine, points(), (given, values) => {
        if (values) Object.assign(given, values)
        else for (const array of Object.values(given)) if (ArrayBuffer.isView(array)) (array as Float32Array).fill(0.5)
      }),
    ]
    if (!alike(flat(quiet), flat(changed))) wrong.push(name)
  }
  return wrong
}
