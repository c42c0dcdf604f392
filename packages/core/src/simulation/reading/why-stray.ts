/**
 * Why the force or the energy of a point is not finite, in words: which law, which pair, bond, angle or dihedral, and which operation. It is
 * loaded once something is wrong, and evaluates the forces on that one point in float64.
 *
 * @module
 */

import type { Range } from '../../contract/backend.ts'
import { axesOf } from '../../ground/axes.ts'
import { type FloatArray, firstNotFinite } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import { simplify } from '../../language/simplify.ts'
import { energy, map, open, virial } from '../../problem/typed-at-once.ts'
import { bind } from '../../problem/workloads/bind-given.ts'
import { componentIn } from '../../problem/workloads/components.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import { attributesRead } from '../../problem/workloads/quantity.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import { loadOf } from '../../truth/reference/particle-loop.ts'
import { firstStray, short } from '../../truth/reference/strays/first-stray.ts'
import { type NamePair, whyNotFinite } from '../../truth/reference/strays/why-not-finite.ts'
import { vectorsOf } from '../arrays.ts'
import { angleIn, energyIn } from '../forces/angle-law.ts'
import type { Angular } from '../forces/angles.ts'
import { atTime, momentAt } from '../forces/at-time.ts'
import { beyondEnds } from '../forces/beyond-ends.ts'
import { componentsRead } from '../forces/components.ts'
import { withSteps } from '../forces/curve-calls.ts'
import type { Looked } from '../forces/curve-scope.ts'
import { type Links, membersOf } from '../forces/ends.ts'
import { componentsOfForce, energyOfPoint } from '../forces/external-expressions.ts'
import type { ExternalForce } from '../forces/external-force.ts'
import type { ForceParts, PairPart } from '../forces/force.ts'
import { nearestNumbers } from '../forces/images.ts'
import { callsOfLinks } from '../forces/link-calls.ts'
import type { BoundSimulation, SimulationState } from '../state.ts'

type Arrays = Readonly<Record<string, FloatArray>>
type Points = Arrays & { readonly position: FloatArray }

/** The quantities that a simulation computes from its forces. */
export type ForceQuantity = 'force' | 'energy' | 'virial'

/** Where to look. */
export interface Suspect extends BoundSimulation {
  readonly time: number
  readonly point: number
  readonly quantity: ForceQuantity
  readonly precision: Precision
}

/** The reason, as the end of a sentence; undefined if no force explains it. */
export function whyStray(suspect: Suspect): string | undefined {
  const { state, parts, point, quantity } = suspect
  if (firstNotFinite(state.arrays.position) >= 0) return undefined
  const { pairs, bonds, angular, external } = parts
  const about = (name: string, why: string | undefined) => why && `in ${name}, ${why}`
  for (const part of pairs) {
    if (part.embedded && quantity === 'energy') continue
    const why = about(part.law.name, whyPairs(part, suspect))
    if (why) return why
  }
  for (const part of bonds)
    for (const [n, [a, b]] of part.bonds.bonds.entries()) {
      const other = a === point ? b : b === point ? a : undefined
      const why = other === undefined ? undefined : about(part.law.name, whyBond(part, n, other, suspect))
      if (why) return why
    }
  for (const links of angular)
    for (const [n, points] of membersOf(links).entries()) {
      const why = points.includes(point) ? about(links.law.name, whyAngle(links, n, suspect)) : undefined
      if (why) return why
    }
  for (const [n, force] of quantity === 'virial' ? [] : external.entries()) {
    const calls = parts.calls.filter((call) => call.force === n)
    const why = about(force.name, calls.length > 0 ? whyCall(calls, force, suspect) : whyExternal(force, suspect))
    if (why) return why
  }
  return undefined
}

function workloadOf({ law, domain, workload }: PairPart, quantity: ForceQuantity): PairWorkload {
  return quantity === 'force' ? workload : (quantity === 'energy' ? energy : virial)(law, domain)
}

/** The arrays that a law reads, one number per point each. Undefined if one is not finite, because then the law is not to blame. */
function readBy(workload: PairWorkload, { arrays, dimension }: SimulationState): Arrays | undefined {
  const components = [...componentsRead(workload, arrays, dimension)].map(
    ([name, of]) => [name, componentIn(arrays[of.vector] as FloatArray, of, dimension)] as const,
  )
  const all: Arrays = { ...arrays, ...Object.fromEntries(components) }
  const { targets, sources } = attributesRead(workload, dimension)
  const read = ['position', ...targets, ...sources].map((name) => [name, all[name] as FloatArray] as const)
  return read.every(([, array]) => array && firstNotFinite(array) < 0) ? Object.fromEntries(read) : undefined
}

