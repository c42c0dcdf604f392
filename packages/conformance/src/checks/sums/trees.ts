/**
 * Sums of a tree at a fixed setting, on devices that have trees. Sums of 1 tell whether each source counts once, and excluded ones never; others
 * have errors that such a setting has on any tree.
 *
 * @module
 */
import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  gravity,
  type PairWorkload,
  type Particles,
  pairTerm,
  potentials,
  sum,
  type TreeSetting,
} from '@manybody/core'
import { bind, truthOf } from '@manybody/core/backend'
import { atPrecision } from '../../judging/at-precision.ts'
import { randomOf } from '../../random.ts'
import { type Check, differing, tolerance, unless } from '../check.ts'

const count = 900
const setting: TreeSetting = { proxies: 'simplex', opening: 0.5 }
/** The error of 99 % of the targets at that setting, relative to the sum of the sizes of a target's terms. */
const most = 3e-2

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
async function approximated(device: Device, workload: PairWorkload, particles: Particles) {
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape)
  const results = await program.tree?.run(bindings, setting)
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

const near = (name: string, workload: PairWorkload, particles: Particles): Check => ({
  name: `trees: ${name}`,
  async faults(device) {
    const found = await approximated(device, workload, atPrecision(particles, device.info.precision))
    if (!found) return []
    const { results, scales } = truthOf(workload, found.shape, found.bindings)
    const [[result, truth]] = Object.entries(results) as [[string, FloatArray]]
    const width = truth.length / found.shape.targets
    const errors = Array.from({ length: found.shape.targets }, (_, target) => {
      const apart = Array.from(
        { length: width },
        (_, n) => Number(found.sums[target * width + n]) - Number(truth[target * width + n]),
      )
      return Math.hypot(...apart) / Number(scales[result]?.[target])
    })
    const p99 = errors.toSorted((a, b) => a - b)[Math.ceil(0.99 * errors.length) - 1] as number
    return [
      ...unless(p99 <= most, `${result} expected errors of at most ${most} of 99 % of the targets, got ${p99}`),
      ...isTree(found.share),
    ]
  },
})

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
]
