/**
 * The transforms of spheres, and of functions of the distance in space.
 *
 * @module
 */
import { fourierTail } from './fourier-tail.ts'
import type { Shells } from './shells.ts'

export const spheres: Shells = {
  size: (r) => 4 * Math.PI * r * r,
  transform(k, r, along) {
    const x = k * r
    if (!along) return (4 * Math.PI * r * Math.sin(x)) / k
    return (4 * Math.PI * r * (Math.sin(x) / k - r * Math.cos(x))) / k
  },
  tail(value, k, { reach, along }, which = 'fine') {
    const [s, c] = [Math.sin(k * reach), Math.cos(k * reach)]
    const moment = (power: number) => fourierTail((z) => value(reach + z) * (reach + z) ** power, k, which)
    const [sine, cosine] = moment(1)
    const withSine = s * cosine + c * sine
    if (!along) return (4 * Math.PI * withSine) / k
    const [sine2, cosine2] = moment(2)
    return (4 * Math.PI * (withSine / k - (c * cosine2 - s * sine2))) / k
  },
}
