/**
 * The transforms of spheres, and of functions of the distance in space.
 *
 * @module
 */
import { cosineTail, sineTail } from './fourier-tail.ts'
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
    /** The function times r and a wave with an amplitude `a + b r`. */
    const turned = (a: number, b: number) => (z: number) => {
      const r = reach + z
      return value(r) * r * (a + b * r)
    }
    const [withCosine, withSine] = along ? [turned(s / k, -c), turned(c / k, s)] : [turned(s, 0), turned(c, 0)]
    return (4 * Math.PI * (cosineTail(withCosine, k, which) + sineTail(withSine, k, which))) / k
  },
}
