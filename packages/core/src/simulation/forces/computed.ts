/**
 * Attributes that a simulation computes before its forces: sums over pairs, such as a density, and expressions of a point and the
 * time. Forces and later attributes read them like given ones.
 *
 * @module
 */
import { type FloatArray, hasNames, onlyNamed, unexpected } from '../../ground/checks.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { toText } from '../../language/infix.ts'
import { dependsOn, type Expr, symbolsOf } from '../../language/nodes.ts'
import { simplify } from '../../language/simplify.ts'
import { requireInteraction } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { attributesOf, expressionsOf } from '../../problem/interactions/parse-interaction.ts'
import { isVectorTerm, vectorsOf } from '../../problem/interactions/vectors.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import { domainOf, optionsOf } from '../../problem/workloads/define-domain.ts'
import { type Boundary, type DomainOptions, requireEnd } from '../../problem/workloads/domain.ts'
import type { NamedArrays } from '../../problem/workloads/map-set.ts'
import { pointScope } from '../../problem/workloads/outputs.ts'
import { sum } from '../../problem/workloads/pair.ts'
import { map } from '../../problem/workloads/particle.ts'
import { attributesRead, componentsOf } from '../../problem/workloads/quantity.ts'
import type { MapWorkload } from '../../problem/workloads/workload.ts'
import { requireNamed } from '../require-named.ts'
import { atTime, atZero, type Moment } from './at-time.ts'
import { time } from './external-force.ts'
import type { PairPart } from './pair-part.ts'

/** The sum of a term over the points near each point, with the domain of its pairs. */
export interface ComputedSum extends Omit<DomainOptions, 'exclusions'> {
  /** A term with one number, from `pairTerm`. */
  readonly law: Interaction
}

/** An attribute by the way to compute it: a sum over pairs, or an expression of a point's own attributes. */
export type ComputedAttribute = ComputedSum | string

export type ComputedAttributes = Readonly<Record<string, ComputedAttribute>>

/** How one attribute is computed. */
export type ComputedPart = { readonly name: string } & ({ readonly pair: PairPart } | { readonly expression: Expr })

/** Whether some attribute depends on the time. */
export const computedReadTime = (computed: readonly ComputedPart[]): boolean =>
  computed.some((one) => 'expression' in one && dependsOn(one.expression, time))

/** The computed attributes that change with the places of points. Others change with the time at most. */
export function placed(computed: readonly ComputedPart[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const one of computed) {
    const reads = (name: string) => 'expression' in one && dependsOn(one.expression, name)
    const before = computed.filter(({ name }) => found.has(name)).flatMap(namesOf)
    if ('pair' in one || [...places, ...before].some(reads)) found.add(one.name)
  }
  return found
}

/** The names by which laws and expressions read an attribute: also those of components, if it is a vector. */
export const namesOf = (one: ComputedPart): readonly string[] => [
  one.name,
  ...('pair' in one && isVectorTerm(one.pair.law) ? ['x', 'y', 'z'].map((axis) => `${one.name}_${axis}`) : []),
]

const places: readonly string[] = ['position_x', 'position_y', 'position_z']

/** A computed attribute that a law reads and that changes with the places of points. */
export function nestedIn({ law }: Pick<PairPart, 'law'>, computed: readonly ComputedPart[]): string | undefined {
  const moving = placed(computed)
  return computed.find((one) => moving.has(one.name) && readsAttribute(law, one))?.name
}

/** Whether a law reads a computed attribute of either point. */
export function readsAttribute(law: Interaction, one: ComputedPart): boolean {
  const { targets, sources } = attributesOf(Object.values(expressionsOf(law)))
  return namesOf(one).some((name) => targets.includes(name) || sources.includes(name))
}

/** Arrays for computed attributes, which the device fills. A sum that is a vector is as long as those that its term reads. */
export function zerosFor(
  computed: readonly ComputedPart[],
  given: Readonly<Record<string, FloatArray>>,
  count: number,
): Readonly<Record<string, FloatArray>> {
  const zeros: Record<string, FloatArray> = {}
  for (const one of computed) {
    const vector = 'pair' in one ? vectorsOf(one.pair.law)?.term : undefined
    const like = vector === undefined ? undefined : (zeros[vector] ?? given[vector])
    zeros[one.name] = new Float32Array(like?.length ?? count)
  }
  return zeros
}

