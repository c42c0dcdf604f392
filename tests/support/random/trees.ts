// Random sums with a tolerance, over sets of points of all kinds. The laws are sums of products, so that far sources can be added up. A
// seed always gives the same problem.

import {
  type Device,
  type Dimension,
  energy,
  forces,
  type PairWorkload,
  type Particles,
  pairForce,
  pairPotential,
  pairTerm,
  potentials,
  sum,
  type TreeSetting,
  tree,
  virial,
} from '@manybody/core'
import { bind, deviceNumbers, truthOf } from '@manybody/core/judge'
import { perTarget } from '../../../packages/core/src/problem/workloads/pair.ts'
import { Dice } from './dice.ts'

/** Factors of the source alone, and of the pair. */
const ofSource = ['q_j', 'p_j', 'q_j^2', 'exp(-p_j)', 'q_j*p_j', 'sqrt(q_j)', '1', 'abs(p_j)']
const ofPair = [
  ...[
    '1/sqrt(r2 + 0.01)',
    '1/(0.1 + r2)',
    'log(0.1 + r2)',
    'exp(-2*r)',
    'r',
    'r2',
    'tanh(r)',
    'cos(r)',
    'erfc(r)',
    'p_i*r',
  ],
  ...['q_i/(0.2 + r)^3', 'min(r, 0.4)', '1/r'],
]

/** Points without structure, in two dense clusters, on a line, in a few places, or with one far away. */
function placed(dice: Dice, count: number, dimension: number): Float64Array {
  const plain = dice.array(count * dimension, -1, 1)
  const kind = dice.pick(['plain', 'plain', 'clusters', 'line', 'places', 'outlier'])
  return plain.map((x, n) => {
    const [point, axis] = [Math.floor(n / dimension), n % dimension]
    if (kind === 'clusters') return (point % 2 ? 1 : -1) + 0.02 * x
    if (kind === 'line') return axis === 0 ? x : 0.3
    if (kind === 'places') return ((point * (axis + 3)) % 7) / 7
    if (kind === 'outlier') return point === 0 ? 1000 : x
    return x
  })
}

export interface TreeProblem {
  readonly workload: PairWorkload
  readonly particles: Particles
  readonly tolerance: number
}

const setsOf = (dice: Dice, dimension: Dimension): Particles => {
  const set = (count: number) => ({
    position: placed(dice, count, dimension),
    dimension,
    q: dice.array(count, 0.5, 2),
    p: dice.array(count, -1, 1),
  })
  return dice.chance(0.3) ? { targets: set(700), sources: set(3000) } : set(dice.pick([40, 1500, 2000, 2500]))
}

export function treeProblem(seed: number): TreeProblem {
  const dice = new Dice(7000 + seed)
  const dimension = dice.pick([2, 3] as const)
  const product = () => `${dice.pick(ofSource)}*${dice.pick(ofPair)}`
  const text = dice.list(dice.whole(1, 2), product).join(dice.pick([' + ', ' - ']))
  const symmetric = `${dice.pick(['q_i*q_j', 'p_i*p_j', '(q_i*p_j + p_i*q_j)'])}*${dice.pick(ofPair.filter((e) => !e.includes('_')))}`
  const tolerance = 10 ** dice.uniform(-2.5, -1)
  const particles = setsOf(dice, dimension)
  const exclusions = dice.chance(0.3) ? excludedFrom(dice, particles) : undefined
  const self = dice.pick(['exclude', 'include'] as const)
  const options = { method: tree({ tolerance }), self, ...(exclusions && { exclusions }) }
  const law = pairPotential(symmetric)()
  const workload = dice.pick([
    () => sum(pairTerm(text)(), options),
    () => sum(pairTerm({ a: text, b: `${product()}*dx` })(), options),
    () => forces(law, options),
    () => forces(pairForce(text)(), options),
    () => potentials(law, options),
    () => energy(law, options),
    () => virial(law, options),
  ])()
  return { workload, particles, tolerance }
}