function whyPairs(part: PairPart, { state, point, quantity, precision }: Suspect): string | undefined {
  const workload = workloadOf(part, quantity)
  const arrays = readBy(workload, state)
  if (!arrays) return undefined
  const { dimension, sources } = state
  const acting = sources === undefined ? arrays : pointsOf([0, sources], arrays, dimension)
  if (sources === undefined || point < sources) {
    const bound = bind(workload, { ...(acting as Points), dimension })
    return whyNotFinite(deviceNumbers(bound, precision), { target: point }, precision)
  }
  const own = pointsOf([point, point + 1], arrays, dimension)
  const bound = bind(workload, {
    targets: { ...(own as Points), dimension },
    sources: { ...(acting as Points), dimension },
  })
  const name: NamePair = (_, source) => `points ${point} and ${source}`
  return whyNotFinite(deviceNumbers(bound, precision), { target: 0 }, precision, name)
}

/** The domain and the workload of a part without a box. */
function inOpen({ domain, workload }: PairPart): Pick<PairPart, 'domain' | 'workload'> {
  const boundary = open()
  return { domain: { ...domain, boundary }, workload: { ...workload, domain: { ...workload.domain, boundary } } }
}

function whyBond(part: ForceParts['bonds'][number], n: number, other: number, suspect: Suspect): string | undefined {
  const { state, point, quantity, precision } = suspect
  const { dimension } = state
  const { boundary } = part.bonds
  // The other end is moved to its nearest image.
  const workload = workloadOf({ ...part, ...inOpen(part) }, quantity)
  const arrays = readBy(workload, state)
  if (!arrays) return undefined
  const only = (p: number) => ({ ...(onePointOf(p, arrays, dimension) as Points), dimension })
  const [target, source] = [only(point), only(other)]
  const leg = legOf(other, point, boundary, state)
  const near = { ...source, position: leg.map((along, axis) => along + (target.position[axis] as number)) }
  const bound = bind(workload, { targets: target, sources: near }, numbersOfLink(part.bonds, n))
  const name: NamePair = () => `points ${point} and ${other} of bond ${n}`
  return whyNotFinite(deviceNumbers(bound, precision), { target: 0 }, precision, name)
}

function whyAngle(links: Angular, n: number, { state, quantity, precision }: Suspect): string | undefined {
  const { law, boundary } = links
  const points = membersOf(links)[n] as readonly number[]
  const legs = points.slice(1).map((point, k) => legOf(point, points[k] as number, boundary, state))
  const value = legs.length === 2 ? angleBetween(legs) : dihedralOf(legs)
  const angle = angleIn(law)
  const e = quantity === 'force' ? differentiate(simplify(energyIn(law)), angle) : energyIn(law)
  const numbers = { ...law.parameters, ...numbersOfLink(links, n), [angle]: value }
  const why = strayAmong([e], callsOfLinks(links), numbers, precision)
  const all = `${points.slice(0, -1).join(', ')} and ${points.at(-1)}`
  return (
    why &&
    `the ${legs.length === 2 ? 'angle' : 'dihedral'} of points ${all}, which is ${short(value)}, has no finite value: ${why}`
  )
}

type Legs = readonly (readonly number[])[]

const dot = (u: readonly number[] = [], v: readonly number[] = []) =>
  u.reduce((sum, x, axis) => sum + x * (v[axis] as number), 0)

/** The angle where two legs meet, from one point to the next. */
function angleBetween([u, v]: Legs): number {
  const lengths = Math.sqrt(dot(u, u) * dot(v, v))
  return Math.acos(Math.max(-1, Math.min(1, -dot(u, v) / (lengths || 1))))
}

/** The angle about the second of three legs. */
function dihedralOf([u, v, w]: Legs): number {
  const n = cross(v, w)
  return Math.atan2(Math.sqrt(dot(v, v)) * dot(u, n), dot(cross(u, v), n))
}

const cross = ([a = 0, b = 0, c = 0]: readonly number[] = [], [x = 0, y = 0, z = 0]: readonly number[] = []) => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
]

