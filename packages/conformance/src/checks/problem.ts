/**
 * The small problem that the checks of a device share: softened gravity among 70 points, and a drift.
 *
 * @module
 */
import {
  accelerations,
  type Device,
  type FloatArray,
  gravity,
  type MapWorkload,
  map,
  type PairWorkload,
  type Program,
} from '@manybody/core'
import { type Bound, bind } from '@manybody/core/judge'
import { atPrecision } from '../judging/at-precision.ts'
import { cloud } from '../points.ts'
import { randomOf } from '../random.ts'

export const count = 70
export const pull: PairWorkload<'acceleration'> = accelerations(gravity({ softening: 0.2 }))
export const drift: MapWorkload<'position' | 'velocity'> = map(
  { position: 'position + dt*velocity + dt*dt*acceleration', velocity: 'velocity + dt*acceleration' },
  { dt: 0.125 },
)

/** The points: a different cloud for each seed. */
export function points(device: Device, seed = 71): Readonly<Record<'position' | 'mass', FloatArray>> {
  const random = randomOf(seed + 1)
  return atPrecision(
    { position: cloud({ count, seed, side: 4 }), mass: random.array(count, 0.5, 1.5) },
    device.info.precision,
  ) as Record<'position' | 'mass', FloatArray>
}

/** The forces among the points, bound and prepared. */
export async function preparedPull(device: Device, seed?: number): Promise<Bound & { readonly program: Program }> {
  const bound = bind(pull, points(device, seed))
  return { ...bound, program: await device.prepare(pull, bound.shape) }
}
