/**
 * Random star clusters after Plummer's model: density `3 M/(4 pi a^3) (1 + r^2/a^2)^(-5/2)`, in equilibrium.
 *
 * Units: G = 1, total mass M = 1, scale radius a = 1.
 *
 * @source S. J. Aarseth, M. Henon, R. Wielen, Astronomy and Astrophysics 37 (1974) 183, appendix
 */

import { randomFrom } from './random.ts'

export type Cluster = {
  /** `[count, 3]` */
  readonly position: Float32Array<ArrayBuffer>
  /** `[count, 3]` */
  readonly velocity: Float32Array<ArrayBuffer>
  /** `[count]`, all equal. */
  readonly mass: Float32Array<ArrayBuffer>
}

export function plummerSphere(count: number, seed: number): Cluster {
  const random = randomFrom(seed)
  const direction = (length: number): number[] => {
    const z = 2 * random() - 1
    const angle = 2 * Math.PI * random()
    const across = Math.sqrt(1 - z * z)
    return [length * across * Math.cos(angle), length * across * Math.sin(angle), length * z]
  }
  const stars = Array.from({ length: count }, () => {
    // The fraction of the mass within r is (1 + 1/r^2)^(-3/2); here it is solved for r.
    const r = 1 / Math.sqrt((1 - random()) ** (-2 / 3) - 1)
    return { position: direction(r), velocity: direction(fractionOfEscape(random) * Math.SQRT2 * (1 + r * r) ** -0.25) }
  })
  return {
    position: Float32Array.from(stars.flatMap((star) => star.position)),
    velocity: Float32Array.from(stars.flatMap((star) => star.velocity)),
    mass: new Float32Array(count).fill(1 / count),
  }
}

/** Speed over escape speed, with density proportional to `q^2 (1 - q^2)^(7/2)`: von Neumann's rejection. */
function fractionOfEscape(random: () => number): number {
  for (;;) {
    const [q, height] = [random(), 0.1 * random()]
    if (height < q * q * (1 - q * q) ** 3.5) return q
  }
}
