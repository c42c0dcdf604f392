/**
 * One evaluation of all forces as stages: data that says which workloads run, in order, and where their results go. Devices
 * see sums over pairs and maps, as in every sequence.
 *
 * The first law of pairs writes into the target array itself. Other laws write into separate arrays, and a map then adds
 * these, adds external forces, and clears the force on fixed points. If there is one law and nothing else, there is no map.
 *
 * @module
 */

import { axes, axesOf } from '../../ground/axes.ts'
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, isConstant, symbol } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { type Unsheared, unsheared } from '../../problem/workloads/cell.ts'
import type { ComponentOf } from '../../problem/workloads/components.ts'
import { map } from '../../problem/workloads/particle.ts'
import { type NumbersByName, ownerOf } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import { angularForces } from './angular-forces.ts'
import { atTime, atZero } from './at-time.ts'
import { endMap } from './bond-stages.ts'
import { cancelled } from './cancelled.ts'
import { imageMaps } from './cell-images.ts'
import { mapAt } from './computed.ts'
import { numbersMap, stepMap } from './curve-calls.ts'
import { componentsOfForce, energyOfPoint } from './external-expressions.ts'
import type { ExternalForce } from './external-force.ts'
import type { ForceParts, PairPart } from './force.ts'
import { angleStages, endStages } from './link-stages.ts'
import { type EvaluationOptions, ownNames, type PlannedStage } from './planned-stage.ts'
import { slopeStages } from './slope-stages.ts'
import { turnedVelocities, turningRate, withoutTurning } from './turning-forces.ts'
import { workNames } from './work-names.ts'

/** A map adds at most this many arrays, because devices bind few to one program. */
const mostAddends = 4

/** The stages that compute the sum of all forces. */
export function forceStages(parts: ForceParts, options: EvaluationOptions): readonly PlannedStage[] {
  const { dimension, target, fixed } = options
  const own = axesOf(dimension)
  const placeOf = (n: number) => (n === 0 ? target : workNames.pull(n))
  const sums = parts.pairs.flatMap((pair, n): readonly PlannedStage[] => {
    const [result = ''] = pair.workload.results
    return [...imageStages(pair, options), { workload: pair.workload, outputs: { [result]: placeOf(n) }, pair }]
  })
  const computed = [
    ...squareStages(parts),
    ...computedStages(parts, options),
    ...callStages(parts, options),
    ...slopeStages(parts, options, (pair) => imageStages(pair, options)),
  ]
  const all = [...parts.pairs, ...parts.bonds, ...parts.angular]
  const count = all.length + parts.external.length
  if (count === 1 && parts.pairs[0]?.scale === 1 && !fixed) return [...computed, ...sums]
  const ends = [
    ...parts.bonds.map(({ bonds, workload }, n) => ({
      links: bonds,
      map: endMap(workload, bonds, { ...options, owner: ownerOf('Bonds', n) }),
    })),
    ...parts.angular.map((links, n) => ({
      links,
      map: angularForces(links, parts.inertia, { ...options, owner: ownerOf('Angular', n) }),
    })),
  ]
  const linked = ends.flatMap((end, n) => endStages(end, workNames.pull(parts.pairs.length + n), options))
  const nameOf = (n: number) => (n < parts.pairs.length ? placeOf(n) : workNames.pull(n))
  const addends = [
    ...all.map(({ scale }, n) => own.map((axis) => productOf([constant(scale), symbol(`${nameOf(n)}_${axis}`)]))),
    ...parts.external.map((force, n) => {
      const part = partOfExternal(force, ownerOf('External', n), parts.inertia, options)
      return options.turned ? withoutTurning(part) : part
    }),
  ]
  const [first] = addends
  // Lists of links may be empty. The target is 0 from the start.
  if (first === undefined) return computed
  const maps: PlannedStage[] = []
  let before: readonly Expr[] = first
  let left = addends.slice(1)
  do {
    const now = left.slice(0, mostAddends - 1)
    left = left.slice(mostAddends - 1)
    const total = own.map((_, axis) => sumOf([before, ...now].map((addend) => addend[axis] as Expr)))
    const kept = fixed && left.length === 0 ? total.map(ofMobile) : total
    const parameters = { ...parametersIn(kept, options.numbers), ...options.time.numbersIn(kept) }
    maps.push({ workload: map({ sum: kept.map(toText) }, parameters), outputs: { sum: target } })
    before = own.map((axis) => symbol(`${target}_${axis}`))
  } while (left.length > 0)
  return [...computed, ...sums, ...angleStages(parts, options), ...linked, ...maps]
}

/** The stages that look up the tabulated functions of external forces. */
export function callStages(
  { calls }: Pick<ForceParts, 'calls'>,
  { time, numbers }: Pick<EvaluationOptions, 'time' | 'numbers'>,
): readonly PlannedStage[] {
  return calls.flatMap((call): readonly PlannedStage[] => {
    const owner = ownerOf('External', call.force)
    const argument = simplify(call.argument)
    const values = symbolsFor(owner, numbers[owner] as NumbersByName, argument)
    const now = atTime(substitute(argument, values), time)
    const parameters = { ...parametersIn([now], numbers), ...time.numbersIn([now]) }
    const [step, numbersOf] = [stepMap(call, now, parameters), numbersMap(call)]
    const ofKinds = call.kind !== undefined && ({ curve: { call, gathers: 'kinds' } } as const)
    return [
      { workload: step, outputs: ownNames(step), ...ofKinds },
      { workload: numbersOf, outputs: ownNames(numbersOf), curve: { call, gathers: 'steps' } },
    ]
  })
}

