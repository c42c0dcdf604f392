// The points for two GPUs, with the half that each computes.

import { accelerations, gravity } from 'manybody'
import { numbers } from '../../support/numbers.ts'

export const law = gravity({ softening: 0.05 })
export const workload = accelerations(law)

export type Points = Readonly<Record<'position' | 'mass', Float32Array>>

export const pointsOf = (count: number): Points => ({
  position: numbers(3 * count, 1),
  mass: new Float32Array(count).fill(1 / count),
})

export function halvesOf({ position, mass }: Points): readonly [Points, Points] {
  const first = Math.ceil(mass.length / 2)
  const part = (begin: number, end: number): Points => ({
    position: position.slice(3 * begin, 3 * end),
    mass: mass.slice(begin, end),
  })
  return [part(0, first), part(first, mass.length)]
}
