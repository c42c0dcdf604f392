/**
 * The maps of clusters: their legs, the pulls along these that restore their lengths, and the moves that follow for each leg.
 *
 * After a step without constraints, each end of a leg is pulled along the leg as it was before the step, by as much as restores all lengths
 * of the cluster at once. These pulls are the roots of quadratic equations, one for each leg, which Newton's method finds: each round solves
 * at most three linear equations exactly, and doubles the digits. Velocities follow from linear equations, so one round is exact.
 *
 * @source J.-P. Ryckaert et al., J. Comput. Phys. 23 (1977) 327: SHAKE; H. C. Andersen, J. Comput. Phys. 52 (1983) 24: RATTLE;
 *   V. Kräutler et al., J. Comput. Chem. 22 (2001) 501: all constraints of a molecule at once
 * @module
 */
import { axes, axesOf } from '../../ground/axes.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dimension, Gathered, MapWorkload } from '../../problem/workloads/workload.ts'
import { legBetween, sumOver } from '../forces/legs.ts'
import { boxSymbols } from '../numbers/box.ts'
import { type ClusterShape, sharesOf, signAt } from './shapes.ts'

/** The names of the arrays of clusters. Three numbers of a cluster are a vector. */
export const clusterNames = {
  /** Its points in order. */
  member: (place: number): string => `clusterMember${place}`,
  /** The mass of the first point, and that by the mass of each other point. */
  firstMass: 'clusterFirstMass',
  ratios: 'clusterRatios',
  /** The squares of the lengths. */
  squares: 'clusterSquares',
  /** The legs along which points are pulled, and the legs that shall get their lengths. */
  leg: (n: number): string => `clusterLeg${n}`,
  near: (n: number): string => `clusterNear${n}`,
  /** The pull along each leg: the move of the first point by it, in lengths of the leg. */
  pull: 'clusterPull',
  /** The rate by which the ends of each leg part, along the leg. */
  parting: 'clusterParting',
  /** The move of a point of mass 1 at the end of each leg. */
  move: (n: number): string => `clusterMove${n}`,
  virial: 'clusterVirial',
  /** Of points: their cluster, or -1, and their place in it. */
  of: 'clusterOf',
  place: 'clusterPlace',
} as const

/** A map of clusters or of points, the vectors that it reads, and their number of components. */
export interface ClusterMap {
  readonly workload: MapWorkload
  readonly vectors: readonly string[]
  readonly dimension: Dimension
}

const { member, firstMass, ratios, squares, leg, near, pull, parting, move, virial, of, place } = clusterNames

const perLeg = <T>({ legs }: ClusterShape, one: (n: number) => T): readonly T[] => legs.map((_, n) => one(n))

export const perKeptLeg = <T>({ kept }: ClusterShape, one: (n: number) => T): readonly T[] =>
  Array.from({ length: kept }, (_, n) => one(n))

/** A component of a leg, which may lead back over the others. */
const alongLeg = (shape: ClusterShape, from: 'leg' | 'near', n: number, axis: string): string =>
  n < shape.kept
    ? `${clusterNames[from](n)}_${axis}`
    : `(${perKeptLeg(shape, (m) => `-${clusterNames[from](m)}_${axis}`)
        .join(' - ')
        .replaceAll('- -', '- ')})`

/** Three numbers, one for each leg, 0 for those that a cluster lacks. */
const packed = (shape: ClusterShape, one: (n: number) => string, definitions: readonly string[] = []) =>
  axes.map((_, n) => (n < shape.legs.length ? [one(n), ...definitions].join('; ') : '0'))

const component = (vector: string, n: number) => `${vector}_${axes[n]}`

/** Vectors of the maps over clusters alone have three components, in a plane too. */
const alone = 3

/** Vectors of the points, seen from a cluster. */
export const gathered = (array: string, { points }: ClusterShape): Readonly<Record<string, Gathered>> =>
  Object.fromEntries(
    Array.from({ length: points }, (_, n) => [`member${n}_${array}`, { of: array, at: member(n) }] as const),
  )

/** Three components, the last one 0 in a plane. */
export const spatial = (dimension: Dimension, one: (axis: string) => string): readonly string[] =>
  axes.map((axis, n) => (n < dimension ? one(axis) : '0'))

interface Space {
  readonly boundary: Boundary
  readonly dimension: Dimension
}

/** The legs of now, in `leg` or in `near`. Those in `near` are not pulled yet. */
export function legMap(shape: ClusterShape, { boundary, dimension }: Space, into: 'leg' | 'near'): ClusterMap {
  const legs = perKeptLeg(shape, (n) => {
    const definitions = legBetween('along', shape.legs[n] as [number, number], { boundary }, dimension)
    return [clusterNames[into](n), spatial(dimension, (axis) => [`along${axis}`, ...definitions].join('; '))] as const
  })
  const gather = gathered('position', shape)
  const outputs: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(legs),
    ...(into === 'near' && { [pull]: axes.map(() => '0') }),
  }
  const box = Object.fromEntries(boxSymbols(boundary))
  return { workload: gatherMap(outputs, gather, box), vectors: Object.keys(gather), dimension }
}

