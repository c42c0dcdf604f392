/**
 * Parses the text of an interaction into expression trees, in the scope of pair expressions.
 *
 * @module
 */

import { isName, nameRule, parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { type Expr, key, negate, power, symbol, symbolsOf } from '../../language/nodes.ts'
import type { Scope } from '../../language/parse.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { domainNames, type Interaction, pairNames } from './interaction.ts'

/** The names that a pair expression may use. */
export function pairScope(parameters: readonly string[]): Scope {
  return {
    names: [...pairNames, ...parameters],
    open: {
      test: (name) => parseAttribute(name) !== undefined && !domainNames.includes(name),
      describe: 'any attribute as name_i (target) or name_j (source)',
      refuse: (name) => {
        const { attribute = '' } = parseAttribute(name) ?? {}
        if (attribute === 'position') return 'a law reads displacements dx, dy, dz and distances r, r2, not positions'
        if (attribute === 'dimension') return '"dimension" is that of the points; give the attribute another name'
        return isName(attribute) ? undefined : nameRule
      },
    },
  }
}

const parsed = new Remembered<Interaction, Readonly<Record<string, Expr>>>()

/** The expressions of an interaction by role, canonical, with `r` replaced by the root of `r2`. */
export function expressionsOf(law: Interaction): Readonly<Record<string, Expr>> {
  return parsed.of(law, () => {
    const scope = pairScope(Object.keys(law.parameters))
    const distance = power(symbol('r2'), 0.5)
    const roles = Object.entries(law.expressions)
    return Object.freeze(
      Object.fromEntries(roles.map(([role, text]) => [role, substitute(parseFinite(text, scope), { r: distance })])),
    )
  })
}

/** The attributes that expressions read, per side. */
export function attributesOf(expressions: readonly Expr[]): {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
} {
  const sides = { i: new Set<string>(), j: new Set<string>() }
  for (const e of expressions) {
    for (const name of symbolsOf(e)) {
      const found = parseAttribute(name)
      if (found) sides[found.side].add(found.attribute)
    }
  }
  return { targets: [...sides.i].sort(), sources: [...sides.j].sort() }
}

/** The same expression from the other point's view: `_i` and `_j` exchanged, displacements reversed. */
export function exchanged(e: Expr): Expr {
  const swaps: Record<string, Expr> = {}
  for (const name of symbolsOf(e)) {
    const found = parseAttribute(name)
    if (found) swaps[name] = symbol(`${found.attribute}_${found.side === 'i' ? 'j' : 'i'}`)
    else if (name === 'dx' || name === 'dy' || name === 'dz') swaps[name] = negate(symbol(name))
  }
  return substitute(e, swaps)
}

export const sameExpression = (a: Expr, b: Expr): boolean => key(simplify(a)) === key(simplify(b))

/** Whether both points of a pair have the same value of an expression. */
export const isShared = (e: Expr): boolean => sameExpression(e, exchanged(e))
