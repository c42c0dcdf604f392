/**
 * Tree sums at a fixed setting, on devices that have trees. Sums of 1 show whether each source counts once, and excluded sources never.
 * Other sums must have the errors that such a setting gives on any tree.
 *
 * @module
 */
import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  forces,
  gravity,
  type PairWorkload,
  type Particles,
  pairPotential,
  pairTerm,
  potentials,
  sum,
  type TreeSetting,
} from '@manybody/core'
import { bind, truthOf } from '@manybody/core/judge'
import { atPrecision } from '../../judging/at-precision.ts'
import { randomOf } from '../../random.ts'
import { type Check, differing, tolerance, unless } from '../check.ts'

const count = 900
const setting: TreeSetting = { proxies: 'simplex', opening: 0.5 }
/** The error of 99 % of the targets at this setting, relative to the summed sizes of a target's terms. */
const most = 3e-2

const logarithmic = pairPotential('-mass_i*mass_j*log(r)', { name: 'logarithmic' })
const one = pairTerm('1', { name: 'one' })()
/** Neighbours in the order, and points that are far apart. */
const exclusions = Array.from({ length: 60 }, (_, n) => [n, n % 2 ? n + 1 : count - 1 - n] as const)
const excluded = (target: number) => exclusions.filter((pair) => pair.includes(target)).length

function setOf(points: number, seed: number): Particles {
  const random = randomOf(seed)
  const [mass, charge] = [random.array(points, 0.5, 1.5), random.array(points, -1, 1)]
  return { position: random.array(3 * points, 0, 1), mass, charge } as Particles
}

/** The results of a tree, and the share of all pairs that it computed; undefined if the device has none for the workload. */
async function approximated(device: Device, workload: PairWorkload, particles: Particles, at = setting) {
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape)
  const results = await (await program.tree?.())?.run(bindings, at)
  const { evaluated, interactions } = program.report
  program.dispose()
  if (!results) return undefined
  return { shape, bindings, sums: Object.values(results)[0] as FloatArray, share: evaluated / interactions }
}

const isTree = (share: number) =>
  unless(share < 1, `a tree expected to compute fewer pairs than all, got ${share} of them`)

const counts = (name: string, workload: PairWorkload, particles: Particles, expected: readonly number[]): Check => ({
  name: `trees: ${name}`,
  async faults(device) {
    const found = await approximated(device, workload, atPrecision(particles, device.info.precision))
    if (!found) return []
    return [...differing('value', found.sums, expected, tolerance[device.info.precision]), ...isTree(found.share)]
  },
})

type Approximated = NonNullable<Awaited<ReturnType<typeof approximated>>>

/** The errors of some targets, relative to the summed sizes of their terms. */
function errorsOf(
  workload: PairWorkload,
  { shape, bindings, sums }: Approximated,
  targets: readonly number[],
): readonly number[] {
  const { results, scales } = truthOf(workload, shape, bindings, { targets })
  const [[result, truth]] = Object.entries(results) as [[string, FloatArray]]
  const width = truth.length / targets.length
  return targets.map((target, row) => {
    const apart = Array.from(
      { length: width },
      (_, n) => Number(sums[target * width + n]) - Number(truth[row * width + n]),
    )
    return Math.hypot(...apart) / Number(scales[result]?.[row])
  })
}

const near = (name: string, workload: PairWorkload, particles: Particles): Check => ({
  name: `trees: ${name}`,
  async faults(device) {
    const found = await approximated(device, workload, atPrecision(particles, device.info.precision))
    if (!found) return []
    const errors = errorsOf(workload, found, [...Array(found.shape.targets).keys()])
    const p99 = errors.toSorted((a, b) => a - b)[Math.ceil(0.99 * errors.length) - 1] as number
    return [
      ...unless(p99 <= most, `expected errors of at most ${most} of 99 % of the targets, got ${p99}`),
      ...isTree(found.share),
    ]
  },
})

/** The number of the point that outweighs all others together. */
const heavy = 5
/** A setting that shows a wrong rule: if the point has the field of its own weight, it gets errors of 1e-3 to 1e-2. */
const fine: TreeSetting = { proxies: 'simplex', opening: 0.3 }

/** The heavy point has no part in its own sum. This sum must be as exact as any other. */
const heaviest = (name: string, workload: PairWorkload, particles: Particles, most: number): Check => ({
  name: `trees: the heaviest point, ${name}`,
  async faults(device) {
    const found = await approximated(device, workload, atPrecision(particles, device.info.precision), fine)
    if (!found) return []
    const [error = Number.NaN] = errorsOf(workload, found, [heavy])
    return [...unless(error <= most, `expected an error of at most ${most}, got ${error}`), ...isTree(found.share)]
  },
})

/** Points with one heavy point in their middle: its weight is `times` as large as all others together. */
function around(dimension: 2 | 3, points: number, weight: string, sign: 'same' | 'both', times: number): Particles {
  const random = randomOf(933)
  const position = random.array(dimension * points, -1, 1)
  for (let axis = 0; axis < dimension; axis++) position[dimension * heavy + axis] = 0.1
  const own = random.array(points, sign === 'both' ? -1.5 : 0.5, 1.5)
  own[heavy] = times * points
  return { position, dimension, [weight]: own } as unknown as Particles
}

const set = setOf(count, 931)
const two = { targets: setOf(300, 932), sources: set } as Particles

export const treeChecks: readonly Check[] = [
  counts(
    'each source counts once, and excluded pairs do not',
    sum(one, { exclusions }),
    set,
    Array.from({ length: count }, (_, target) => count - 1 - excluded(target)),
  ),
  counts(
    'each source of another set counts once',
    sum(one),
    two,
    Array.from({ length: 300 }, () => count),
  ),
  near('accelerations of gravity', accelerations(gravity()), set),
  near('potentials of charges of both signs', potentials(coulomb()), set),
  heaviest('gravity', accelerations(gravity()), around(3, 1500, 'mass', 'same', 1e3), 1e-3),
  heaviest('charges of both signs', forces(coulomb()), around(3, 1500, 'charge', 'both', 1e3), 1e-3),
  heaviest('in a plane', forces(logarithmic()), around(2, 1500, 'mass', 'same', 1e3), 1e-3),
]
