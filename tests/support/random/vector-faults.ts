// Judges an engine by random laws of vectors (vectors.ts). The truth is that of the laws written out.

import { type Engine, type Particles, type Plan, type Precision, UnsupportedWorkloadError } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { changed, faultsIn } from './laws.ts'
import type { VectorProblem } from './vectors.ts'

/** The faults, one sentence each; undefined if the device refuses the problem. */
export async function vectorFaults(
  engine: Engine<Precision>,
  { workload, particles, written, apart }: VectorProblem,
  plan?: Plan,
): Promise<readonly string[] | undefined> {
  const { precision } = engine.device.info
  const given = changed(particles, (x) => (precision === 'f32' ? Math.fround(x) : x))
  const results = await ranOn(engine, workload, given, plan)
  if (results === undefined) return undefined
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
