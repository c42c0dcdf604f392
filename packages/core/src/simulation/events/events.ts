/**
 * Events of a simulation as a user gives them, and their form in a snapshot: a condition of pairs or of points, how often it is checked,
 * and what then happens to the points that meet it.
 *
 * @module
 */
import {
  describe,
  finite,
  hasNames,
  named,
  oneOf,
  onlyNamed,
  positive,
  unexpected,
  whole,
} from '../../ground/checks.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { foundArrays, type PointArrays, pointNames, widthOf } from '../arrays.ts'
import type { ForceParts } from '../forces/force.ts'
import { squareIn } from '../forces/force-stages.ts'
import { requireNamed } from '../require-named.ts'
import { conditionOf, metText, requireNoVectors, requirePairReads, ruleLaw } from './conditions.ts'

/** A condition that is checked while a simulation runs. */
interface Checked {
  /** It is checked after each step with a number that this divides; 1 by default. */
  readonly every?: number
  /** Numbers that the condition and the rules read by name. */
  readonly parameters?: Readonly<Record<string, number>>
}

/** The rule for an attribute of bodies that merge. */
export type MergeRule = 'sum' | 'mean' | 'first' | 'max' | 'min' | (string & {})

/** Pairs that meet a condition, such as `r < radius_i + radius_j`. */
export interface PairEvent extends Checked {
  /** A condition as in a law of pairs: distances, displacements and attributes. Both orders of a pair must give the same. */
  readonly pairs: string
  /** Merge the points, let them bounce, or remove both. Without it, pairs are only reported. */
  readonly resolve?: 'merge' | 'bounce' | 'remove'
  /**
   * For `merge`: how each attribute follows from those of the parts. `'mean'` is weighted by the mass, `'first'` is that of the point
   * that stays. Or an expression of a pair, such as `(radius_i^3 + radius_j^3)^(1/3)`.
   */
  readonly rules?: Readonly<Record<string, MergeRule>>
  /** For `bounce`: the speed of separation by the speed of approach, 0 to 1; 1 by default, which conserves the energy. */
  readonly restitution?: number
  /** No pair that is farther apart meets the condition. Found from the condition, if that compares `r` with attributes. */
  readonly cutoff?: number
}

/** Points that meet a condition, such as `position_x > 10`. */
export interface PointEvent extends Checked {
  /** A condition as in a map. */
  readonly points: string
  /** Without it, points are only reported. */
  readonly resolve?: 'remove'
}

export type SimulationEvent = PairEvent | PointEvent

/** The points of an event. Indices are those before it was resolved. */
export interface EventReport {
  /** The place of the event in the list of events. */
  readonly event: number
  readonly steps: number
  readonly time: number
  /** The pairs, each with its lower index first, in ascending order; empty for events of points. */
  readonly pairs: readonly (readonly [number, number])[]
  /** The points that meet the condition, or that belong to a pair; ascending. */
  readonly points: readonly number[]
  /** If points are gone: the index that each point has now, -1 for those that are gone, and the index of the merged body for its parts. */
  readonly places?: Int32Array
}

/** Whether an event takes points away. */
export const removes = ({ resolve }: SimulationEvent): boolean => resolve === 'merge' || resolve === 'remove'

export const isPairEvent = (event: SimulationEvent): event is PairEvent => 'pairs' in event

/** The simulation that events belong to. */
interface Watched {
  readonly arrays: PointArrays
  readonly dimension: Dimension
  readonly parts: ForceParts
  readonly firstOrder: boolean
}

