// Judges an engine by random simulations, and by runs that write into the arrays of earlier ones.

import {
  createEngine,
  type Engine,
  type FloatArray,
  type Precision,
  reference,
  type Simulation,
  type SimulationOptions,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { Dice } from './dice.ts'
import { changed } from './laws.ts'
import { randomProblem, randomSimulation } from './problem.ts'

/** The allowed error of a device, relative to the largest number of an array, and the rounding of the initial state. */
const allowances = { f64: { error: 1e-9, rounding: 4e-15 }, f32: { error: 1e-4, rounding: 3e-7 } } as const

const read = ['position', 'velocity'] as const
type Moved = Readonly<Record<(typeof read)[number], FloatArray>>

/** The positions after four steps. */
async function moved(engine: Engine<Precision>, options: SimulationOptions): Promise<Moved> {
  const simulation = await engine.simulate(options)
  await simulation.step(4)
  return ended(simulation)
}

/** The same, resumed from a snapshot halfway. */
async function resumed(engine: Engine<Precision>, options: SimulationOptions): Promise<Moved> {
  const simulation = await engine.simulate(options)
  await simulation.step(2)
  const again = await engine.resume(await simulation.snapshot())
  simulation.dispose()
  await again.step(2)
  return ended(again)
}

async function ended(simulation: Simulation<Precision>): Promise<Moved> {
  const end = { position: await simulation.read('position'), velocity: await simulation.read('velocity') }
  simulation.dispose()
  return end
}

const truths = createEngine({ backends: [reference()], precision: 'f64' })

/** The faults of a random simulation, one sentence each. */
export async function simulationFaults(engine: Engine<Precision>, seed: number): Promise<readonly string[]> {
  const { precision } = engine.device.info
  const { error, rounding } = allowances[precision]
  const random = randomSimulation(seed)
  const at = (particles: SimulationOptions['particles'], change: (x: number) => number): SimulationOptions => ({
    ...random,
    particles: changed(particles, change),
  })
  const given = at(random.particles, (x) => (precision === 'f32' ? Math.fround(x) : x))
  const truth = await truths
  const expected = await moved(truth, given)
  const others = await Promise.all(
    [1, 2, 3].map((other) => {
      const dice = new Dice(other)
      return moved(
        truth,
        at(given.particles, (x) => x + rounding * (Math.abs(x) + 0.1) * dice.uniform(-1, 1)),
      )
    }),
  )
  return [await moved(engine, given), await resumed(engine, given)].flatMap((found, n) =>
    read.flatMap((name) => {
      const want = Array.from(expected[name])
      const scale = want.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
      const far = want.findIndex((x, k) => {
        const change = Math.max(...others.map((end) => Math.abs((end[name][k] ?? 0) - x)))
        // A result that is infinite or NaN in float64 is so close to a limit that float32 may differ.
        return Number.isFinite(change) && !(Math.abs((found[name][k] ?? Number.NaN) - x) <= error * scale + 30 * change)
      })
      const how = n === 0 ? '' : ', resumed'
      return far < 0 ? [] : [`${name}[${far}]${how} expected ${want[far]}, got ${found[name][far]}`]
    }),
  )
}

/** The faults of a run that writes into the arrays of another, one sentence each. */
export async function intoFaults(engine: Engine<Precision>, seed: number): Promise<readonly string[]> {
  const { workload, particles } = randomProblem(seed)
  // A total is one number and has no array.
  if (workload.loop === 'pair' && workload.total) return []
  const halved = changed(particles, (x) => x / 2)
  try {
    const earlier = await engine.run(workload, particles)
    const { report, ...expected } = await engine.run(workload, halved)
    const { report: _, ...found } = await engine.run(workload, halved, { into: earlier })
    return Object.entries(expected as Record<string, FloatArray>).flatMap(([name, want]) => {
      const got = (found as Record<string, FloatArray>)[name]
      if (got !== (earlier as Record<string, unknown>)[name]) return [`${name} expected the array given, got another`]
      const far = want.findIndex((x, k) => !Object.is(x, got?.[k]))
      return far < 0 ? [] : [`${name}[${far}] expected ${want[far]}, got ${got?.[far]}`]
    })
  } catch (error) {
    if (error instanceof UnsupportedWorkloadError) return []
    throw error
  }
}
