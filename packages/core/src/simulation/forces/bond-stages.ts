/**
 * The maps that compute bonds: the term of each end from the two points of its bond, rounds that add up the ends of a point, and the sum
 * for each point.
 *
 * @module
 */

import { type Axis, axesOf } from '../../ground/axes.ts'
import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Tables } from '../../ground/table.ts'
import { callOf, productOf, sumOf } from '../../language/canonical.ts'
import { evaluator } from '../../language/evaluate.ts'
import { toText } from '../../language/infix.ts'
import { functionOf, parseLookup } from '../../language/lookups.ts'
import { call, constant, type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import { guardRuleOfTerm, singularPairs } from '../../problem/workloads/bodies/coincident.ts'
import { anyOf, notOf } from '../../problem/workloads/bodies/conditions.ts'
import { type Guard, type GuardRule, guardBy } from '../../problem/workloads/bodies/guard.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import { termOf } from '../../problem/workloads/quantity.ts'
import type { Dimension, Gathered, MapWorkload, PairWorkload } from '../../problem/workloads/workload.ts'
import { boxSymbols } from '../numbers/box.ts'
import type { NumbersByName, SimulationNumbers } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import type { Bonds } from './bonds.ts'
import { type BondMap, endNames } from './end-names.ts'
import { legOfBond } from './legs.ts'
import { lookedUpInBonds, sharedNumbers, sharedParameters } from './link-calls.ts'

/** The parts of a simulation that the maps of links read. */
export interface LinkShape {
  readonly dimension: Dimension
  /** The vectors among the arrays of the points. */
  readonly vectors: readonly string[]
  /** The owner of the parameters of the law, and the numbers of all parameters. */
  readonly owner: string
  readonly numbers: SimulationNumbers['parameters']
  /** Whether coincident points have no force, whatever its limit is. */
  readonly neverPushes?: boolean
}

/** The term of a workload for each end, in `sum`. The point of the end is the target. */
export function endMap(
  workload: PairWorkload,
  { attributes, boundary }: Bonds,
  { dimension, vectors, owner, numbers: all, neverPushes = false }: LinkShape,
): BondMap {
  const own = axesOf(dimension)
  const { along, r2, gather: ofLeg } = legOfBond({ boundary }, dimension)
  const gather: Record<string, Gathered> = { ...ofLeg }
  const read = (side: 'own' | 'other', array: string): string => {
    gather[`${side}_${array}`] = { of: array, at: endNames[side] }
    return `${side}_${array}`
  }
  const parameters = all[owner] as NumbersByName
  const { symbols, raw: named, guard, pushes } = bondTerm(workload, attributes, { dimension, owner, parameters })
  const raw = named.map((e) => substitute(e, symbols))
  const displaced = displacement.some((name) => symbolsOf(...raw).has(name))
  const singular = guard === 'per-pair' ? singularPairs({ form: 'components', components: raw }, 'f32') : guard
  // A term that reads no displacement needs no positions.
  const counts = !displaced || anyOf(callOf('less', [constant(0), symbol('r2')]), notOf(singular))
  const values: Record<string, Expr> = { r2, ...lookedUpInBonds(workload.law) }
  for (const [n, axis] of own.entries()) values[`d${axis}`] = along[n] as Expr
  for (const name of Object.keys(attributes)) values[`${endNames.attribute(name)}_i`] = symbol(endNames.attribute(name))
  for (const name of symbolsOf(...raw)) {
    const found = parseAttribute(name)
    if (!found || Object.hasOwn(values, name)) continue
    const [, vector = '', axis = ''] = /^(.+)_([xyz])$/.exec(found.attribute) ?? []
    const side = found.side === 'i' ? 'own' : 'other'
    values[name] = symbol(vectors.includes(vector) ? `${read(side, vector)}_${axis}` : read(side, found.attribute))
  }
  const outputs = raw.map((e) => {
    if (typeof counts === 'boolean') return toText(substitute(e, values))
    const counted = substitute(counts, values)
    const otherwise = (usual: Expr, instead: Expr) => callOf('select', [counted, usual, instead])
    if (pushes && !neverPushes) {
      const earlier = callOf('less', [symbol(endNames.own), symbol(endNames.other)])
      const dx = otherwise(along[0] as Expr, callOf('select', [earlier, constant(tiny), constant(-tiny)]))
      return toText(substitute(e, { ...values, dx, r2: otherwise(r2, constant(tiny ** 2)) }))
    }
    const value = substitute(e, { ...values, r2: otherwise(r2, constant(1)) })
    return toText(otherwise(value, constant(0)))
  })
  const ofVectors = Object.entries(gather)
    .filter(([, { of }]) => vectors.includes(of))
    .map(([name]) => name)
  const given = {
    ...parametersIn(raw, all),
    ...(displaced && Object.fromEntries(boxSymbols(boundary))),
    ...sharedParameters(workload.law),
  }
  return { workload: gatherMap({ sum: outputs }, gather, given), vectors: ofVectors }
}

/** The term of a bond, and its rule for coincident points, by the numbers of its parameters. */
interface BondTerm {
  /** The expressions that replace the parameters. */
  readonly symbols: Readonly<Record<string, Expr>>
  /** Its components. A number of each bond is an attribute of its ends, and parameters are 0 or stand by their names. */
  readonly raw: readonly Expr[]
  /** Coincident points have no bond without a finite term, as in sums over pairs. */
  readonly guard: Guard
  /** But a force that only lacks a direction, as a spring with a rest length has, pushes them apart along the first axis. */
  readonly pushes: boolean
}

const terms = new Remembered<PairWorkload, readonly Expr[]>()
const rules = new Remembered<readonly Expr[], GuardRule>()
const limits = new Remembered<readonly Expr[], readonly ((values: Float64Array) => number)[]>()

function bondTerm(
  workload: PairWorkload,
  attributes: Bonds['attributes'],
  { dimension, owner, parameters }: Omit<LinkShape, 'vectors' | 'numbers'> & { readonly parameters: NumbersByName },
): BondTerm {
  const replaced = Object.keys(attributes)
  const general = terms.of(
    workload,
    () => {
      const derived = termOf(workload, dimension)
      const components =
        derived.form === 'radial'
          ? axesOf(dimension).map((axis) => productOf([derived.coefficient, symbol(`d${axis}`)]))
          : derived.components
      const own = Object.fromEntries(replaced.map((name) => [name, symbol(`${endNames.attribute(name)}_i`)]))
      return components.map((e) => substitute(e, own))
    },
    [dimension, ...replaced].join(),
  )
  const symbols = symbolsFor(owner, parameters, ...general)
  const shaping = Object.entries(symbols).filter(([, e]) => e.kind === 'constant')
  // Parts of the term may cancel.
  const raw = terms.of(
    workload,
    () => general.map((e) => substitute(e, Object.fromEntries(shaping))),
    [dimension, ...replaced, ...shaping.map(([name]) => `${name} ${parameters[name]}`)].join(),
  )
  const term = { form: 'components', components: raw } as const
  const numbers = { ...parameters, ...sharedNumbers(workload.law) }
  const guard = guardBy(
    rules.of(raw, () => guardRuleOfTerm(term, { linear: true })),
    numbers,
  )
  return { symbols, raw, guard, pushes: guard !== false && hasLimit(workload, raw, numbers) }
}

/** All numbers that shape the map of bonds, as text. */
export function shapeOfBonds(
  workload: PairWorkload,
  { attributes }: Bonds,
  of: Parameters<typeof bondTerm>[2],
): string {
  const { symbols, guard, pushes } = bondTerm(workload, attributes, of)
  return JSON.stringify([symbols, guard, pushes])
}

/** A length so short that it changes no force with a limit, while float32 still holds its square. */
const tiny = 2 ** -60

/** Whether the force between two points has a limit other than 0 where they meet, as a spring with a rest length has. */
function hasLimit({ quantity, law }: PairWorkload, components: readonly Expr[], parameters: NumbersByName): boolean {
  if (quantity !== 'acceleration' && quantity !== 'force') return false
  const names = [...symbolsOf(...components)].filter((name) => !displacement.includes(name))
  const evaluators = limits.of(components, () => components.map((e) => evaluator(e, [...displacement, ...names])))
  const others = names.map((name, n) => parameters[name] ?? sampleOf(name, n, law.tables))
  const sizeAt = (dx: number) => {
    const values = Float64Array.of(dx, 0, 0, dx ** 2, ...others)
    return Math.hypot(...evaluators.map((value) => value(values)))
  }
  // A logarithm doubles between these two.
  const ratio = sizeAt(tiny) / sizeAt(Math.sqrt(tiny))
  return ratio > 0.5 && ratio < 1.5
}

/** A number in place of those of all bonds. The numbers of functions differ, because equal ones cancel in a difference of two functions. */
function sampleOf(name: string, place: number, tables: Tables = {}): number {
  const { table = '' } = parseLookup(name) ?? {}
  if (functionOf(table) === undefined) return 1
  if (!table.endsWith(':from')) return 1 + 0.37 * place
  return ([tables[table]].flat(2) as number[]).reduce((least, from) => Math.min(least, from))
}

const displacement: readonly string[] = ['dx', 'dy', 'dz', 'r2']

/** Adds to each end the sum of another, from one array of sums into the other. */
export function roundMap(round: number, dimension: Dimension): BondMap {
  const [from] = placesOf(round)
  return {
    workload: added(endNames.round(round), from, (axis, more) => sumOf([symbol(`${from}_${axis}`), more]), dimension),
    vectors: [from, 'more'],
  }
}

/** The force on each point: the sum of its first end. */
export function receivedMap(rounds: number, dimension: Dimension): BondMap {
  const [from] = placesOf(rounds)
  return { workload: added(endNames.first, from, (_, more) => more, dimension), vectors: ['more'] }
}

/** The array of sums that a round reads, and the one that it writes. */
export function placesOf(round: number): readonly [from: string, to: string] {
  const [a, b] = endNames.sums
  return round % 2 === 0 ? [a, b] : [b, a]
}

/** An index of -1 adds nothing, whatever was read. */
function added(at: string, of: string, total: (axis: Axis, more: Expr) => Expr, dimension: Dimension): MapWorkload {
  const exists = call('lessEqual', constant(0), symbol(at))
  const sums = axesOf(dimension).map((axis) => {
    return toText(total(axis, callOf('select', [exists, symbol(`more_${axis}`), constant(0)])))
  })
  return gatherMap({ sum: sums }, { more: { of, at } })
}
