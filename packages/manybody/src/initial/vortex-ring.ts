/**
 * A vortex ring as vortex particles, for the law `biotSavart`.
 *
 * @module
 */
import { finite, onlyNamed, positive, whole } from '@manybody/core/backend'
import { arrayFor, filled } from './points.ts'

/**
 * A ring in the plane `z = height`, which moves along +z for positive circulation: `position` `[count, 3]`, and the strengths `wx`, `wy`,
 * `wz` `[count]`, which `biotSavart` reads. Two rings one above the other leapfrog.
 *
 * @source P. G. Saffman, Vortex Dynamics, Cambridge 1992, chapter 10
 */
export function vortexRing(options: {
  readonly count: number
  readonly circulation: number
  readonly radius?: number
  readonly height?: number
}): Readonly<Record<'position' | 'wx' | 'wy' | 'wz', Float64Array>> {
  const known = ['count', 'circulation', 'radius', 'height']
  const { count, circulation, radius = 1, height = 0 } = onlyNamed(options, 'option of vortexRing', known)
  whole(count, 'count', 3)
  finite(circulation, 'circulation')
  positive(radius, 'radius')
  finite(height, 'height')
  const length = (2 * Math.PI * radius) / count
  const angle = (n: number) => (2 * Math.PI * n) / count
  const position = arrayFor(count, 3)
  const each = (of: (n: number) => number) => filled(arrayFor(count, 1), of)
  for (let n = 0; n < count; n++)
    position.set([radius * Math.cos(angle(n)), radius * Math.sin(angle(n)), height], 3 * n)
  return {
    position,
    wx: each((n) => -circulation * length * Math.sin(angle(n))),
    wy: each((n) => circulation * length * Math.cos(angle(n))),
    wz: each(() => 0),
  }
}
