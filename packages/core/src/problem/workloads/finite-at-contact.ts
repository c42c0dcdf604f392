/**
 * Whether an expression of a pair is finite where a point meets itself, for all finite attributes.
 *
 * Loops compute a radial term even for a point with itself, because its displacement is zero there. This needs a finite
 * coefficient. The proof is by structure: `false` means "not proven". Parameters have their actual values: a term that is
 * infinite because of a parameter alone is infinite for every pair.
 *
 * @module
 */

import { parseAttribute } from '../../ground/names.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { functions } from '../../language/functions/table.ts'
import { attributesIn, isOfStep } from '../../language/lookups.ts'
import { constant, type Expr, type ExprKind, symbol, symbolsOf } from '../../language/nodes.ts'
import { once } from '../../language/rebuild.ts'
import { substitute } from '../../language/simplify.ts'
import { smallest } from './numbers/number-range.ts'

/** Facts about a real value. */
export interface Facts {
  readonly finite: boolean
  readonly nonnegative: boolean
  /** Not even so small that float32 does not hold it. */
  readonly nonzero: boolean
  /** Depends only on numbers and parameters. */
  readonly fixed: boolean
}

/** @param nonzero attributes of the target that are never 0 */
export function finiteAtContact(e: Expr, nonzero: readonly string[]): boolean {
  const values: Record<string, Expr> = { dx: constant(0), dy: constant(0), dz: constant(0) }
  for (const name of symbolsOf(e)) {
    const found = parseAttribute(name)
    if (found) values[name] = symbol(`${found.attribute}_i`)
  }
  return factsOf(substitute(e, values), nonzero).finite
}

/** The facts that the structure of an expression proves about its value, for all attributes and a positive `r2`. */
export function factsOf(e: Expr, nonzero: readonly string[] = []): Facts {
  const never0 = new Set(nonzero.map((name) => `${name}_i`))
  const know: Visit = once((e) => (knowledge[e.kind] as (e: Expr, know: Visit) => Facts)(e, know))
  const knowledge: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>, know: Visit) => Facts } = {
    ...composed,
    symbol: ({ name }, know) => {
      if (name === 'r2') return { ...positive, fixed: false }
      const component = foldBody(name)
      if (component) return { ...know(component), nonzero: false, fixed: false }
      const varies = attributesIn(name).length > 0 || isOfStep(name)
      return { finite: true, nonnegative: false, nonzero: never0.has(name), fixed: !varies }
    },
  }
  return know(e)
}

type Visit = (e: Expr) => Facts

const positive: Facts = { finite: true, nonnegative: true, nonzero: true, fixed: true }
const every = (all: readonly Facts[], what: keyof Facts) => all.every((one) => one[what])

const composed: { readonly [K in Exclude<ExprKind, 'symbol'>]: (e: Extract<Expr, { kind: K }>, know: Visit) => Facts } =
  {
    constant: ({ value }) => ({
      finite: Number.isFinite(value),
      nonnegative: value >= 0,
      nonzero: Math.abs(value) >= smallest,
      fixed: true,
    }),
    sum: ({ terms }, know) => {
      const all = terms.map(know)
      const nonnegative = every(all, 'nonnegative')
      return {
        finite: every(all, 'finite'),
        nonnegative,
        nonzero: nonnegative && all.some((term) => term.nonzero),
        fixed: every(all, 'fixed'),
      }
    },
    product: ({ factors }, know) => {
      const all = factors.map(know)
      return {
        finite: every(all, 'finite'),
        nonnegative: every(all, 'nonnegative'),
        nonzero: every(all, 'nonzero'),
        fixed: every(all, 'fixed'),
      }
    },
    power: ({ base, exponent }, know) => {
      if (base.kind === 'constant') return know(constant(base.value ** exponent))
      const b = know(base)
      const whole = Number.isInteger(exponent)
      const defined = b.fixed || ((whole || b.nonnegative) && (exponent >= 0 || b.nonzero))
      return {
        finite: b.finite && defined,
        nonnegative: b.nonnegative || !whole || exponent % 2 === 0,
        nonzero: b.nonzero,
        fixed: b.fixed,
      }
    },
    call: ({ name, args }, know) => {
      const [condition, chosen] = args
      if (name === 'select' && condition && chosen && holds(condition, know)) return know(chosen)
      const all = args.map(know)
      const [first] = all
      const fixed = every(all, 'fixed')
      const definition = functions[name]
      const { domain, range } = 'range' in definition ? definition : exactChoice
      const defined = domain === 'all' || (domain === 'positive' && first?.nonnegative && first.nonzero)
      return {
        finite: fixed || (every(all, 'finite') && defined === true),
        nonnegative: range !== 'all',
        nonzero: range === 'positive',
        fixed,
      }
    },
  }

/** A choice is finite if both operands are, and has the sign of either. */
const exactChoice = { domain: 'all', range: 'all' } as const

/** Whether a condition is known to hold. A cutoff has no effect where points touch. */
function holds(condition: Expr, know: Visit): boolean {
  if (condition.kind !== 'call' || condition.name !== 'lessEqual') return false
  const [a, b] = condition.args
  return a?.kind === 'constant' && a.value <= 0 && b !== undefined && know(b).nonnegative
}
