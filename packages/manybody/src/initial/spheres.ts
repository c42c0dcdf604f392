/**
 * Spheres of equal masses: Plummer's, a uniform one, and a cold one that collapses; and a uniform box.
 *
 * @module
 */
import { finite, onlyNamed, positive, whole } from '@manybody/core/backend'
import { arrayFor, centred, equalPoints, filled, type InitialPoints, requireList } from './points.ts'
import { randomFrom } from './random.ts'

export interface SphereOptions {
  readonly count: number
  /** A whole number from 0 to 2^53 - 1; the same seed gives the same points, and two seeds give unrelated ones. */
  readonly seed: number
  /** Mass of all points together; 1 by default. */
  readonly mass?: number
  /** 1 by default. */
  readonly radius?: number
  /** The gravitational constant, for velocities; 1 by default. */
  readonly G?: number
}

const known = ['count', 'seed', 'mass', 'radius', 'G']

function checked({ count, seed, mass = 1, radius = 1, G = 1 }: SphereOptions): Required<SphereOptions> {
  whole(count, 'count', 0)
  for (const [name, value] of Object.entries({ mass, radius, G })) positive(value, name)
  return { count, seed, mass, radius, G }
}

/** The fraction of a Plummer sphere's mass that is kept. The rest would lie beyond 39 radii. */
const kept = 0.999

/**
 * A Plummer sphere in equilibrium: density `(1 + r^2/a^2)^(-5/2)` with the scale radius a, isotropic velocities, virial ratio 1 within
 * statistics. Its potential energy is `-3 pi G M^2/(32 a)`. The outermost thousandth of the mass is left out.
 *
 * @param options `radius` is a
 * @source S. J. Aarseth, M. Henon and R. Wielen, "A comparison of numerical methods for the study of star cluster dynamics", Astron.
 *   Astrophys. 37 (1974) 183, appendix
 */
export function plummerSphere(options: SphereOptions): InitialPoints {
  const { count, seed, mass, radius, G } = checked(onlyNamed(options, 'option of plummerSphere', known))
  const { uniform, direction } = randomFrom(seed, 'plummerSphere')
  const points = equalPoints(count, mass)
  for (let n = 0; n < count; n++) {
    const r = 1 / Math.sqrt((kept * uniform()) ** (-2 / 3) - 1)
    // The ratio q of speed and escape speed has the density q^2 (1 - q^2)^(7/2), which is below 0.1.
    let q = 0
    do q = uniform()
    while (0.1 * uniform() > q * q * (1 - q * q) ** 3.5)
    const speed = q * Math.sqrt((2 * G * mass) / radius) * (1 + r * r) ** -0.25
    const place = direction().map((x) => radius * r * x)
    points.position.set(place, 3 * n)
    points.velocity.set(
      direction().map((v) => speed * v),
      3 * n,
    )
  }
  return centred(points)
}

/** Points at rest, evenly distributed in a ball. Its potential energy is `-3 G M^2/(5 R)`. */
export function uniformBall(options: SphereOptions): InitialPoints {
  const { count, seed, mass, radius } = checked(onlyNamed(options, 'option of uniformBall', known))
  const { uniform, direction } = randomFrom(seed, 'uniformBall')
  const points = equalPoints(count, mass)
  for (let n = 0; n < count; n++) {
    const r = radius * Math.cbrt(uniform())
    points.position.set(
      direction().map((x) => r * x),
      3 * n,
    )
  }
  return centred(points)
}

/**
 * A ball with little motion, which collapses under gravity and relaxes violently after one free-fall time, `pi sqrt(R^3/(8 G M))`.
 *
 * @param options `virialRatio` is `2 K/|W|`, 0.1 by default; 1 would be near equilibrium
 * @source T. S. van Albada, "Dissipationless galaxy formation and the R to the 1/4-power law", Mon. Not. R. Astron. Soc. 201 (1982) 939
 */
export function coldCollapse(options: SphereOptions & { readonly virialRatio?: number }): InitialPoints {
  const { virialRatio = 0.1, ...sphere } = onlyNamed(options, 'option of coldCollapse', [...known, 'virialRatio'])
  finite(virialRatio, 'virialRatio', 0)
  const { count, seed, mass, radius, G } = checked(sphere)
  const points = uniformBall(sphere)
  const { normal } = randomFrom(seed, 'velocities of coldCollapse')
  const sigma = Math.sqrt((virialRatio * G * mass) / (5 * radius))
  for (let n = 0; n < 3 * count; n++) points.velocity[n] = sigma * normal()
  return centred(points)
}

/**
 * Positions evenly distributed in a box that begins at the origin, `[count, dimension]`.
 *
 * @param options `lengths` has 2 or 3 numbers
 */
export function uniformBox(options: {
  readonly count: number
  readonly seed: number
  readonly lengths: readonly number[]
}): Float64Array {
  const { count, seed, lengths } = onlyNamed(options, 'option of uniformBox', ['count', 'seed', 'lengths'])
  whole(count, 'count', 0)
  requireList(lengths, 'lengths', 'numbers', [2, 3])
  for (const length of lengths) positive(length, 'lengths')
  const { uniform } = randomFrom(seed, 'uniformBox')
  const dimension = lengths.length
  return filled(arrayFor(count, dimension), (n) => (lengths[n % dimension] as number) * uniform())
}