/** The parameters with values for this link alone. */
const numbersOfLink = ({ attributes }: Links, n: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(attributes).map(([name, list]) => [name, list[n] as number]))

function legOf(to: number, from: number, boundary: Boundary, { arrays, dimension }: SimulationState): number[] {
  const at = (point: number, axis: number) => arrays.position[point * dimension + axis] as number
  return nearestNumbers(
    boundary,
    Array.from({ length: dimension }, (_, axis) => at(to, axis) - at(from, axis)),
  )
}

function whyExternal(force: ExternalForce, { state, time, point, quantity, precision }: Suspect): string | undefined {
  const { dimension } = state
  const vectors = vectorsOf(state.arrays)
  if (quantity === 'energy' && force.kind !== 'external potential') return undefined
  const parts = quantity === 'energy' ? [energyOfPoint(force)] : componentsOfForce(force, { dimension, vectors })
  const workload = map({ part: parts.map((e) => toText(atTime(e, momentAt(time)))) })
  const symbols = symbolsOf(...parts)
  // A map needs an array to know how many points there are.
  const isRead = (name: string) =>
    name === 'position' || symbols.has(name) || axesOf(dimension).some((axis) => symbols.has(`${name}_${axis}`))
  const read = Object.entries(state.arrays).filter(([name]) => isRead(name))
  const arrays = onePointOf(point, Object.fromEntries(read), dimension)
  if (Object.values(arrays).some((array) => firstNotFinite(array) >= 0)) return undefined
  const bound = deviceNumbers(bind(workload, { ...arrays, dimension }), precision)
  const reasons = parts.map((_, component) => whyNotFinite(bound, { target: 0, output: 'part', component }, precision))
  const why = reasons.find((reason) => reason !== undefined)
  return why && `at point ${point}, ${why}`
}

/** The same for a force with tabulated functions, whose stages the host follows for this point. */
function whyCall(calls: readonly Looked[], force: ExternalForce, suspect: Suspect): string | undefined {
  const { state, time, point, quantity, precision } = suspect
  const { arrays, dimension } = state
  if (quantity === 'energy' && force.kind !== 'external potential') return undefined
  const vectors = vectorsOf(arrays)
  const unnamed = () => ({})
  const parts =
    quantity === 'energy' ? [energyOfPoint(force, unnamed)] : componentsOfForce(force, { dimension, vectors }, unnamed)
  const kinds = calls.flatMap(({ kind }) => kind ?? [])
  const own = new Set([...symbolsOf(...parts, ...calls.map(({ argument }) => argument)), ...kinds])
  const given = { ...force.parameters, time }
  const isOfCall = (name: string) => calls.some(({ array }) => name.startsWith(array))
  const read = [...own].filter((name) => !Object.hasOwn(given, name) && !isOfCall(name))
  const numbers = read.map((name) => [name, loadOf(name, {}, { dimension, vectors }, arrays)(point)] as const)
  if (!numbers.every(([, number]) => Number.isFinite(number))) return undefined
  const why = strayAmong(parts, calls, { ...Object.fromEntries(numbers), ...given }, precision)
  return why && `at point ${point}, ${why}`
}

/** The reason why one of some expressions has no finite value. @param numbers those that the arguments of the calls read */
function strayAmong(
  parts: readonly Expr[],
  calls: readonly Looked[],
  numbers: Readonly<Record<string, number>>,
  precision: Precision,
): string | undefined {
  const all = withSteps(calls, numbers)
  const known = calls.map((looked) => ({ looked, argument: looked.argument }))
  const reasons = [...calls.map(({ argument }) => argument), ...parts].map((e) => () => firstStray(e, all, precision))
  for (const reason of [() => beyondEnds(known, all), ...reasons]) {
    const why = reason()
    if (why) return why
  }
  return undefined
}

/** The numbers of one point. */
const onePointOf = (point: number, arrays: Arrays, dimension: number): Arrays =>
  pointsOf([point, point + 1], arrays, dimension)

/** The numbers of some points. */
function pointsOf([first, last]: Range, arrays: Arrays, dimension: number): Arrays {
  const count = (arrays as Points).position.length / dimension
  const numbers = Object.entries(arrays).map(([name, array]) => {
    const width = array.length / count
    return [name, array.slice(first * width, last * width)] as const
  })
  return Object.fromEntries(numbers)
}
