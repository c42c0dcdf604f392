/**
 * Points that come and go: the state of a simulation with more points, or with fewer.
 *
 * @module
 */
import type { Stretch } from '../../contract/backend.ts'
import { type FloatArray, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { Remembered } from '../../ground/remember.ts'
import { map } from '../../problem/workloads/particle.ts'
import { countOf, type PointArrays, pointNames, tellsWidths, vectorsOf } from '../arrays.ts'
import { boundWith } from '../bound-simulation.ts'
import { changedArrays, formOf } from '../changed-arrays.ts'
import { limitsAttributes, readsOf, readsOfNumbers, requireMasses } from '../check-forces.ts'
import { requireMassOfNoise } from '../check-integrator.ts'
import type { Constraints } from '../constraints/constraints.ts'
import { listOf } from '../forces/ends.ts'
import { isExternal } from '../forces/external-force.ts'
import { allSums, type Force, type ForceParts, type PairForceOptions, type PairPart } from '../forces/force.ts'
import { passesOf } from '../forces/one-pass.ts'
import { isLinked } from '../forces/other-links.ts'
import { withNumbers } from '../numbers/description.ts'
import type { SimulationNumbers } from '../numbers/numbers.ts'
import { requireNamed } from '../require-named.ts'
import type { BoundSimulation, ClockedState } from '../state.ts'
import { sourcesWithout } from '../test-particles.ts'
import { stretchesBetween } from './population.ts'

/** The state with points behind the others. */
export function withPoints(state: ClockedState, added: PointArrays): ClockedState {
  return { ...state, arrays: changedArrays(state, { added }) }
}

/** The forces without the lists that name points by their indices. */
const unlisted = new Remembered<ForceParts, ForceParts>()

const withoutLists = (parts: ForceParts): ForceParts =>
  unlisted.of(parts, () => {
    const unlistedPart = (part: PairPart): PairPart => {
      const { workload } = part
      return { ...part, workload: { ...workload, domain: { ...workload.domain, exclusions: [] } } }
    }
    const slopes = parts.slopes.map((slope) => ({
      ...slope,
      sums: slope.sums.map((one) => ({ ...one, pair: unlistedPart(one.pair) })),
    }))
    const plain = { ...parts, slopes, pairs: parts.pairs.map(unlistedPart), bonds: [], angular: [] }
    return { ...plain, sums: allSums(plain) }
  })

/** Forces with the latest numbers, by those of the description. */
const latest = new WeakMap<ForceParts, { readonly numbers: SimulationNumbers; readonly parts: ForceParts }>()

/** The forces with the numbers of now, without their lists. Points may come in every frame. */
function unlistedNow(bound: BoundSimulation, numbers: SimulationNumbers): ForceParts {
  const known = latest.get(bound.parts)
  if (known?.numbers === numbers) return known.parts
  const parts = withoutLists(boundWith(bound, withNumbers(bound.state, numbers)).parts)
  latest.set(bound.parts, { numbers, parts })
  return parts
}

/**
 * Checks points by themselves, as those of a new simulation in the box and with the laws of now.
 *
 * @param numbers - Those of now; the description may be of before @throws TypeError, RangeError
 */
export function requireGood(arrays: PointArrays, bound: BoundSimulation, numbers: SimulationNumbers): void {
  const { dimension, integrator } = bound.state
  const count = arrays.position.length / dimension
  const known = tellsWidths(bound.state)
  const vectors = known ? formOf(bound.state).vectors : vectorsOf(arrays)
  const set = { count, dimension, arrays, prefix: '', vectors }
  const parts = unlistedNow(bound, numbers)
  // The first points tell how long vectors are. Later ones have the same names.
  if (!known) readsOf(set, parts, integrator.motion === 'first-order')
  else if (limitsAttributes(parts)) readsOfNumbers(set, parts)
  else requireMasses(set, parts)
  requireMassOfNoise(integrator, arrays, [])
}

/** @throws RangeError for more points than there is room for */
export function requireRoom(state: ClockedState): void {
  const { capacity } = state
  const count = countOf(state)
  if (capacity !== undefined && count > capacity)
    throw new RangeError(
      `"points" expected at most ${capacity} in all, the capacity of the simulation, got ${count}; remove some, or simulate with a larger capacity`,
    )
}

/** Points that stay when others are removed. */
export interface Staying {
  /** The stretches of their old indices. */
  readonly kept: readonly Stretch[]
  /** For each point, its new index, or -1. */
  readonly places: Int32Array
}

/** The points that stay beside others. @param gone ascending */
export function stayingBeside(gone: ArrayLike<number>, count: number): Staying {
  const kept = stretchesBetween(gone, count)
  return { kept, places: placesOf(kept, count) }
}

/** Numbers in a row from 0 on. A copy of them is ten times as fast as a loop. */
let row = new Int32Array(0)

/** Copies of shorter stretches are slower than a loop. */
const shortest = 256

/** The new index of each point, or -1. */
function placesOf(kept: readonly Stretch[], count: number): Int32Array {
  if (row.length < count) {
    row = new Int32Array(Math.max(count, 2 * row.length))
    for (let n = 0; n < row.length; n++) row[n] = n
  }
  const places = new Int32Array(count)
  let [point, gone] = [0, 0]
  for (const [first, last] of kept) {
    for (; point < first; point++) {
      places[point] = -1
      gone++
    }
    if (last - first >= shortest) places.set(row.subarray(first - gone, last - gone), first)
    else for (; point < last; point++) places[point] = point - gone
    point = last
  }
  return places.fill(-1, point)
}

/** The points with these indices, ascending. @throws TypeError, RangeError */
export function listed(which: unknown, count: number): readonly number[] {
  if (typeof Object(which)[Symbol.iterator] !== 'function')
    throw unexpected('points', 'a list of indices, or a condition such as "position_x > 10"', which)
  const given = entriesOf(which as Iterable<number>, 'points')
  for (const point of given)
    if (whole(point, 'points', 0) >= count)
      throw new RangeError(`"points" expected indices of the ${count} points, got ${point}`)
  if (isAscending(given)) return given
  const points = given.sort((a, b) => a - b)
  const twice = points.findIndex((point, n) => point === points[n + 1])
  if (twice >= 0) throw new RangeError(`"points" expected each point once, got point ${points[twice]} twice`)
  return points
}

function isAscending(numbers: readonly number[]): boolean {
  for (let n = 1; n < numbers.length; n++) if (!((numbers[n - 1] as number) < (numbers[n] as number))) return false
  return true
}

/** Whether programs of some forces compute others, which differ in their lists at most: none may end or begin, or part or join passes. */
export const sameForm = (one: ForceParts, other: ForceParts): boolean =>
  one === other || (passesOf(one.pairs) === passesOf(other.pairs) && excludingIn(one) === excludingIn(other))

/** Which sums over pairs have exclusions, as text. */
const excludingIn = ({ pairs }: ForceParts): string =>
  JSON.stringify(pairs.map(({ workload }) => workload.domain.exclusions.length > 0))

/** The arrays of points that a condition names. */
export const arraysIn = (condition: string, { arrays }: ClockedState): readonly string[] =>
  Object.keys(arrays).filter((name) => new RegExp(`\\b${name}(_[xyz])?\\b`).test(condition))

/** The points that meet a condition, ascending. @param read the arrays that it reads, as they are now @throws {@link ExpressionError}, TypeError */
export async function meeting(
  state: ClockedState,
  condition: string,
  read: Readonly<Record<string, FloatArray>>,
): Promise<readonly number[]> {
  const { mapLoop } = await import('../../truth/reference/particle-loop.ts')
  const workload = map({ gone: `select(${condition}, 1, 0)` })
  const points = pointNames(state)
  requireNamed(workload, points)
  const shape = { ...points, targets: countOf(state), sources: 0, sameSet: true }
  const { gone } = mapLoop(workload, shape, read, {})
  return Array.from(gone as ArrayLike<number>).flatMap((is, point) => (is === 0 ? [] : [point]))
}

/** The state without points. @throws RangeError for a bond to a point that goes */
export function withoutPoints(state: ClockedState, { kept, places }: Staying): ClockedState {
  const { fixed, forces, domain, sources, constraints } = state
  const held = fixed?.map((point) => places[point] as number).filter((place) => place >= 0)
  return {
    ...state,
    arrays: changedArrays(state, { kept }),
    ...(held && { fixed: held }),
    ...(sources !== undefined && { sources: sourcesWithout(sources, places) }),
    ...(domain && excludes(domain) && { domain: withoutExclusions(domain, places) }),
    ...(constraints && { constraints: { ...constraints, distances: constraintsWithout(constraints, places) } }),
    ...(forces?.some(isListed) && { forces: forces.map((force, n) => forceWithout(force, n, places)) }),
  }
}

/** Whether a force names points by their indices. */
const isListed = (force: Force) => !isExternal(force) && (isLinked(force) || excludes(force))

const excludes = (domain: object) => 'exclusions' in domain && [...(domain.exclusions as Iterable<unknown>)].length > 0

function forceWithout(force: Force, place: number, places: Int32Array): Force {
  if (isExternal(force)) return force
  if (!isLinked(force)) return withoutExclusions(force as PairForceOptions, places)
  const list = listOf(force)
  const links = (force as unknown as Readonly<Record<string, Iterable<readonly number[]>>>)[list] ?? []
  return { ...force, [list]: linksWithout(links, `forces[${place}].${list}`, places) } as Force
}

function linksWithout<T extends readonly number[]>(links: Iterable<T>, name: string, places: Int32Array): readonly T[] {
  return Array.from(links, (points, n) => {
    const gone = points.find((point) => places[point] === -1)
    if (gone !== undefined)
      throw new RangeError(
        `"${name}[${n}]" expected points that stay, got point ${gone}, which is removed; write("${name}", others) first`,
      )
    return points.map((point) => places[point] as number) as unknown as T
  })
}

function constraintsWithout({ distances }: Constraints, places: Int32Array): Constraints['distances'] {
  return distances.map(([a, b, length]) => {
    const gone = [a, b].find((point) => places[point] === -1)
    if (gone !== undefined)
      throw new RangeError(
        `"points" expected points without constraints, got point ${gone}; simulate the others from a snapshot without its constraints`,
      )
    return [places[a] as number, places[b] as number, length] as const
  })
}

/** A point that is gone is excluded from nothing. */
function withoutExclusions<D extends { readonly exclusions?: Iterable<readonly [number, number]> }>(
  domain: D,
  places: Int32Array,
): D {
  if (!domain.exclusions) return domain
  const exclusions = Array.from(domain.exclusions, ([a, b]) => [places[a] as number, places[b] as number] as const)
  return { ...domain, exclusions: exclusions.filter(([a, b]) => a >= 0 && b >= 0) }
}