/** The triclinic box of sums over pairs, if they have one. */
export const squareIn = ({ sums }: Pick<ForceParts, 'sums'>): Unsheared | undefined =>
  sums.map(({ workload }) => unsheared(workload.domain.boundary)).find((square) => square !== undefined)

/** The stage that finds the points in the right-angled box of a triclinic one, where sums over pairs read them. */
export function squareStages(parts: Pick<ForceParts, 'sums'>): readonly PlannedStage[] {
  const rows = squareIn(parts)?.into.map((row) => {
    const parts = row.map((factor, axis) => productOf([constant(factor), symbol(`position_${axes[axis]}`)]))
    return toText(sumOf(parts))
  })
  return rows ? [{ workload: map({ square: rows }), outputs: { square: workNames.square } }] : []
}

/** The stages that copy the sources of a sum over pairs into other cells; none if each source acts through one image. */
export const imageStages = (
  pair: PairPart,
  { dimension, lengths }: Pick<EvaluationOptions, 'dimension' | 'lengths'>,
): readonly PlannedStage[] =>
  imageMaps(pair, dimension, workNames.square, lengths).map(({ workload, into, ...visited }) => {
    return { workload, outputs: { image: into }, images: { pair, ...visited } }
  })

/** The stages that compute attributes of the points as they are. */
export const computedStages = (
  { computed }: ForceParts,
  { time, ...space }: Pick<EvaluationOptions, 'time' | 'dimension' | 'lengths'>,
): readonly PlannedStage[] =>
  computed.flatMap((one): readonly PlannedStage[] => {
    const workload = 'pair' in one ? one.pair.workload : mapAt(one.expression, time)
    const [result = ''] = workload.results
    const stage = { workload, outputs: { [result]: one.name } }
    return 'pair' in one ? [...imageStages(one.pair, space), { ...stage, pair: one.pair }] : [stage]
  })

/** The outputs and the parameters of a map that turns velocities over the time `h`; undefined if no force turns them. */
export function turnOf(
  parts: ForceParts,
  options: EvaluationOptions,
): { readonly velocity: readonly string[]; readonly parameters: NumbersByName } | undefined {
  const rates = parts.external.map((force, n) =>
    turningRate(partOfExternal(force, ownerOf('External', n), parts.inertia, options)),
  )
  const rate = [0, 1, 2].map((axis) => sumOf(rates.map((one) => one[axis] as Expr)))
  if (rate.every((e) => isConstant(e, 0))) return undefined
  const parameters = { ...parametersIn(rate, options.numbers), ...options.time.numbersIn(rate) }
  return { velocity: turnedVelocities(rate, options.dimension), parameters }
}

/** The force on fixed points is 0. A product would keep a NaN. */
const ofMobile = (e: Expr): Expr =>
  callOf('select', [callOf('less', [constant(0), symbol(workNames.mobile)]), e, constant(0)])

/** The share of an external force in the sum: an acceleration, or, without inertia, the force. */
function partOfExternal(
  force: ExternalForce,
  owner: string,
  inertia: string | undefined,
  { time, numbers, ...shape }: EvaluationOptions,
): readonly Expr[] {
  const values = (...read: readonly Expr[]) => symbolsFor(owner, numbers[owner] as NumbersByName, ...read)
  const components = componentsOfForce(force, shape, values).map((e) => atTime(e, time))
  if (inertia === undefined) return components
  return components.map((e) => cancelled(e, inertia) ?? productOf([e, powerOf(symbol(inertia), -1)]))
}

/** An external force as outputs of a map, to check the names that it reads. A derivative may lack names that the energy reads. */
export function externalOutputs(
  force: ExternalForce,
  shape: Pick<EvaluationOptions, 'dimension' | 'vectors'>,
): Readonly<Record<string, readonly string[]>> {
  const energies = force.kind === 'external potential' ? [energyOfPoint(force)] : []
  return { force: [...componentsOfForce(force, shape), ...energies].map((e) => toText(atTime(e, atZero))) }
}

/** The stages that copy components of vectors into the arrays that laws of pairs read. */
export function componentStages(components: ReadonlyMap<string, ComponentOf>): readonly PlannedStage[] {
  const vectors = new Set([...components.values()].map(({ vector }) => vector))
  return [...vectors].map((vector) => {
    const own = [...components].filter(([, component]) => component.vector === vector)
    const outputs = own.map(([, { axis }]) => [axes[axis] as string, `${vector}_${axes[axis]}`] as const)
    return {
      workload: map(Object.fromEntries(outputs)),
      outputs: Object.fromEntries(own.map(([name, { axis }]) => [axes[axis] as string, name])),
    }
  })
}
