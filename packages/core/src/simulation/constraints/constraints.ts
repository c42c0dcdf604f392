/**
 * Constraints as a user gives them, and their form in a snapshot: pairs of points that keep their distances.
 *
 * @module
 */
import { type FloatArray, howMany, onlyNamed, positive, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { domainOf, open } from '../../problem/workloads/define-domain.ts'
import { type Boundary, halfOf, namedBox, requireBox } from '../../problem/workloads/domain.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { PointArrays } from '../arrays.ts'
import { isPairEvent, type SimulationEvent } from '../events/events.ts'
import type { ForceParts } from '../forces/force.ts'
import { nearestNumbers } from '../forces/images.ts'
import { boxOfParts } from '../forces/system-box.ts'
import type { Integrator } from '../integrators.ts'
import { connected, type DistanceConstraint, mostConnected, pointsOf } from './clusters.ts'
import { requireDrifts } from './drifts.ts'

/** Pairs of points that keep their distances, such as bonds to hydrogen atoms and the sides of rigid water. */
export interface ConstraintOptions {
  /**
   * Two points and their distance each. At most three may be connected: a point with one to three others, four points in a row, or a
   * triangle.
   */
  readonly distances: Iterable<DistanceConstraint>
  /** The boundary of the displacements; by default the box of the forces. */
  readonly boundary?: Boundary
}

/** Constraints as a snapshot has them. */
export interface Constraints {
  readonly distances: readonly DistanceConstraint[]
  readonly boundary: Boundary
}

/** The simulation that constraints belong to. */
interface Constrained {
  readonly arrays: PointArrays
  readonly dimension: Dimension
  readonly parts: ForceParts
  readonly integrator: Integrator
  readonly fixed: readonly number[]
  readonly events: readonly SimulationEvent[]
}

/** So far, by their length, may distances be off: the points are then moved. */
const mostOff = 0.1

/** Checks constraints against a simulation. Undefined if there are none. @throws TypeError, RangeError */
export function checkedConstraints(given: unknown, simulation: Constrained): Constraints | undefined {
  if (typeof given !== 'object' || given === null || !('distances' in given))
    throw unexpected('constraints', '{ distances: [[a, b, length], ...] }', given)
  const options = onlyNamed(given as ConstraintOptions, 'part of constraints', ['distances', 'boundary'])
  const { arrays, dimension, parts, integrator, fixed, events } = simulation
  const boundary = options.boundary ? domainOf({ boundary: options.boundary }).boundary : (boxOfParts(parts) ?? open())
  requireBox(boundary, dimension)
  requireOneBox(boundary, boxOfParts(parts))
  const distances = checkedDistances(options.distances, arrays.position.length / dimension, halfOf(boundary))
  if (distances.length === 0) return undefined
  for (const group of connected(distances)) requireSolvable(group)
  requireDrifts(integrator, dimension)
  requireMasses(distances, parts.inertia as string, arrays)
  const constraints = { distances, boundary }
  requireFree(constraints, fixed)
  requireUnresolved(events)
  requireNear(constraints, arrays.position, dimension)
  return constraints
}

/** @throws RangeError for a box other than that of the forces */
function requireOneBox(boundary: Boundary, box: Boundary | undefined): void {
  if (boundary.kind === 'open' || !box || namedBox(boundary) === namedBox(box)) return
  throw new RangeError(
    `"constraints.boundary" expected the box of the forces, ${namedBox(box)}, got ${namedBox(boundary)}; a system has one box`,
  )
}

function checkedDistances(given: unknown, count: number, half: number): readonly DistanceConstraint[] {
  const list = 'constraints.distances'
  if (typeof Object(given)[Symbol.iterator] !== 'function' || typeof given === 'string')
    throw unexpected(list, 'a list of [a, b, length]', given)
  const places = new Map<string, number>()
  return entriesOf(given as Iterable<readonly number[]>, list).map((constraint, n) => {
    const name = `${list}[${n}]`
    if (constraint?.length !== 3)
      throw new TypeError(`"${name}" expected two points and a length, [a, b, length], got ${howMany(constraint)}`)
    const [a, b] = [0, 1].map((k) => whole(constraint[k], `${name}[${k}]`, 0)) as [number, number]
    const length = positive(constraint[2], `${name}[2]`)
    if (Math.max(a, b) >= count)
      throw new RangeError(`"${name}" expected indices of the ${count} points, got ${Math.max(a, b)}`)
    if (a === b) throw new RangeError(`"${name}" expected two points, got point ${a} twice`)
    if (length >= half)
      throw new RangeError(
        `"${name}[2]" expected less than half of the box, ${half}, as the nearest image counts, got ${length}`,
      )
    const pair = `${Math.min(a, b)} ${Math.max(a, b)}`
    const before = places.get(pair)
    if (before !== undefined)
      throw new RangeError(
        `"${name}" expected each pair once, got points ${a} and ${b} again, as in distances[${before}]`,
      )
    places.set(pair, n)
    return [a, b, length] as const
  })
}

/** @throws RangeError for more constraints than a cluster has, and for sides that make no triangle */
function requireSolvable(group: readonly DistanceConstraint[]): void {
  const points = [...new Set(pointsOf(group))]
  if (group.length > mostConnected)
    throw new RangeError(
      `"constraints.distances" expected at most ${mostConnected} constraints that share points, got ${group.length} between points ${short(points)}; hold the others by stiff bonds`,
    )
  if (points.length > group.length) return
  const [least = 0, middle = 0, most = 0] = group.map(([, , length]) => length).sort((a, b) => a - b)
  // A flat triangle has no direction in which its sides could be corrected.
  if (!(most < (1 - flat) * (least + middle)))
    throw new RangeError(
      `"constraints.distances" expected sides of a triangle for points ${short(points)}, got ${least}, ${middle} and ${most}, which do not close; leave out the longest, or hold it by a stiff bond`,
    )
}

const flat = 1e-3

const short = (points: readonly number[]) =>
  points.length > 5 ? `${points.slice(0, 5).join(', ')}, ...` : `${points.slice(0, -1).join(', ')} and ${points.at(-1)}`

/** @throws RangeError for points without a mass */
function requireMasses(distances: readonly DistanceConstraint[], inertia: string, arrays: PointArrays): void {
  const weightless = pointsOf(distances).find((point) => !(Number(arrays[inertia]?.[point]) > 0))
  if (weightless !== undefined)
    throw new RangeError(
      `"${inertia}" expected numbers > 0 for points with constraints, got ${arrays[inertia]?.[weightless]} at index ${weightless}`,
    )
}

/** @throws RangeError for a fixed point with a constraint */
export function requireFree({ distances }: Pick<Constraints, 'distances'>, fixed: readonly number[]): void {
  if (fixed.length === 0) return
  const held = new Set(fixed)
  const both = pointsOf(distances).find((point) => held.has(point))
  if (both !== undefined)
    throw new RangeError(
      `"fixed" expected points without constraints, got point ${both}; hold it by a stiff bond to a fixed point, or leave out its constraints`,
    )
}

/** @throws TypeError for events that change velocities or masses by themselves */
function requireUnresolved(events: readonly SimulationEvent[]): void {
  const n = events.findIndex((event) => isPairEvent(event) && (event.resolve === 'merge' || event.resolve === 'bounce'))
  if (n >= 0)
    throw new TypeError(
      `"events[${n}].resolve" expected nothing or 'remove' beside constraints, got '${events[n]?.resolve}', which knows no constraints`,
    )
}

/** @throws RangeError for points that are far from the distance that they shall keep */
export function requireNear({ distances, boundary }: Constraints, position: FloatArray, dimension: number): void {
  for (const [a, b, length] of distances) {
    const direct = Array.from(
      { length: dimension },
      (_, axis) => (position[b * dimension + axis] as number) - (position[a * dimension + axis] as number),
    )
    const distance = Math.hypot(...nearestNumbers(boundary, direct))
    if (!(Math.abs(distance - length) <= mostOff * length))
      throw new RangeError(
        `"position" expected points ${a} and ${b} at the distance of their constraint, ${length}, or at most a tenth of it off, got ${distance}; place them there`,
      )
  }
}