/** How fast the ends of each leg part: by their velocities, or, for the forces of constraints, by accelerations and turning. */
export function partingMap(
  shape: ClusterShape,
  { boundary, dimension }: Space,
  by: 'velocity' | 'acceleration',
): ClusterMap {
  const gather = { ...gathered('position', shape), ...gathered('velocity', shape), ...gathered(by, shape) }
  const rates = packed(shape, (n) => {
    const [from, to] = shape.legs[n] as readonly [number, number]
    const change = (array: string, axis: string) => `(member${to}_${array}_${axis} - member${from}_${array}_${axis})`
    const turning = by === 'velocity' ? '' : ` + ${sumOver(dimension, (axis) => `${change('velocity', axis)}^2`)}`
    const along = sumOver(dimension, (axis) => `along${axis}*${change(by, axis)}`)
    return [`${along}${turning}`, ...legBetween('along', [from, to], { boundary }, dimension)].join('; ')
  })
  const box = Object.fromEntries(boxSymbols(boundary))
  return { workload: gatherMap({ [parting]: rates }, gather, box), vectors: Object.keys(gather), dimension }
}

/** The change of a leg by a unit of pull along another, in lengths of that; undefined if there is none. */
function effect(shape: ClusterShape, changed: number, pulled: number): string | undefined {
  const ratioOf = (point: number) => (point === 0 ? '1' : component(ratios, point - 1))
  const shares = sharesOf(shape, changed, pulled)
  if (shares.length === 0) return undefined
  return `(${shares.map(({ point, sign }) => `${sign < 0 ? '-' : ''}${ratioOf(point)}`).join(' + ')})`
}

/** The legs with the pulls of now, and how far off the squares of their lengths are. */
function pulledLegs(shape: ClusterShape): readonly string[] {
  return perLeg(shape, (n) => n).flatMap((n) => {
    const moved = (axis: string) =>
      perLeg(shape, (m) => [m, effect(shape, n, m)] as const).flatMap(([m, by]) =>
        by === undefined ? [] : [`${by}*${component(pull, m)}*${alongLeg(shape, 'leg', m, axis)}`],
      )
    return [
      ...axes.map((axis) => `now${n}${axis} = ${[alongLeg(shape, 'near', n, axis), ...moved(axis)].join(' + ')}`),
      `off${n} = ${sumOver(alone, (axis) => `now${n}${axis}^2`)} - ${component(squares, n)}`,
    ]
  })
}

/** How much a pull along each leg changes each leg along a direction: `e00`, `e01` and so on. @param along a component of that direction */
function effects(shape: ClusterShape, along: (n: number, axis: string) => string): readonly string[] {
  return perLeg(shape, (n) => n).flatMap((n) =>
    perLeg(shape, (m) => {
      const by = effect(shape, n, m)
      return `e${n}${m} = ${by ? `${by}*(${sumOver(alone, (axis) => `${along(n, axis)}*${alongLeg(shape, 'leg', m, axis)}`)})` : '0'}`
    }),
  )
}

/** The solution `x0`, `x1`, `x2` of equations with these effects, by Cramer's rule. @param right the right side of one */
function solved({ legs }: ClusterShape, right: (n: number) => string): readonly string[] {
  const b = legs.map((_, n) => `b${n} = ${right(n)}`)
  if (legs.length === 1) return ['x0 = b0/e00', ...b]
  if (legs.length === 2)
    return ['x0 = (b0*e11 - b1*e01)/det', 'x1 = (b1*e00 - b0*e10)/det', 'det = e00*e11 - e01*e10', ...b]
  const minor = (row: number, column: number) => {
    const [r, s] = [0, 1, 2].filter((n) => n !== row)
    const [c, d] = [0, 1, 2].filter((n) => n !== column)
    const size = `(e${r}${c}*e${s}${d} - e${r}${d}*e${s}${c})`
    return (row + column) % 2 === 0 ? size : `(-${size})`
  }
  return [
    ...[0, 1, 2].map((n) => `x${n} = (${[0, 1, 2].map((row) => `b${row}*${minor(row, n)}`).join(' + ')})/det`),
    `det = ${[0, 1, 2].map((n) => `e0${n}*${minor(0, n)}`).join(' + ')}`,
    ...b,
  ]
}

const vectorsOfPulls = (shape: ClusterShape) => [
  ...perKeptLeg(shape, leg),
  ...perKeptLeg(shape, near),
  ...[ratios, squares, pull],
]

/** Maps over clusters alone take a tenth of a second to parse, and depend on their shape and the dimension of the points at most. */
const known = new Remembered<ClusterShape, ClusterMap>()

