/**
 * The transforms of circles, and of functions of the distance in a plane. Their waves are Bessel functions: a factor that does not oscillate
 * times a wave of one frequency, so Fourier integrals sum them.
 *
 * @module
 */
import { besselJ, hankelFactor, type Order } from './bessel.ts'
import { cosineTail, sineTail } from './fourier-tail.ts'
import type { Shells } from './shells.ts'

const orderOf = (along: boolean): Order => (along ? 1 : 0)

export const circles: Shells = {
  size: (r) => 2 * Math.PI * r,
  transform: (k, r, along) => 2 * Math.PI * r * (along ? r : 1) * besselJ(orderOf(along), k * r),
  tail(value, k, { reach, along }, which = 'fine') {
    const order = orderOf(along)
    const [s, c] = [Math.sin(k * reach), Math.cos(k * reach)]
    const factor = new Float64Array(2)
    /** The factor of the wave from the reach on, times the function. @param a, b of its parts */
    const turned = (a: number, b: number) => (z: number) => {
      const r = reach + z
      hankelFactor(order, k * r, factor)
      return value(r) * (along ? r * r : r) * (a * (factor[0] as number) + b * (factor[1] as number))
    }
    return 2 * Math.PI * (cosineTail(turned(c, -s), k, which) - sineTail(turned(s, c), k, which))
  },
}
