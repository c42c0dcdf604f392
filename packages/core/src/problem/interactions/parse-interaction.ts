/**
 * Parses the text of an interaction into expression trees, in the scope of pair expressions.
 *
 * @module
 */

import type { Functions } from '../../ground/curves.ts'
import { isName, nameRule, parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { columnsOf, isSymmetricTable, type Table, type Tables } from '../../ground/table.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { sameKind } from '../../language/folds.ts'
import {
  attributesIn,
  functionOf,
  isOfStep,
  isOwnTable,
  lookupName,
  parseLookup,
  renamedLookup,
} from '../../language/lookups.ts'
import { type Expr, key, negate, power, symbol, symbolsOf } from '../../language/nodes.ts'
import { inOneSign } from '../../language/one-sign.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import type { Scope } from '../../language/syntax/scope.ts'
import { scopeOf } from '../workloads/tables/function-scope.ts'
import { domainNames, type Interaction, type InteractionKind, pairNames } from './interaction.ts'

/** The names that a pair expression may use. @param kind of a law, which may read vectors */
export function pairScope(
  parameters: readonly string[],
  tables: Tables = {},
  functions: Functions = {},
  kind?: InteractionKind,
): Scope {
  const indices = Object.entries(tables)
    .filter(([name]) => isOwnTable(name))
    .map(([name, table]) => [name, columnsOf(table) === undefined ? 1 : 2] as const)
  return {
    tables: Object.fromEntries(indices),
    functions: Object.fromEntries(Object.entries(functions).map(([name, curves]) => [name, scopeOf(curves)])),
    names: [...pairNames, ...parameters],
    ...(kind && { vectors: kind === 'term' ? 'all' : 'numbers' }),
    open: {
      test: (name) => name === 'time' || (parseAttribute(name) !== undefined && !domainNames.includes(name)),
      describe: 'any attribute as name_i (target) or name_j (source)',
      refuse: (name) => {
        if (name === 'time') return "a simulation computes it for each point: computed: { now: 'time' }; read now_i"
        const { attribute = '' } = parseAttribute(name) ?? {}
        if (attribute === 'position')
          return 'a law reads displacements dx, dy, dz and distances r, r2, not positions; give coordinates that it reads another name'
        if (attribute === 'dimension') return '"dimension" is that of the points; give the attribute another name'
        return isName(attribute) ? undefined : nameRule
      },
    },
  }
}

const parsed = new Remembered<Interaction, Readonly<Record<string, Expr>>>()

/**
 * The expressions of an interaction by role, canonical, with `r` replaced by the root of `r2`, and the indices of symmetric tables
 * in one order.
 */
export function expressionsOf(law: Interaction): Readonly<Record<string, Expr>> {
  return parsed.of(law, () => inScope(law, {}))
}

/**
 * The same expressions to write laws with: calls of tabulated functions stay whole, so that `toText` gives text that parses. They have no
 * derivatives.
 */
export const expressionsToWrite = (law: Interaction): Readonly<Record<string, Expr>> =>
  law.functions ? inScope(law, { wholeCalls: true }) : expressionsOf(law)

function inScope(law: Interaction, more: Pick<Scope, 'wholeCalls'>): Readonly<Record<string, Expr>> {
  const scope = {
    ...pairScope(Object.keys({ ...law.parameters, ...law.vectors }), law.tables, law.functions, law.kind),
    ...more,
  }
  const distance = power(symbol('r2'), 0.5)
  const roles = Object.entries(law.expressions).map(
    ([role, text]) => [role, inOneOrder(parseFinite(text, scope), law.tables, { r: distance })] as const,
  )
  return Object.freeze(Object.fromEntries(roles))
}

/** An expression of the numbers of a pair, without the displacement, in the parameters and tables of a law. */
export function apartFromDistance(text: string, { parameters, tables }: Interaction): Expr {
  const scope = { ...pairScope([], tables), names: Object.keys(parameters) }
  return inOneOrder(parseFinite(text, scope), tables)
}

/** The indices of symmetric tables in one order. */
function inOneOrder(e: Expr, tables: Tables | undefined, others: Readonly<Record<string, Expr>> = {}): Expr {
  const lookups = [...symbolsOf(e)].map((name) => [name, lookup(name, tables)] as const)
  return substitute(e, { ...Object.fromEntries(lookups), ...others })
}

const lookups = new Remembered<Interaction, readonly string[]>()

/** The names of the look-ups of a law. */
export function lookupsIn(law: Interaction): readonly string[] {
  return lookups.of(law, () => lookupsOf(Object.values(expressionsOf(law))))
}

/** The names of the look-ups in expressions. */
export const lookupsOf = (expressions: readonly Expr[]): readonly string[] =>
  [...symbolsOf(...expressions)].filter((name) => parseLookup(name)).sort()

/** The attributes that expressions read, per side. */
export function attributesOf(expressions: readonly Expr[]): {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
} {
  const sides = { i: new Set<string>(), j: new Set<string>() }
  for (const e of expressions) {
    for (const name of symbolsOf(e)) for (const { attribute, side } of attributesIn(name)) sides[side].add(attribute)
  }
  return { targets: [...sides.i].sort(), sources: [...sides.j].sort() }
}

/** A symbol, with the indices of a symmetric table in one order. */
function lookup(name: string, tables: Tables = {}): Expr {
  const found = parseLookup(name)
  // The steps of a function are those of its pair of kinds.
  const table = found && (isOfStep(name) ? `${functionOf(found.table)}:first` : found.table)
  if (!found || found.indices.length < 2 || !isSymmetricTable(tables[table as string] as Table)) return symbol(name)
  return symbol(lookupName({ ...found, indices: [...found.indices].sort() }))
}

/**
 * The same expression from the other point's view: `_i` and `_j` exchanged, displacements reversed.
 *
 * @param tables the tables of the law
 */
export function exchanged(e: Expr, tables?: Tables): Expr {
  const swaps: Record<string, Expr> = {}
  for (const name of symbolsOf(e)) {
    const [found, component] = [parseLookup(name), foldBody(name)]
    if (component) swaps[name] = sameKind(name, exchanged(component))
    else if (found) swaps[name] = lookup(lookupName({ ...found, indices: found.indices.map(otherSide) }), tables)
    else if (parseAttribute(name)) swaps[name] = symbol(otherSide(name))
    else if (name === 'dx' || name === 'dy' || name === 'dz') swaps[name] = negate(symbol(name))
    else swaps[name] = symbol(renamedLookup(name, { index: otherSide }))
  }
  return substitute(e, swaps)
}

const otherSide = (attribute: string): string => `${attribute.slice(0, -1)}${attribute.endsWith('i') ? 'j' : 'i'}`

export function sameExpression(a: Expr, b: Expr): boolean {
  const [one, other] = [simplify(a), simplify(b)]
  return key(one) === key(other) || key(simplify(inOneSign(one))) === key(simplify(inOneSign(other)))
}

/** Whether both points of a pair have the same value of an expression. @param tables the tables of the law */
export const isShared = (e: Expr, tables?: Tables): boolean => sameExpression(e, exchanged(e, tables))
