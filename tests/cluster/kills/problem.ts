// The problem for the kills, and one step of it: the simulation moves, and a run over its new positions is hashed.

import { createHash } from 'node:crypto'
import { cluster } from '@manybody/cluster'
import { accelerations, type Backend, type Engine, gravity, reference, type Simulation } from 'manybody'
import { numbers } from '../../support/numbers.ts'

/** Few points, because the reference computes them: it starts quickly. */
const points = 400
const law = gravity({ softening: 0.05 })
const mass = new Float32Array(points).fill(1 / points)

export const galaxy = { law, particles: { position: numbers(3 * points, 1), mass }, dt: 0.01 }

/** A cluster backend whose workers compute every force. */
export const spread = (servers: string): Backend => cluster({ servers, always: true, home: reference() })

export interface Step {
  readonly step: number
  readonly hash: string
  /** Pairs that count in the result: each block counts once. */
  readonly evaluated: number
}

export const pairs = points ** 2

/** Advances by one step. */
export async function advance(engine: Engine, simulation: Simulation): Promise<Step & { readonly repeated: number }> {
  await simulation.step()
  const position = await simulation.read('position')
  const { acceleration, report } = await engine.run(accelerations(law), { position, mass })
  const hash = createHash('sha256').update(position).update(acceleration).digest('hex')
  return { step: simulation.steps, hash, evaluated: report.evaluated, repeated: report.spread?.repeated ?? 0 }
}