/** One round of Newton's method for the pulls. */
export const pullMap = (shape: ClusterShape): ClusterMap => known.of(shape, () => newPullMap(shape), 'pull')

function newPullMap(shape: ClusterShape): ClusterMap {
  const definitions = [
    ...solved(shape, (n) => `off${n}/2`),
    ...effects(shape, (n, axis) => `now${n}${axis}`),
    ...pulledLegs(shape),
  ]
  const pulls = packed(shape, (n) => `${component(pull, n)} - x${n}`, definitions)
  return { workload: gatherMap({ [pull]: pulls }, {}), vectors: vectorsOfPulls(shape), dimension: alone }
}

/** The pulls, which are not finite from here on where they leave a length off by more than a tolerance. */
export const checkMap = (shape: ClusterShape, tolerance: number): ClusterMap =>
  known.of(shape, () => newCheckMap(shape, tolerance), `check ${tolerance}`)

function newCheckMap(shape: ClusterShape, tolerance: number): ClusterMap {
  const misses = perLeg(shape, (n) => `abs(off${n})/${component(squares, n)}`)
  const worst = misses.reduce((one, other) => `max(${one}, ${other})`)
  const definitions = [`met = select(${worst} < ${2 * tolerance}, 1, 0)`, ...pulledLegs(shape)]
  const pulls = packed(shape, (n) => `${component(pull, n)}/met`, definitions)
  return { workload: gatherMap({ [pull]: pulls }, {}), vectors: vectorsOfPulls(shape), dimension: alone }
}

/** The moves by the pulls. */
export function moveMap(shape: ClusterShape, dimension: Dimension): ClusterMap {
  const moves = movesBy(shape, dimension, (n) => component(pull, n), [])
  return { workload: gatherMap(moves, {}), vectors: [...perKeptLeg(shape, leg), pull], dimension: alone }
}

/** The moves by these pulls, as outputs. */
const movesBy = (
  shape: ClusterShape,
  dimension: Dimension,
  pullOf: (n: number) => string,
  definitions: readonly string[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    perLeg(shape, (n) => {
      const along = (axis: string) => `${firstMass}*${pullOf(n)}*${alongLeg(shape, 'leg', n, axis)}`
      return [move(n), axesOf(dimension).map((axis) => [along(axis), ...definitions].join('; '))] as const
    }),
  )

const vectorsOfRates = (shape: ClusterShape) => [...perKeptLeg(shape, leg), ratios, parting]

/** The pulls by which the ends of no leg part any more. */
const stopping = (shape: ClusterShape) => [
  ...solved(shape, (n) => component(parting, n)),
  ...effects(shape, (n, axis) => alongLeg(shape, 'leg', n, axis)),
]

/** The moves of velocities that stop the parting. */
export const stopMap = (shape: ClusterShape, dimension: Dimension): ClusterMap =>
  known.of(shape, () => newStopMap(shape, dimension), `stop ${dimension}`)

function newStopMap(shape: ClusterShape, dimension: Dimension): ClusterMap {
  const moves = movesBy(shape, dimension, (n) => `(-x${n})`, stopping(shape))
  return { workload: gatherMap(moves, {}), vectors: vectorsOfRates(shape), dimension: alone }
}

/** The virial of the forces of the constraints. */
export function virialMap(shape: ClusterShape): ClusterMap {
  const sum = perLeg(shape, (n) => `x${n}*(${sumOver(alone, (axis) => `${alongLeg(shape, 'leg', n, axis)}^2`)})`)
  const text = [`-${firstMass}*(${sum.join(' + ')})`, ...stopping(shape)].join('; ')
  return { workload: gatherMap({ [virial]: text }, {}), vectors: vectorsOfRates(shape), dimension: alone }
}

/** The move of each point, by its place in its cluster. @param before the moves by clusters of other shapes @param inertia the masses */
export function shiftMap(
  shape: ClusterShape,
  dimension: Dimension,
  { inertia, before }: { readonly inertia: string; readonly before: string | undefined },
): ClusterMap {
  const gather = Object.fromEntries(perLeg(shape, (n) => [`moved${n}`, { of: move(n), at: of }] as const))
  const moved = (point: number, axis: string) => {
    const terms = shape.legs.flatMap((ends, n) => {
      const sign = signAt(ends, point)
      return sign === 0 ? [] : [`${sign < 0 ? '-' : ''}moved${n}_${axis}`]
    })
    return terms.join(' + ')
  }
  const shift = axesOf(dimension).map((axis) => {
    const places = Array.from({ length: shape.points }, (_, point) => moved(point, axis))
    const own = places.reduceRight((others, one, point) => `select(${place} < ${point + 0.5}, ${one}, ${others})`)
    return `select(${of} < 0, ${before ? `${before}_${axis}` : '0'}, (${own})/${inertia})`
  })
  const vectors = [...Object.keys(gather), ...(before ? [before] : [])]
  return { workload: gatherMap({ shift }, gather), vectors, dimension }
}