/** The sums among computed attributes. */
export const sumsOf = (computed: readonly ComputedPart[]): readonly PairPart[] =>
  computed.flatMap((one) => ('pair' in one ? [one.pair] : []))

const known = ['law', 'self', 'boundary', 'cutoff', 'switchDistance', 'shift']

/** Checks everything that needs no points. @param box the box of the system @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedComputed(given: unknown, box: Boundary | undefined): ComputedAttributes | undefined {
  if (given === undefined) return undefined
  if (!hasNames(given)) throw unexpected('computed', '{ density: { law: kernel(), cutoff: 0.1 } }', given)
  const checked = Object.entries(given).map(([name, one]) => [name, checkedAttribute(one, `computed.${name}`, box)])
  return checked.length === 0 ? undefined : Object.fromEntries(checked)
}

function checkedAttribute(given: unknown, part: string, box: Boundary | undefined): ComputedAttribute {
  if (typeof given === 'string') return given
  if (!hasNames(given)) throw unexpected(part, 'a sum over pairs, { law, cutoff }, or an expression of a point', given)
  const { law, ...options } = onlyNamed(given as Partial<ComputedSum>, `part of ${part}`, known)
  const term = requireInteraction(law, `${part}.law`, "a term, such as pairTerm('mass_j*max(0, h - r)')()")
  if (term.kind !== 'term')
    throw new TypeError(
      `"${part}.law" expected a term, got ${term.name}, which gives ${term.kind === 'force' ? 'a force' : 'an energy'}; write the number to add up with pairTerm`,
    )
  const checked = domainOf({ ...(box && { boundary: box }), ...options })
  requireEnd(checked)
  const { exclusions: _, ...domain } = optionsOf(checked)
  return { law: term, ...domain }
}

/** The parts that compute attributes, in the given order. @param place that of the next law of pairs */
export function computedPartsOf(computed: ComputedAttributes | undefined, place: number): readonly ComputedPart[] {
  let next = place
  return Object.entries(computed ?? {}).map(([name, one]): ComputedPart => {
    if (typeof one === 'string') return { name, expression: simplify(parseFinite(one, pointScope([]))) }
    const { law, ...domain } = one
    const workload = sum(law, domain)
    return { name, pair: { law, domain, scale: 1, workload, summands: [{ place: next++ }] } }
  })
}

/**
 * Checks the names of computed attributes, and that each reads only attributes that are known before.
 *
 * @param points the arrays of the points, with the computed ones
 * @throws TypeError, RangeError
 */
export function requireOrder(computed: readonly ComputedPart[], points: NamedArrays): void {
  const { dimension } = points
  const later = new Set(computed)
  for (const one of computed) {
    const { name } = one
    const read = namesRead(one, points)
    const early = [...later].find((other) => namesOf(other).some((attribute) => read.includes(attribute)))?.name
    if (early !== undefined)
      throw new RangeError(
        `"computed.${name}" expected attributes that are known before it, but it reads ${early}${early === name ? ' itself' : ', which is computed after it; list that first'}`,
      )
    if (read.includes(time) && points.names.includes(time))
      throw new TypeError(`"time" is the time of the simulation in computed.${name}; rename the attribute`)
    if (read.some((attribute) => /^velocity(_[xyz])?$/.test(attribute)))
      throw new TypeError(`"computed.${name}" expected positions and attributes, but it reads velocities`)
    if ('pair' in one && isVectorTerm(one.pair.law)) {
      later.delete(one)
      continue
    }
    const components =
      'pair' in one ? componentsOf(one.pair.workload, dimension) : componentsIn(mapAt(one.expression, atZero), points)
    if (components !== 1) throw new RangeError(`"computed.${name}" expected one number per point, got ${components}`)
    later.delete(one)
  }
}

/** The attributes that one reads. */
function namesRead(one: ComputedPart, points: NamedArrays): readonly string[] {
  if ('expression' in one) return [...symbolsOf(one.expression)]
  const { targets, sources } = attributesRead(one.pair.workload, points.dimension)
  return [...targets, ...sources]
}

/** The map of an expression at a time. */
export function mapAt(expression: Expr, now: Moment): MapWorkload<'value'> {
  const value = atTime(expression, now)
  return map({ value: toText(value) }, now.numbersIn([value]))
}

function componentsIn(workload: MapWorkload, points: NamedArrays): number {
  requireNamed(workload, points)
  const [[, components] = ['', []]] = mapComponents(workload, points)
  return components.length
}
