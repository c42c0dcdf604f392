/**
 * Makes laws from text: `pairPotential`, `pairForce`, `pairTerm`. All built-in laws are made with them.
 *
 * A law is text, not a function: text can be differentiated, rendered for any device, sent to a worker and stored as JSON.
 *
 * @module
 */

import { axes } from '../../ground/axes.ts'
import { checkedTables } from '../../ground/check-tables.ts'
import { describe, finite, hasNames, named, onlyNamed, unexpected } from '../../ground/checks.ts'
import { type Curves, checkedFunctions } from '../../ground/curves.ts'
import { checkedVector, isList } from '../../ground/lists.ts'
import { nameOf, parseAttribute, record } from '../../ground/names.ts'
import { requireFew, type TableInput } from '../../ground/table.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { isVector } from '../../language/fold-names.ts'
import { requireCount } from '../../language/limit-size.ts'
import { type Expr, negate, symbolsOf } from '../../language/nodes.ts'
import { callable } from '../../language/syntax/operators.ts'
import { lawTables } from '../workloads/tables/function-tables.ts'
import { type Vectors, vectorTables } from '../workloads/vector-parameters.ts'
import {
  domainNames,
  type Interaction,
  type InteractionKind,
  type Law,
  loopNames,
  type ParameterInput,
  pairNames,
  type Sampling,
  setNames,
} from './interaction.ts'
import { knownLaws } from './known-laws.ts'
import { exchanged, expressionsOf, pairScope, sameExpression } from './parse-interaction.ts'
import { requireVectorsAlone } from './vectors.ts'

export interface LawOptions<Parameter extends string = string> {
  /** The name of the law in reports and errors. */
  readonly name?: string
  /**
   * The parameters: names with default values, or a list of names without defaults. Every call must then give their values. Parameters
   * may be vectors: their default is a list of numbers, and functions of vectors read them, as in `dot(w, x_j)`.
   */
  readonly parameters?: Readonly<Record<Parameter, ParameterInput>> | readonly Parameter[]
  /**
   * Tables by name, which the text reads by the kinds of points. `epsilon[kind_i, kind_j]` is the number in the row of the target's
   * kind and the column of the source's kind. `size[kind_i]` is a number of a list. Kinds are attributes: whole numbers from 0.
   */
  readonly tables?: Readonly<Record<string, TableInput>>
  /**
   * Tabulated functions by name, which the text reads at the distance: `u(r)`, or `u[kind_i, kind_j](r)` with a function for each pair
   * of kinds. A natural cubic spline joins the values.
   */
  readonly functions?: Readonly<Record<string, Curves>>
  /** The attribute that divides a force to give an acceleration, such as `mass`. */
  readonly inertia?: string
  /** Lowest allowed values, such as 0 for a softening length. */
  readonly minimum?: Readonly<Partial<Record<Parameter, number>>>
  /** Ranges of the symbols, for tests that sample the law. */
  readonly sampling?: Sampling
}

/**
 * A law given by the energy of a pair; its force is the exact derivative.
 *
 * @param energy expression in `r`, `r2`, `dx dy dz` (source minus target), attributes `name_i` (target), `name_j` (source), and parameters
 * @throws {@link ExpressionError} if the text does not parse
 * @example
 * const spring = pairPotential('k*(r - rest)^2/2', { parameters: { k: 1, rest: 1 }, inertia: 'mass' })
 */
export function pairPotential<P extends string = never>(energy: string, options: LawOptions<P> = {}): Law<P> {
  return defineLaw('potential', { energy }, options)
}

/**
 * A law given by its force, which need not have an energy nor obey Newton's third law.
 *
 * @param force the force on the target divided by the displacement (so `F = force * (dx, dy, dz)`; positive attracts),
 *   or its components: `{ x }` on a line, `{ x, y }` or `{ x, y, z }`
 */
export function pairForce<P extends string = never>(
  force: string | { readonly x: string; readonly y?: string; readonly z?: string },
  options: LawOptions<P> = {},
): Law<P> {
  if (typeof force === 'string') return defineLaw('force', { radial: force }, options)
  const { x, y, z } = onlyNamed(force, 'component of a force', axes)
  if (y === undefined && z !== undefined) throw unexpected('force', 'components in order: x, y, z', force)
  return defineLaw('force', { x, ...(y !== undefined && { y }), ...(z !== undefined && { z }) }, options)
}

/**
 * Any other term of a pair, scalar or vector, to be summed or reduced.
 *
 * Attributes may be vectors of any length, which `dot`, `sqdist`, `norm` and `sum` turn into numbers: `dot(x_i, y_j)`. A term with
 * `vector(...)` is a vector itself, with a component for each of theirs: `w_j*vector(x_j - x_i)`.
 *
 * @param term one expression, or one per component of the result, in order
 */
export function pairTerm<P extends string = never>(
  term: string | Readonly<Record<string, string>>,
  options: LawOptions<P> = {},
): Law<P> {
  if (typeof term === 'string') return defineLaw('term', { value: term }, options)
  if (!hasNames(term)) throw unexpected('term', 'an expression, or one by name for each component', term)
  for (const name of Object.keys(term)) nameOf(name, 'components')
  return defineLaw('term', { ...term }, options)
}