/** Pairs of points that are near or far in the order. */
function excludedFrom(dice: Dice, particles: Particles): readonly (readonly [number, number])[] {
  const counted = (set: unknown) => {
    const { position, dimension } = set as { readonly position: Float64Array; readonly dimension: number }
    return position.length / dimension
  }
  const two = 'targets' in particles ? particles : undefined
  const [targets, sources] = two
    ? [counted(two.targets), counted(two.sources)]
    : [counted(particles), counted(particles)]
  return Array.from({ length: 200 }, () => {
    const target = dice.whole(0, targets - 1)
    return [target, dice.chance(0.5) ? dice.whole(0, sources - 1) : (target + dice.whole(1, 5)) % sources] as const
  })
}

/** The errors of a hundred targets, or of all, in one run at a setting; ascending, relative to the sizes of terms. */
export async function errorsAt(device: Device, problem: TreeProblem, setting: TreeSetting) {
  const { workload } = problem
  const particles = rounded(problem.particles)
  const { method: _, ...exact } = perTarget(workload)
  const { shape, bindings } = deviceNumbers(bind(exact as PairWorkload, particles), device.info.precision)
  const program = await device.prepare(exact as PairWorkload, shape)
  const found = await (await program.tree?.())?.run(bindings, setting)
  const { evaluated, interactions } = program.report
  program.dispose()
  if (!found) return undefined
  const step = Math.ceil(shape.targets / 100)
  const compared = Array.from({ length: Math.ceil(shape.targets / step) }, (_, n) => n * step)
  const truth = bind(exact as PairWorkload, particles)
  const options = { precision: 'f64', targets: compared } as const
  const { results, scales } = truthOf(exact as PairWorkload, truth.shape, truth.bindings, options)
  const [[name, expected]] = Object.entries(results) as [[string, Float64Array]]
  const got = found[name] as Float64Array
  const width = expected.length / compared.length
  const errors = Float64Array.from(compared, (target, row) => {
    const apart = Array.from(
      { length: width },
      (_, n) => (got[target * width + n] as number) - (expected[row * width + n] as number),
    )
    return Math.hypot(...apart) / ((scales[name]?.[row] as number) || 1)
  })
  return { errors: errors.sort(), share: evaluated / interactions }
}

/** The same points with numbers that float32 represents exactly, so that every device sees the same distances. */
function rounded(particles: Particles): Particles {
  const entries = Object.entries(particles).map(([name, value]) => {
    if (ArrayBuffer.isView(value)) return [name, Float32Array.from(value as Float64Array)]
    return [name, typeof value === 'object' ? rounded(value as Particles) : value]
  })
  return Object.fromEntries(entries)
}

const settings = [{ proxies: 'simplex', opening: 0.6 } as const, { proxies: 3, opening: 0.8 } as const]

export interface ComparedTrees {
  /** The fault of the device's tree, if any. */
  readonly fault?: string
  /** The share of all pairs that it computed. */
  readonly share: number
}

/** Compares the tree of a device for a random problem with another device's tree at the same setting. */
export async function comparedTrees(device: Device, other: Device, seed: number): Promise<ComparedTrees> {
  const [problem, setting] = [treeProblem(seed), settings[seed % 2] as TreeSetting]
  const [ours, theirs] = [await errorsAt(device, problem, setting), await errorsAt(other, problem, setting)]
  if (!ours || !theirs) return { fault: 'there is no tree', share: 1 }
  const [largest, most] = [ours, theirs].map(({ errors }) => errors.at(-1) as number) as [number, number]
  const { share } = ours
  // The two trees have different nodes. Float32 rounds weights that cancel, and the places of proxies if one point is far away.
  if (largest < 4 * most + 1e-4) return { share }
  return { fault: `off by ${largest.toExponential(1)}, and ${other.info.backend} by ${most.toExponential(1)}`, share }
}
