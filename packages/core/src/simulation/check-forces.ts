/**
 * Finds the arrays that forces read, and checks that the points have them: attributes, linked points, a mass to divide by.
 *
 * @module
 */
import type { Bindings } from '../ground/arrays/bindings.ts'
import { Remembered } from '../ground/remember.ts'
import { toText } from '../language/infix.ts'
import { constant } from '../language/nodes.ts'
import { substitute } from '../language/simplify.ts'
import { vectorsOf } from '../problem/interactions/vectors.ts'
import { mapComponents } from '../problem/workloads/bodies/map-components.ts'
import { boundPairs } from '../problem/workloads/bound-pairs.ts'
import type { ComponentOf } from '../problem/workloads/components.ts'
import { cutoffOfPairs } from '../problem/workloads/cutoff.ts'
import { requireBox } from '../problem/workloads/domain.ts'
import type { NamedArrays } from '../problem/workloads/map-set.ts'
import { map } from '../problem/workloads/particle.ts'
import type { CheckedSet } from '../problem/workloads/particles.ts'
import { attributesRead } from '../problem/workloads/quantity.ts'
import { requireKinds } from '../problem/workloads/tables/kinds.ts'
import type { Dimension, PairWorkload, Shape } from '../problem/workloads/workload.ts'
import { lengthsOf, type PointArrays } from './arrays.ts'
import type { Angular } from './forces/angles.ts'
import { atTime, atZero } from './forces/at-time.ts'
import { cancelled } from './forces/cancelled.ts'
import { componentsRead, readsVelocities } from './forces/components.ts'
import { arraysOf } from './forces/curve-calls.ts'
import { membersOf, requirePoints } from './forces/ends.ts'
import { componentsOfForce } from './forces/external-expressions.ts'
import type { ExternalForce } from './forces/external-force.ts'
import type { ForceParts, PairPart, PointCall } from './forces/force.ts'
import { externalOutputs } from './forces/force-stages.ts'
import { requireNamed } from './require-named.ts'

/** The inputs of a sum over pairs, whatever their numbers are. */
export interface PairReads {
  readonly components: ReadonlyMap<string, ComponentOf>
  readonly shape: Shape
  readonly parameters: Bindings['parameters']
}

/** The attributes that laws of pairs read as vectors of any length. */
export const longVectors = ({ sums, bonds, unused }: ForceParts): readonly string[] =>
  [...[...sums, ...bonds].map(({ workload }) => workload.law), ...unused].flatMap(
    (law) => vectorsOf(law)?.groups.flat() ?? [],
  )

const limited = new Remembered<ForceParts, boolean>()

/** Whether forces refuse some numbers of attributes beside those of the masses: kinds of tables, and sizes in the cutoffs of pairs. */
export const limitsAttributes = (parts: ForceParts): boolean =>
  limited.of(
    parts,
    () =>
      longVectors(parts).length > 0 ||
      parts.sums.some(({ workload }) => workload.law.tables || cutoffOfPairs(workload)) ||
      parts.calls.some(({ kind }) => kind !== undefined),
  )

/** The inputs of each law of pairs. @throws TypeError, RangeError if the points lack an input of some force */
export function readsOf(set: CheckedSet, parts: ForceParts, firstOrder: boolean): ReadonlyMap<PairPart, PairReads> {
  const { sums, bonds, angular } = parts
  const { arrays, dimension, count } = set
  for (const links of [...bonds.map((part) => part.bonds), ...angular]) requirePoints(links, count)
  for (const links of angular) requireSpace(links, dimension)
  const strange = firstOrder && [...sums, ...bonds].find(({ workload }) => readsVelocities(workload, arrays, dimension))
  if (strange)
    throw new TypeError(
      `"${strange.workload.law.name}" reads velocities, which in first-order motion the forces give; use an integrator of second order`,
    )
  const reads = readsOfNumbers(set, parts)
  requireNames(set, parts)
  return reads
}

/** The same for points that have all arrays of those that were checked before: only their numbers may be wrong. @throws TypeError, RangeError */
export function readsOfNumbers(set: CheckedSet, parts: ForceParts): ReadonlyMap<PairPart, PairReads> {
  const { arrays, dimension, count } = set
  requireMasses(set, parts)
  const reads = new Map<PairPart, PairReads>()
  for (const part of [...parts.sums, ...parts.bonds]) {
    const { workload } = part
    const components = componentsRead(workload, arrays, dimension)
    const some = Object.fromEntries([...components.keys()].map((name) => [name, new Float32Array(count)]))
    // The masses are checked where they divide, and a cutoff may read them.
    const { inertia } = workload.law
    const sloped = Object.fromEntries(parts.slopes.map(({ array }) => [array, new Float32Array(count)]))
    const ones = inertia !== undefined && arrays[inertia] && { [inertia]: arrays[inertia].map((mass) => mass || 1) }
    const { shape, bindings } = boundPairs(workload, { ...set, arrays: { ...arrays, ...some, ...sloped, ...ones } })
    reads.set(part, { components, shape, parameters: bindings.parameters })
  }
  for (const call of parts.calls) requireKindsOf(call, (parts.external[call.force] as ExternalForce).name, set)
  return reads
}