/** Checks events and completes them. @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedEvents(given: unknown, watched: Watched): readonly SimulationEvent[] {
  if (!Array.isArray(given))
    throw unexpected('events', "a list, such as [{ pairs: 'r < radius_i + radius_j', resolve: 'merge', rules }]", given)
  return given.map((event, n) => checkedEvent(event, `events[${n}]`, watched))
}

function checkedEvent(given: unknown, name: string, watched: Watched): SimulationEvent {
  if (!hasNames(given) || 'pairs' in given === 'points' in given)
    throw unexpected(name, '{ pairs: a condition, ... } or { points: a condition, ... }', given)
  if ('points' in given) return pointEvent(given as PointEvent, name, watched)
  return pairEvent(given as PairEvent, name, watched)
}

function checkedPart({ every = 1, parameters = {} }: Checked, name: string): Required<Checked> {
  named(parameters, `${name}.parameters`)
  for (const [parameter, value] of Object.entries(parameters)) finite(value, `${name}.parameters.${parameter}`)
  return { every: whole(every, `${name}.every`, 1), parameters: { ...parameters } }
}

function pointEvent(given: PointEvent, name: string, { arrays, dimension }: Watched): PointEvent {
  const { points, resolve } = onlyNamed(given, `part of ${name}`, ['points', 'resolve', 'every', 'parameters'])
  const common = checkedPart(given, name)
  if (resolve !== undefined) oneOf(resolve, `${name}.resolve`, ['remove'])
  const workload = map({ met: metText(points, `${name}.points`) }, common.parameters)
  requireNamed(workload, pointNames({ arrays, dimension }))
  return { points, ...(resolve && { resolve }), ...common }
}

const pairParts = ['pairs', 'resolve', 'rules', 'restitution', 'cutoff', 'every', 'parameters']

function pairEvent(given: PairEvent, name: string, watched: Watched): PairEvent {
  const { pairs, resolve, rules, restitution, cutoff } = onlyNamed(given, `part of ${name}`, pairParts)
  if (squareIn(watched.parts))
    throw new TypeError(
      `"${name}" expected a condition on points in a triclinic box, got one on pairs, which events look for in right-angled boxes alone`,
    )
  const common = checkedPart(given, name)
  if (resolve !== undefined) oneOf(resolve, `${name}.resolve`, ['merge', 'bounce', 'remove'])
  for (const [part, needed] of [
    ['rules', 'merge'],
    ['restitution', 'bounce'],
  ] as const)
    if (given[part] !== undefined && resolve !== needed)
      throw new TypeError(`"${name}.${part}" belongs to resolve: '${needed}', got resolve: ${describe(resolve)}`)
  const condition = conditionOf({ pairs, ...common }, `${name}.pairs`)
  requirePairReads(condition, watched, `${name}.pairs`)
  if (resolve === 'merge' || resolve === 'bounce') requireMasses(`${name}.resolve`, resolve, watched)
  return {
    ...{ pairs, ...(resolve && { resolve }), ...common },
    ...(cutoff !== undefined && { cutoff: positive(cutoff, `${name}.cutoff`) }),
    ...(resolve === 'merge' && { rules: checkedRules(rules ?? {}, name, common.parameters, watched) }),
    ...(resolve === 'bounce' && { restitution: checkedRestitution(restitution, `${name}.restitution`) }),
  }
}

function checkedRestitution(given: number | undefined, name: string): number {
  const restitution = finite(given ?? 1, name, 0)
  if (restitution > 1)
    throw new RangeError(`"${name}" expected at most 1, as more would make energy, got ${restitution}`)
  return restitution
}

/** Points share their momentum by their masses. @throws TypeError */
function requireMasses(name: string, resolve: string, { arrays, parts, firstOrder }: Watched): void {
  if (firstOrder)
    throw new TypeError(
      `"${name}" expected points with a momentum, got '${resolve}' in first-order motion; report the pairs and change the points in onEvent`,
    )
  if (parts.inertia === undefined || arrays[parts.inertia] === undefined)
    throw new TypeError(
      `"${name}" expected points with a mass, which "${resolve}" conserves; give a force an inertia, such as { inertia: 'mass' }, and the particles that attribute`,
    )
}

export const ruleNames = ['sum', 'mean', 'first', 'max', 'min'] as const

function checkedRules(
  rules: NonNullable<PairEvent['rules']>,
  name: string,
  parameters: Readonly<Record<string, number>>,
  { arrays, dimension, parts }: Watched,
): NonNullable<PairEvent['rules']> {
  named(rules, `${name}.rules`)
  const conserved = ['position', 'velocity', ...foundArrays, parts.inertia as string]
  const computed = parts.computed.map((one) => one.name)
  const wanted = Object.keys(arrays).filter((attribute) => ![...conserved, ...computed].includes(attribute))
  for (const [attribute, rule] of Object.entries(rules)) {
    const path = `${name}.rules.${attribute}`
    if (conserved.includes(attribute))
      throw new TypeError(
        `"${path}" expected no rule: masses add up, and the merged body has the centre of mass and the momentum of its parts`,
      )
    if (!wanted.includes(attribute))
      throw new TypeError(`"${path}" expected an attribute of the particles, ${wanted.join(', ') || 'which have none'}`)
    if (typeof rule !== 'string') throw unexpected(path, `${ruleNames.join(', ')}, or an expression of a pair`, rule)
    if ((ruleNames as readonly string[]).includes(rule)) continue
    const width = widthOf({ arrays, dimension }, attribute)
    if (width > 1)
      throw new TypeError(`"${path}" expected one of ${ruleNames.join(', ')}, as it has ${width} numbers a point`)
    const law = ruleLaw(rule, parameters)
    requireNoVectors(law, path)
    requirePairReads(law, { arrays, dimension }, path, true)
  }
  const missing = wanted.filter((attribute) => rules[attribute] === undefined)
  if (missing.length > 0)
    throw new TypeError(
      `"${name}.rules" expected a rule for each attribute, got none for ${missing.join(', ')}; write ${missing[0]}: 'sum', 'mean', 'first', 'max', 'min' or an expression, such as '(${missing[0]}_i^3 + ${missing[0]}_j^3)^(1/3)'`,
    )
  return { ...rules }
}
