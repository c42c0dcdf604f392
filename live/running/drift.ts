/** How far energy and momentum have moved since they were first measured, each relative to its own scale. */

import type { Session } from './session.ts'

export interface Drift {
  readonly energy?: number
  readonly momentum?: number
}

/** The first measurement of each session, and the scale of its momentum. */
const starts = new WeakMap<
  Session,
  { readonly energy: number | undefined; readonly momentum: Float64Array | undefined; readonly scale: number }
>()

/** @returns nothing at the first measurement */
export async function driftOf(session: Session): Promise<Drift> {
  const { simulation, setup } = session
  const { conserves } = setup.scene
  const energy = conserves.includes('energy') ? await simulation.energy() : undefined
  const momentum = conserves.includes('momentum') ? await simulation.momentum() : undefined
  const start = starts.get(session)
  if (!start) {
    const scale = momentum ? Math.sqrt(2 * (energy?.kinetic ?? 1) * (await totalMass(session))) || 1 : 1
    starts.set(session, { energy: energy?.total, momentum, scale })
    return {}
  }
  const moved = momentum?.map((p, axis) => p - (start.momentum?.[axis] ?? 0))
  return {
    ...(energy &&
      start.energy !== undefined && { energy: (energy.total - start.energy) / Math.abs(start.energy || 1) }),
    ...(moved && { momentum: Math.hypot(...moved) / start.scale }),
  }
}

async function totalMass({ simulation }: Session): Promise<number> {
  return (await simulation.read('mass')).reduce((sum, mass) => sum + mass, 0)
}
