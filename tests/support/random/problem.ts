// Random problems: laws of random expressions in random workloads over random points. A seed gives the same problem in every environment.

import {
  accelerations,
  cellIndex,
  countWithin,
  type Dimension,
  type DomainOptions,
  energy,
  externalPotential,
  type Force,
  forces,
  type GridOptions,
  type Interaction,
  type LawOptions,
  langevin,
  map,
  matrix,
  nearest,
  type Particles,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  type Range,
  reduce,
  type Shape,
  type SimulationOptions,
  stencil,
  sum,
  virial,
  type Workload,
} from '@manybody/core'
import type { BlockRanges } from '@manybody/core/judge'
import * as integrators from '../../../packages/core/src/simulation/integrators.ts'
import { firstOrderRungeKutta4 } from '../../../packages/core/src/simulation/runge-kutta.ts'
import { Dice } from './dice.ts'
import { expression, smooth } from './expressions.ts'
import { rungeKutta } from './runge-kutta.ts'

export interface RandomProblem {
  readonly workload: Workload
  readonly particles: Particles
  /** Ranges to run one after the other; undefined runs everything at once. */
  readonly targets?: readonly Range[]
  readonly sources?: readonly Range[]
}

const smallCounts: readonly number[] = [1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 64, 65, 100, 129, 200, 256, 257, 300]
/** Counts for fast devices, just below and above the sizes at which plans change. */
export const largeCounts: readonly number[] = [1000, 4096, 8191, 8193, 16384, 16500, 20481, 33000]
const attributes = ['a', 'b', 'c'] as const

/**
 * Tables for a third of all problems: a symmetric one, one that is not, a list, and a tabulated function. They have their own dice, so that the rest of each
 * problem stays the same.
 */
class RandomTables {
  readonly options: Pick<LawOptions, 'tables' | 'functions'>
  /** The expressions that read the tables. */
  readonly names: readonly string[]
  readonly #dice: Dice
  readonly #count: number

  constructor(seed: number, symmetric = false) {
    const dice = new Dice(seed + 1_000_000)
    const some = dice.chance(1 / 3)
    const count = dice.pick([1, 2, 3, 4, 27, 70])
    this.#dice = dice
    this.#count = some ? count : 0
    const row = () => dice.list(count, () => dice.uniform(-1.5, 1.5))
    const square = dice.list(count, row)
    const even = square.map((list, n) => list.map((_, m) => square[Math.min(n, m)]?.[Math.max(n, m)] as number))
    const both = { even, ...(symmetric ? {} : { odd: dice.list(count, row), own: row() }) }
    const curve = {
      from: 0.1,
      to: 2.5,
      values: dice.list(dice.pick([2, 3, 9]), () => dice.uniform(-1, 1)),
      outside: 'edge',
    } as const
    this.options = some ? { tables: both, ...(symmetric ? {} : { functions: { curve } }) } : {}
    const own = symmetric
      ? []
      : ['curve(r)', 'odd[kind_i, kind_j]', 'odd[kind_j, kind_i]', 'own[kind_i]', 'own[kind_j]']
    this.names = some ? ['even[kind_i, kind_j]', ...own] : []
  }

