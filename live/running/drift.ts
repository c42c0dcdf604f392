/** How far energy and momentum have moved since they were first measured, each relative to its own scale. */

import type { Session } from './session.ts'

export interface Drift {
  readonly energy?: number
  readonly momentum?: number
}

/** The energy and the sum of |m v| of the start, by session. */
const starts = new WeakMap<Session, { energy?: number; momentum?: Float64Array; scale?: number }>()

export async function driftOf(session: Session): Promise<Drift> {
  const { simulation, setup } = session
  const { conserves } = setup.scene
  const start = starts.get(session) ?? {}
  starts.set(session, start)
  const energy = conserves.includes('energy') ? await simulation.energy() : undefined
  const momentum = conserves.includes('momentum') ? await simulation.momentum() : undefined
  if (energy) start.energy ??= energy.total
  if (momentum) {
    start.momentum ??= momentum
    start.scale ??= Math.sqrt(2 * (energy?.kinetic ?? 1) * (await totalMass(session))) || 1
  }
  return {
    ...(energy &&
      start.energy !== undefined && { energy: (energy.total - start.energy) / Math.abs(start.energy || 1) }),
    ...(momentum && {
      momentum: Math.hypot(...momentum.map((p, axis) => p - (start.momentum?.[axis] ?? 0))) / (start.scale ?? 1),
    }),
  }
}

async function totalMass({ simulation }: Session): Promise<number> {
  return (await simulation.read('mass')).reduce((sum, mass) => sum + mass, 0)
}
