/**
 * Disks of stars around heavy centres, alone and on the way to an encounter.
 *
 * @module
 */
import { finite, onlyNamed, positive, whole } from '@manybody/core/backend'
import { arrayFor, centred, type InitialPoints, requireList } from './points.ts'
import { randomFrom } from './random.ts'

export interface DiskOptions {
  /** Stars, besides the centre. */
  readonly count: number
  readonly seed: number
  /** Mass of the centre; 1 by default. */
  readonly centralMass?: number
  /** Mass of all stars together; a tenth of the centre by default. */
  readonly diskMass?: number
  /** Outer radius of the stars; 1 by default. They begin at a tenth of it. */
  readonly radius?: number
  /** The gravitational constant; 1 by default. */
  readonly G?: number
}

const known = ['count', 'seed', 'centralMass', 'diskMass', 'radius', 'G']

/**
 * A disk in the xy plane that turns counterclockwise. Point 0 is the centre, and the stars follow on circles. Their surface density falls
 * as `1/r`, and their speed is `sqrt(G M/r)` with the mass M inside. The disk is near equilibrium if it is lighter than the centre and the
 * softening is short.
 */
export function disk(options: DiskOptions): InitialPoints {
  return diskOf(options, 'disk')
}

/** @param purpose the purpose of the random numbers */
function diskOf(options: DiskOptions, purpose: string): InitialPoints {
  const { count, seed, ...rest } = onlyNamed(options, 'option of disk', known)
  const { centralMass = 1, radius = 1, G = 1 } = rest
  whole(count, 'count', 0)
  for (const [name, value] of Object.entries({ centralMass, radius, G })) positive(value, name)
  const diskMass = finite(rest.diskMass ?? 0.1 * centralMass, 'diskMass', 0)
  const { uniform } = randomFrom(seed, purpose)
  const [position, velocity] = [arrayFor(count + 1, 3), arrayFor(count + 1, 3)]
  const mass = arrayFor(count + 1, 1).fill(count > 0 ? diskMass / count : 0)
  mass[0] = centralMass
  for (let n = 1; n <= count; n++) {
    const share = uniform()
    const r = radius * (0.1 + 0.9 * share)
    const angle = 2 * Math.PI * uniform()
    const speed = Math.sqrt((G * (centralMass + diskMass * share)) / r)
    position.set([r * Math.cos(angle), r * Math.sin(angle), 0], 3 * n)
    velocity.set([-speed * Math.sin(angle), speed * Math.cos(angle), 0], 3 * n)
  }
  return centred({ position, velocity, mass })
}

export interface TwoDisksOptions extends DiskOptions {
  /** Initial distance of the centres; 6 radii by default. */
  readonly separation?: number
  /** Least distance of the centres if they were points; one radius by default. */
  readonly pericentre?: number
  /** Each disk is turned about the x axis by this angle from the plane of the orbit, in radians; `[0, pi/3]` by default. */
  readonly inclinations?: readonly [number, number]
}

/**
 * Two equal disks with `count` stars each, which approach each other on a parabola in the xy plane. The points of the first disk come
 * first. The centre of mass rests at the origin.
 *
 * @source A. Toomre and J. Toomre, "Galactic bridges and tails", Astrophys. J. 178 (1972) 623
 */
export function twoDisks(options: TwoDisksOptions): InitialPoints {
  const own = ['separation', 'pericentre', 'inclinations']
  const {
    separation,
    pericentre,
    inclinations = [0, Math.PI / 3],
    ...one
  } = onlyNamed(options, 'option of twoDisks', [...known, ...own])
  requireList(inclinations, 'inclinations', 'angles', [2])
  const { radius = 1, G = 1 } = one
  for (const [name, value] of Object.entries({ radius, G })) positive(value, name)
  const apart = positive(separation ?? 6 * radius, 'separation')
  const least = positive(pericentre ?? radius, 'pericentre')
  if (least > apart) throw new RangeError(`"pericentre" expected at most the separation, ${apart}, got ${least}`)
  const disks = [diskOf(one, 'first of two disks'), diskOf(one, 'second of two disks')] as const
  const total = disks.reduce((sum, { mass }) => mass.reduce((part, m) => part + m, sum), 0)
  const across = Math.sqrt(2 * G * total * least) / apart
  const towards = Math.sqrt(2 * G * total * (apart - least)) / apart
  const placed = disks.map(({ position, velocity, mass }, n) => {
    const side = n === 0 ? -1 : 1
    const angle = finite(inclinations[n], `inclinations[${n}]`)
    const place = turned(position, angle, [(side * apart) / 2, 0, 0])
    return { position: place, velocity: turned(velocity, angle, [(-side * towards) / 2, (side * across) / 2, 0]), mass }
  })
  const together = (name: keyof InitialPoints) => {
    const [first, second] = placed.map((one) => one[name]) as [Float64Array, Float64Array]
    const both = arrayFor(first.length + second.length, 1)
    both.set(first)
    both.set(second, first.length)
    return both
  }
  return centred({ position: together('position'), velocity: together('velocity'), mass: together('mass') })
}

/** Turns vectors about the x axis, then shifts them. */
function turned(vectors: Float64Array, angle: number, shift: readonly [number, number, number]): Float64Array {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const turned = new Float64Array(vectors.length)
  for (let n = 0; n < vectors.length; n += 3) {
    const [x = 0, y = 0, z = 0] = vectors.subarray(n, n + 3)
    turned.set([x + shift[0], cos * y - sin * z + shift[1], sin * y + cos * z + shift[2]], n)
  }
  return turned
}