function defineLaw<P extends string>(
  kind: InteractionKind,
  expressions: Record<string, string>,
  options: LawOptions<P>,
): Law<P> {
  const known = ['name', 'parameters', 'tables', 'functions', 'inertia', 'minimum', 'sampling']
  const { parameters = [], minimum = {}, inertia } = onlyNamed(options, 'option of a law', known, { sampling: named })
  if (!isNames(parameters) && !hasNames(parameters))
    throw unexpected('parameters', 'numbers by name, or a list of names', parameters)
  const given = isNames(parameters) ? [] : Object.entries<ParameterInput>(parameters)
  const defaults = Object.freeze(record(given.filter((one): one is [string, number] => !isList(one[1]))))
  const vectors: Vectors = record(
    given.flatMap(([name, value]) => (isList(value) ? [[name, checkedVector(value, name)]] : [])),
  )
  const names: readonly string[] = isNames(parameters) ? parameters : Object.keys(parameters)
  const numbers = names.filter((name) => !Object.hasOwn(vectors, name))
  const [vector] = Object.keys(vectors)
  for (const name of names) checkName(name, 'parameters')
  const tables = options.tables === undefined ? {} : checkedTables(options.tables)
  for (const name of Object.keys(tables)) checkName(name, 'tables', names)
  const functions = options.functions === undefined ? {} : checkedFunctions(options.functions)
  for (const name of Object.keys(functions))
    checkName(name, 'functions', [...names, ...Object.keys(tables), ...callable])
  const all = lawTables(tables, functions)
  const least = record<number>(Object.entries(onlyNamed(minimum, 'parameter with a minimum', numbers)))
  for (const [parameter, value] of Object.entries(least)) finite(value, `minimum.${parameter}`)
  if (inertia !== undefined) nameOf(inertia, 'inertia', setNames)
  if (Object.keys(expressions).length === 0) throw new TypeError(`"${kind}" expected at least one expression, got none`)
  requireCount(Object.keys(expressions).length, kind)
  const scope = pairScope(names, tables, functions, kind)
  const trees = Object.values(expressions).map((text) => parseFinite(text, scope))
  requireVectorsAlone(trees, Object.keys(vectors))
  const name = lawName(options.name, expressions)
  const parts = Object.keys(expressions).length
  if (parts > 1 && [...symbolsOf(...trees)].some(isVector))
    throw new TypeError(`"${kind}" expected one expression, because vector(...) has all components, got ${parts}`)

  const law = (values?: Readonly<Partial<Record<P, ParameterInput>>>): Interaction => {
    const given = record<ParameterInput | undefined>(
      Object.entries(onlyNamed(values === undefined ? {} : values, `parameter of ${name}`, names)),
    )
    const bound = numbers.map((parameter) => {
      const value = given[parameter] === undefined ? defaults[parameter] : given[parameter]
      if (value === undefined)
        throw new TypeError(`"${parameter}" expected a number, as ${name} has no default for it, got nothing`)
      return [parameter, finite(value, parameter, least[parameter])] as const
    })
    const own: Vectors = record(
      Object.entries(vectors).map(([name, usual]) => [
        name,
        checkedVector(given[name] === undefined ? usual : given[name], name),
      ]),
    )
    const tables = { ...all, ...vectorTables(own) }
    requireFew(tables)
    const unclassified: Interaction = {
      name,
      kind,
      expressions: Object.freeze({ ...expressions }),
      parameters: Object.freeze(Object.fromEntries(bound)),
      ...(vector !== undefined && { vectors: Object.freeze(own) }),
      ...(Object.keys(tables).length > 0 && { tables: vector === undefined ? all : Object.freeze(tables) }),
      ...(Object.keys(functions).length > 0 && { functions }),
      ...(options.minimum && { minimum: Object.freeze({ ...options.minimum }) }),
      ...(inertia && { inertia }),
      symmetric: false,
    }
    return knownLaws.made(Object.freeze({ ...unclassified, symmetric: isSymmetric(unclassified) }))
  }
  return Object.assign(law, {
    law: name,
    defaults: defaults as Partial<Record<P, number>>,
    sampling: Object.freeze({ ...options.sampling }),
  })
}

function isNames(parameters: object): parameters is readonly string[] {
  return Array.isArray(parameters)
}

function checkName(name: string, what: 'parameters' | 'tables' | 'functions', taken: readonly string[] = []): void {
  nameOf(name, what, [...pairNames, ...domainNames, ...loopNames, 'pi', ...taken])
  if (parseAttribute(name))
    throw new TypeError(
      `"${what}" expected names that do not end in _i or _j, as those of attributes do, got "${name}"`,
    )
}

/** Longer expressions are cut when they serve as the name of a law. */
export const longestLawName = 100

function lawName(given: unknown, expressions: Readonly<Record<string, string>>): string {
  if (given === undefined) {
    const text = Object.values(expressions).join(', ')
    return text.length > longestLawName ? `${text.slice(0, longestLawName - 3)}...` : text
  }
  if (typeof given === 'string' && given.length > 0 && given.length <= longestLawName) return given
  const got = typeof given === 'string' ? `${given.length} of them` : describe(given)
  throw new TypeError(`"name" expected text of 1 to ${longestLawName} characters, got ${got}`)
}

/** Exchanges the two points and compares the expressions, without sampling or tolerance. */
function isSymmetric(law: Interaction): boolean {
  const sign = (role: string, e: Expr) => (law.kind === 'force' && role !== 'radial' ? negate(e) : e)
  return Object.entries(expressionsOf(law)).every(([role, e]) =>
    sameExpression(e, sign(role, exchanged(e, law.tables))),
  )
}