  /** Kinds of points. They are whole numbers in float32, because rounding of the input leaves those alone. */
  kinds(points: number): { readonly kind?: Float32Array } {
    if (this.#count === 0) return {}
    return { kind: Float32Array.from({ length: points }, () => this.#dice.whole(0, this.#count - 1)) }
  }
}

/** Attributes of random problems are at most this. */
const mostOfAttribute = 1.5

/** Whether the points of a problem are on a line: one in eight. */
export const isOnLine = (seed: number): boolean => seed % 8 === 5

/** The dice of problems on a line fall as those of the others. */
function dimensionOf(dice: Dice, seed: number): Dimension {
  const others = dice.chance(0.7) ? 3 : 2
  return isOnLine(seed) ? 1 : others
}

export function randomProblem(seed: number, counts: readonly number[] = smallCounts): RandomProblem {
  const dice = new Dice(seed)
  const dimension = dimensionOf(dice, seed)
  const names = attributes.slice(0, dice.whole(0, 3))
  const tables = new RandomTables(seed)
  const set = (count = dice.chance(0.04) ? 0 : dice.pick(counts)) => ({
    dimension,
    position: dice.array(dimension * count, -1, 1),
    velocity: dice.array(dimension * count, -1, 1),
    ...Object.fromEntries(names.map((name) => [name, dice.array(count, 0.2, mostOfAttribute)])),
    ...tables.kinds(count),
  })
  const kind = dice.whole(0, 8)
  if (kind === 0) return { workload: randomMap(dice, dimension, names), particles: set() }
  if (kind === 1) {
    const grid = randomGrid(dice, dimension)
    const cells = grid.cells.reduce((product, n) => product * n, 1)
    return { workload: randomStencil(dice, grid), particles: { field: dice.array(cells, -1, 1) } }
  }
  if (kind === 2) return { workload: cellIndex(randomGrid(dice, dimension)), particles: set() }
  return randomPairs(dice, dimension, names, set, tables)
}

/**
 * A simulation of laws without jumps, because a jump would separate paths that were close. Half of them have one law. The others have a law
 * with bonds and an external force, with fixed points or with noise. Some have first-order motion.
 */
export function randomSimulation(seed: number): SimulationOptions {
  const dice = new Dice(seed)
  const dimension = dimensionOf(dice, seed)
  const count = dice.chance(0.1) ? 257 : dice.pick([1, 2, 3, 5, 8, 17, 33, 65])
  const names = attributes.slice(0, dice.whole(1, 3))
  const mixed = names.map((name) => `(${name}_i${dice.pick([' + ', '*'])}${name}_j)`)
  const tables = new RandomTables(seed, true)
  const text = (more: readonly string[]) =>
    expression(dice, ['r2', 'r', ...mixed, 'p', 'q', ...tables.names, ...more], dice.whole(1, 4), smooth)
  const options = { parameters: parameters(dice), ...tables.options, inertia: 'a' }
  const law = dice.chance(0.6)
    ? pairPotential(text([]), options)()
    : pairForce(text(dice.chance(0.5) ? names.map((name) => `${name}_j`) : []), options)()
  const lengths = dice.list(dimension, () => dice.uniform(1.2, 2.5))
  const particles = {
    dimension,
    position: dice.array(dimension * count, -1, 1),
    velocity: dice.array(dimension * count, -1, 1),
    ...Object.fromEntries(names.map((name) => [name, dice.array(count, 0.2, 1.5)])),
    ...tables.kinds(count),
    ...Object.fromEntries(
      ['startX', 'startV', 'sumX', 'sumV'].map((name) => [name, new Float64Array(dimension * count)]),
    ),
  }
  const integrator = dice.pick([...Object.values(integrators), rungeKutta, firstOrderRungeKutta4])
  // Fixed points have no velocity, and in first-order motion the forces set it.
  const { velocity: _, ...resting } = particles
  const dt = (dice.uniform(0.5, 1) * 0.01) / count
  const point = () => dice.whole(0, count - 1)
  const domain = {
    ...(dice.chance(0.3) ? { boundary: periodic(opened(dice, lengths)) } : {}),
    ...(dice.chance(0.2) ? { exclusions: dice.list(3, () => [point(), point()] as const) } : {}),
  }
  const firstOrder = integrator.motion === 'first-order'
  const start = firstOrder ? resting : particles
  if (dice.chance(0.5)) return { law, domain, particles: start, integrator, dt }

  const ofPoint = [...axes(dimension).map((axis) => `position_${axis}`), ...names, 'p', 'q', 'time']
  const external = externalPotential(expression(dice, ofPoint, dice.whole(1, 3), smooth), {
    parameters: parameters(dice),
  })
  const bonded = pairPotential(
    expression(dice, ['r2', 'r', 'p', 'q', ...tables.names], dice.whole(1, 3), smooth),
    options,
  )
  const bonds = count === 1 ? [] : dice.list(dice.whole(1, 3 * count), () => [point(), point()] as const)
  const apart = bonds.filter(([one, other]) => one !== other)
  const parts: readonly Force[] = [
    { law, ...domain, scale: dice.uniform(0.3, 1) },
    ...(dice.chance(0.6) ? [external()] : []),
    ...(apart.length > 0
      ? [{ law: bonded(), bonds: apart, attributes: { p: dice.array(apart.length, 0.3, 1.5) } }]
      : []),
  ]
  const fixed = dice.chance(0.3) ? { particles: resting, fixed: [point()] } : {}
  const noise = { temperature: 0.1, friction: 0.5, seed, inertia: 'a', dimension }
  return {
    forces: parts,
    particles: start,
    integrator: dice.chance(0.3) && !firstOrder ? langevin(noise) : integrator,
    dt,
    ...fixed,
  }
}

const axes = (dimension: number) => ['x', 'y', 'z'].slice(0, dimension)

/** One to three outputs, each an expression or a list of them. */
function outputs(
  dice: Dice,
  whole: readonly string[],
  components: readonly string[],
): Record<string, string | string[]> {
  const output = () =>
    dice.chance(0.3)
      ? dice.list(dice.whole(1, 4), () => expression(dice, components, dice.whole(1, 3)))
      : expression(dice, whole, dice.whole(1, 5))
  return Object.fromEntries(dice.list(dice.whole(1, 3), (n) => [`out${n}`, output()]))
}

const parameters = (dice: Dice) => ({ p: dice.uniform(0.3, 1.5), q: dice.uniform(-1, 1) })

function randomMap(dice: Dice, dimension: number, names: readonly string[]): Workload {
  const components = axes(dimension).flatMap((axis) => [`position_${axis}`, `velocity_${axis}`])
  const whole = dice.chance(0.5) ? ['position', 'velocity'] : components
  return map(outputs(dice, [...whole, ...names, 'p', 'q'], [...components, ...names, 'p', 'q']), parameters(dice))
}

function randomGrid(dice: Dice, dimension: number): GridOptions {
  return {
    cells: dice.list(dimension, () => dice.whole(1, dimension === 3 ? 9 : 30)),
    spacing: dice.list(dimension, () => dice.uniform(0.1, 1)),
    edges: dice.pick(['periodic', 'clamp']),
  }
}

function randomStencil(dice: Dice, grid: GridOptions): Workload {
  const names = ['c', 'p', 'q', ...axes(grid.cells.length).flatMap((axis) => [`${axis}m`, `${axis}p`, `h${axis}`])]
  return stencil(outputs(dice, names, names), grid, parameters(dice))
}

function randomPairs(
  dice: Dice,
  dimension: number,
  names: readonly string[],
  set: () => { readonly position: Float64Array },
  tables: RandomTables,
): RandomProblem {
  const particles: Particles = dice.chance(0.3) ? { targets: set(), sources: set() } : set()
  const points = (one: { readonly position: ArrayLike<number> }) => one.position.length / dimension
  const apart =
    'targets' in particles ? (particles as Record<'targets' | 'sources', ReturnType<typeof set>>) : undefined
  const [targets, sources] = apart
    ? [points(apart.targets), points(apart.sources)]
    : [points(particles as ReturnType<typeof set>), points(particles as ReturnType<typeof set>)]
  const domain = randomDomain(dice, dimension, targets, sources)
  const neighbours = sources - (apart || domain.self === 'include' ? 0 : 1)
  const workload = pairWorkload(dice, dimension, names, domain, neighbours, tables)
  const parted = !'energy virial'.includes(workload.results[0] ?? '')
  return {
    workload,
    particles,
    ...(parted && dice.chance(0.2) ? { targets: randomCuts(dice, targets) } : {}),
    ...(parted && workload.reduction !== 'none' && dice.chance(0.2) ? { sources: randomCuts(dice, sources) } : {}),
  }
}

/** Two to four ranges, one after the other, which together have all points. */
export function randomCuts(dice: Dice, count: number): readonly Range[] {
  const cuts = [0, ...dice.list(dice.whole(1, 3), () => dice.whole(0, count)), count].sort((a, b) => a - b)
  return cuts.slice(1).map((cut, n): Range => [cuts[n] as number, cut])
}

/** The lengths of a box, in some boxes without the length of an axis, which is then open. One axis alone repeats. */
function opened(dice: Dice, lengths: readonly number[]): readonly number[] {
  if (!dice.chance(0.3) || lengths.length === 1) return lengths
  const axis = dice.whole(0, lengths.length - 1)
  return lengths.map((length, n) => (n === axis ? Number.POSITIVE_INFINITY : length))
}

/** A triclinic box with faces that are at least 0.8 of the sides apart. */
const tiltedBox = ([x = 0, y = 0, z]: readonly number[]) =>
  periodic(
    z === undefined
      ? { a: [x, 0], b: [0.3 * x, Math.max(y, x)] }
      : { a: [x, 0, 0], b: [0.3 * x, Math.max(y, x), 0], c: [-0.2 * x, 0.3 * x, Math.max(z, x)] },
  )

/** A domain for points from -1 to 1. */
export function randomDomain(dice: Dice, dimension: number, targets: number, sources: number): DomainOptions {
  const lengths = dice.list(dimension, () => dice.uniform(1.2, 2.5))
  const boxed = dice.chance(0.3)
  const sides = boxed ? opened(dice, lengths) : lengths
  const cutoff = boxed ? 0.47 * Math.min(...sides) : dice.uniform(0.4, 1.5)
  const pair = (): [number, number] => [dice.whole(0, targets - 1), dice.whole(0, sources - 1)]
  const excluding = targets > 0 && sources > 0 && dice.chance(0.2)
  const self = dice.chance(0.3)
  const cut = dice.chance(0.3)
  const tilted =
    cut && boxed && dimension > 1 && !sides.includes(Number.POSITIVE_INFINITY) && (lengths[0] as number) > 1.8
  return {
    ...(self ? { self: 'include' } : {}),
    ...(boxed ? { boundary: tilted ? tiltedBox(sides) : periodic(sides) } : {}),
    ...(cut ? { cutoff: tilted ? 0.8 * cutoff : cutoff } : {}),
    ...(excluding ? { exclusions: dice.list(dice.whole(1, 3 * targets), pair) } : {}),
  }
}

/** The domain, sometimes with a cutoff for each pair, which is at most that of the domain. */
function ownCutoffs(dice: Dice, domain: DomainOptions, [name]: readonly string[]): DomainOptions {
  if (typeof domain.cutoff !== 'number' || name === undefined || dice.chance(0.5)) return domain
  const [a, b] = [`${name}_i`, `${name}_j`]
  const shapes = [`${a} + ${b}`, `2*max(${a}, ${b})`, `2*${a}`, `2*sqrt(${a}*${b})`, `${a} - 0.1*${b}`]
  return { ...domain, cutoff: `${domain.cutoff / (2 * mostOfAttribute)}*(${dice.pick(shapes)})` }
}

function pairWorkload(
  dice: Dice,
  dimension: number,
  names: readonly string[],
  given: DomainOptions,
  neighbours: number,
  tables: RandomTables,
) {
  const domain = ownCutoffs(dice, given, names)
  const [inertia] = names
  const options = { parameters: parameters(dice), ...tables.options, ...(inertia ? { inertia } : {}) }
  const mixed = dice.chance(0.5)
    ? names.map((name) => `(${name}_i${dice.pick([' + ', '*'])}${name}_j)`)
    : names.flatMap((name) => [`${name}_i`, `${name}_j`])
  const radial = ['r2', 'r', ...mixed, 'p', 'q', ...tables.names]
  const directed = [...radial, ...axes(dimension).map((axis) => `d${axis}`)]
  const text = (of = directed) => expression(dice, of, dice.whole(1, 4))
  const laws: Record<'potential' | 'force' | 'term', () => Interaction> = {
    potential: () => pairPotential(text(radial), options)(),
    force: () =>
      dice.chance(0.5)
        ? pairForce(text(), options)()
        : pairForce(
            Object.fromEntries(axes(dimension).map((axis) => [axis, text()])) as { x: string; y: string },
            options,
          )(),
    term: () => pairTerm(text(), options)(),
  }
  /** The domain, sometimes with a switch or a shift. */
  const ended = (law: Interaction): DomainOptions => {
    if (domain.cutoff === undefined || dice.chance(0.6)) return domain
    // A curve has no value at the cutoff that a formula could subtract.
    if (law.kind === 'potential' && !law.functions && dice.chance(0.5)) return { ...domain, shift: true }
    if (typeof domain.cutoff === 'string') return domain
    return { ...domain, switchDistance: domain.cutoff * dice.uniform(0.3, 0.95) }
  }
  const of = <T>(kinds: readonly (keyof typeof laws)[], make: (law: Interaction, domain: DomainOptions) => T): T => {
    const law = laws[dice.pick(kinds)]()
    return make(law, ended(law))
  }
  const components = () => Object.fromEntries(dice.list(dice.whole(2, 5), (n) => [`t${n}`, text()]))
  const { cutoff, ...uncut } = domain
  const choices = [
    () => of(['potential', 'force'], forces),
    () => (inertia ? of(['potential', 'force'], accelerations) : of(['potential'], forces)),
    () => of(['potential'], potentials),
    () => of(['potential'], energy),
    () => of(['potential', 'force'], virial),
    () => of(['term', 'potential'], sum),
    () => sum(pairTerm(components(), options)(), domain),
    () => reduce(dice.pick(['min', 'max', 'logsumexp']), laws.term(), domain),
    () => reduce(dice.pick(['argmin', 'argmax']), laws.term(), domain),
    () =>
      neighbours > 0
        ? nearest(Math.min(neighbours, dice.pick([1, 2, 3, 8, 12, 15, 16])), domain)
        : sum(laws.term(), domain),
    () =>
      dice.chance(0.5)
        ? countWithin(cutoff ?? 0.47 * 1.2, uncut)
        : countWithin(dice.uniform(-1, 1), laws.term(), domain),
    () => matrix(laws.term(), domain),
  ]
  return dice.pick(choices)()
}

/** The seeds for tests: the first `count`, or those in the environment, as in `SEEDS=1000-2000`. */
export function seeds(count: number): readonly number[] {
  const [first, last] = (process.env.SEEDS ?? `1-${count}`).split('-').map(Number)
  if (!Number.isInteger(first) || !Number.isInteger(last))
    throw new RangeError(`"SEEDS" expected two integers, such as 1000-2000, got ${process.env.SEEDS}`)
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n)
}

/** Blocks of targets with random ranges of sources: few or many, some empty, some adjacent, in any order. */
export function randomRanges(dice: Dice, { targets, sources }: Pick<Shape, 'targets' | 'sources'>): BlockRanges {
  const starts = [0]
  const offsets = [0]
  const ends: number[] = []
  const most = dice.pick([1, 8, 40, targets])
  while (starts.at(-1) !== targets) {
    starts.push(Math.min(targets, (starts.at(-1) as number) + dice.whole(0, most)))
    const cuts = dice.list(2 * dice.whole(0, dice.pick([1, 3, 30])), () => dice.whole(0, sources)).sort((a, b) => a - b)
    const ranges = cuts.flatMap((first, n) => (n % 2 === 0 ? [[first, cuts[n + 1] as number] as const] : []))
    if (dice.chance(0.5)) ranges.reverse()
    ends.push(...ranges.flat())
    offsets.push(ends.length / 2)
  }
  return { targets: Uint32Array.from(starts), offsets, sources: Uint32Array.from(ends) }
}
