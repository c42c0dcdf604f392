// Judges an engine by random laws of vectors (vectors.ts). The truth is that of the laws written out.

import {
  type Device,
  type Engine,
  type PairWorkload,
  type Particles,
  type Plan,
  type Precision,
  type Program,
  type Shape,
  UnsupportedWorkloadError,
} from '@manybody/core'
import { pairBody } from '@manybody/core/expression'
import { bind } from '@manybody/core/judge'
import { changed, faultsIn, runInRanges } from './laws.ts'
import type { VectorProblem } from './vectors.ts'

/** The faults, one sentence each; undefined if the engine refuses the problem. */
export async function vectorFaults(
  engine: Engine<Precision>,
  problem: VectorProblem,
  plan?: Plan,
): Promise<readonly string[] | undefined> {
  const { precision } = engine.device.info
  const given = heldBy(precision, problem)
  const results = await ranOn(engine, problem.workload, given, plan)
  return results && faultsOfComponents(problem, results, given, precision)
}

/** The same for a device that runs the ranges of the problem one after the other. Undefined if the device has no whole of it. */
export async function vectorFaultsInRanges(
  device: Device,
  problem: VectorProblem,
  plan?: Plan,
): Promise<readonly string[] | undefined> {
  const { precision } = device.info
  const given = heldBy(precision, problem)
  const { shape, bindings } = bind(problem.workload, given)
  const program = await preparedWhole(device, problem, shape, plan)
  if (!program) return undefined
  const { results, faults } = await runInRanges(program, problem, shape, bindings)
  program.dispose()
  return [...faults, ...faultsOfComponents(problem, results, given, precision)]
}

/** The program of a whole vector; undefined if points at one place have a term or none by its components. An engine then takes its blocks. */
async function preparedWhole(
  device: Device,
  { workload }: VectorProblem,
  shape: Shape,
  plan: Plan | undefined,
): Promise<Program | undefined> {
  try {
    return await device.prepare(workload, shape, plan)
  } catch (error) {
    if (isDecidedByComponents(error)) return undefined
    throw error
  }
}

/** Whether a device refused a whole vector because points at one place have a term or none by its components. */
export const isDecidedByComponents = (error: unknown): boolean =>
  error instanceof UnsupportedWorkloadError &&
  error.message.includes('whether points at one place have a term depends on its components')

const heldBy = (precision: Precision, { particles }: VectorProblem): Particles =>
  changed(particles, (x) => (precision === 'f32' ? Math.fround(x) : x))

function faultsOfComponents(
  { written, apart }: VectorProblem,
  results: Readonly<Record<string, ArrayLike<number>>>,
  given: Particles,
  precision: Precision,
): readonly string[] {
  const laws = written()
  return laws.flatMap((law, c) => {
    if (laws.length > 8 && c % 10 !== 1 && c !== laws.length - 1) return []
    const own = Object.entries(results).map(([name, array]) => [
      name,
      Array.from(array).filter((_, n) => n % laws.length === c),
    ])
    const faults = faultsIn(Object.fromEntries(own), (points) => bind(law, apart(points)), given, precision)
    return faults.map((fault) => `component ${c}: ${fault}`)
  })
}

async function ranOn(
  engine: Engine<Precision>,
  workload: VectorProblem['workload'],
  particles: Particles,
  plan: Plan | undefined,
): Promise<Readonly<Record<string, ArrayLike<number>>> | undefined> {
  try {
    const { report: _, ...results } = await engine.run(workload, particles, plan ? { plan } : {})
    return results as unknown as Readonly<Record<string, ArrayLike<number>>>
  } catch (error) {
    if (error instanceof UnsupportedWorkloadError) return undefined
    throw error
  }
}

/** Whether a law reads functions of vectors of both points, so that pairs may meet component by component. */
export const meetsByComponents = (workload: PairWorkload, shape: Shape): boolean =>
  pairBody(workload, shape, { guard: false }).folds.some(({ side }) => !side)