/** Checks that the points have all names that external forces read. @throws TypeError, RangeError */
function requireNames(set: CheckedSet, { external, calls }: ForceParts): void {
  const { arrays, dimension } = set
  const names = Object.keys(arrays)
  const vectors = vectorsIn(set)
  const long = lengthsOf({ arrays: arrays as PointArrays, dimension })
  const known = [...names.filter((name) => !Object.hasOwn(long, name)), ...calls.flatMap(arraysOf)]
  for (const call of calls)
    requireArgument(call, external[call.force] as ExternalForce, { names: known, vectors, dimension, long })
  for (const force of external) {
    if (names.includes('time'))
      throw new TypeError(`"time" is the time of the simulation in ${force.name}; rename the attribute`)
    requireNamed(map(externalOutputs(force, { dimension, vectors })), { names: known, vectors, dimension, long })
  }
}

const vectorsIn = ({ arrays, count, dimension }: CheckedSet): readonly string[] =>
  Object.keys(arrays).filter((name) => arrays[name]?.length === count * dimension)

/** @throws TypeError, RangeError if the argument of a tabulated function is no number of a point */
function requireArgument({ argument }: PointCall, { name: law, parameters }: ExternalForce, points: NamedArrays): void {
  const values = Object.entries(parameters).map(([name, value]) => [name, constant(value)] as const)
  const workload = map({ argument: toText(atTime(substitute(argument, Object.fromEntries(values)), atZero)) })
  requireNamed(workload, points)
  const components = mapComponents(workload, points).get('argument') ?? []
  if (components.length !== 1)
    throw new TypeError(
      `"${law}" expected numbers as arguments of tabulated functions, got the vector ${toText(argument)}; write a component, such as velocity_x`,
    )
}

/** Checks the attribute that tells the function of each point. @throws TypeError, RangeError */
function requireKindsOf({ kind, curves }: PointCall, law: string, set: CheckedSet): void {
  if (kind === undefined) return
  const kinds = set.arrays[kind]
  if (kinds === undefined)
    throw new TypeError(
      `"${kind}" expected an attribute of the particles, because ${law} reads a function for each, got nothing`,
    )
  if (kinds.length !== set.count)
    throw new TypeError(
      `"${kind}" expected one number per point, because ${law} reads a function for each, got the vector ${kind}; give an attribute with the kind of each point`,
    )
  const count = (curves as readonly unknown[]).length
  requireKinds([{ attribute: kind, side: 'i', table: law, count, along: 'functions' }], 'i', set, set.prefix)
}

/** @throws RangeError for a box of another dimension, for angles on a line, or for dihedrals in a plane */
function requireSpace(links: Angular, dimension: Dimension): void {
  requireBox(links.boundary, dimension)
  if (dimension === 1)
    throw new RangeError(`"angles" of ${links.law.name} expected points in 2-D or 3-D, got 1-D, where no angle turns`)
  if ('dihedrals' in links && dimension !== 3)
    throw new RangeError(
      `"dihedrals" of ${links.law.name} expected points in 3-D, got ${dimension}-D, where no angle turns`,
    )
}

/** Each point needs a mass if a force on it is divided by the mass. @throws TypeError, RangeError */
export function requireMasses(set: CheckedSet, { pairs, bonds, angular, external, inertia }: ForceParts): void {
  const { arrays, dimension } = set
  if (inertia === undefined) return
  const masses = arrays[inertia]
  if (masses === undefined && external.length + angular.length > 0)
    throw new TypeError(`"${inertia}" expected an attribute of the particles, as it divides the forces, got nothing`)
  if (masses === undefined) return
  const negative = masses.findIndex((m) => m < 0)
  if (negative >= 0)
    throw new RangeError(`"${inertia}" expected numbers >= 0, got ${masses[negative]} at index ${negative}`)
  if (!masses.includes(0)) return
  const require = (law: string, points?: Iterable<number>) => {
    const at = points === undefined ? masses.indexOf(0) : ([...points].find((point) => masses[point] === 0) ?? -1)
    if (at >= 0)
      throw new RangeError(
        `"${inertia}" expected numbers other than 0, as acceleration is force divided by it, got 0 at index ${at}, where "${law}" acts; give the point a mass, or the law a factor of ${inertia}, which cancels`,
      )
  }
  for (const { workload } of pairs) if (divides(workload, inertia, dimension)) require(workload.law.name)
  for (const { workload, bonds: links } of bonds)
    if (divides(workload, inertia, dimension)) require(workload.law.name, membersOf(links).flat())
  for (const links of angular) require(links.law.name, membersOf(links).flat())
  const space = { dimension, vectors: vectorsIn(set) }
  for (const force of external)
    if (!componentsOfForce(force, space).every((e) => cancelled(e, inertia))) require(force.name)
}

/** Whether the acceleration of a point depends on its mass. */
const divides = (workload: PairWorkload, inertia: string, dimension: Dimension): boolean =>
  workload.quantity === 'acceleration' && attributesRead(workload, dimension).targets.includes(inertia)
