/**
 * Whether an expression of a pair is finite where a point meets itself, for all finite attributes.
 *
 * Loops compute a radial term even for a point with itself, because its displacement is zero there. This needs a finite
 * coefficient. The proof is by structure: `false` means "not proven". Parameters have their actual values: a term that is
 * infinite because of a parameter alone is infinite for every pair.
 *
 * @module
 */
import { functions } from '../expression/functions/table.ts'
import { constant, type Expr, type ExprKind, symbol, symbolsOf } from '../expression/nodes.ts'
import { substitute } from '../expression/simplify.ts'
import { parseAttribute } from '../interactions/interaction.ts'

/** What is known about a real value. */
interface Known {
  readonly finite: boolean
  readonly nonnegative: boolean
  readonly nonzero: boolean
  /** Depends only on numbers and parameters. */
  readonly fixed: boolean
}

export interface Contact {
  /** Whether `r2` is 0; otherwise it is some positive number. */
  readonly touching: boolean
  /** Attributes that are never 0. */
  readonly nonzero?: readonly string[]
}

export function finiteAtContact(e: Expr, { touching, nonzero = [] }: Contact): boolean {
  const values: Record<string, Expr> = { dx: constant(0), dy: constant(0), dz: constant(0) }
  if (touching) values.r2 = constant(0)
  for (const name of symbolsOf(e)) {
    const found = parseAttribute(name)
    if (found) values[name] = symbol(`${found.attribute}_i`)
  }
  const never0 = new Set(nonzero.map((name) => `${name}_i`))
  const know = (e: Expr): Known => (knowledge[e.kind] as (e: Expr, know: Visit) => Known)(e, know)
  const knowledge: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>, know: Visit) => Known } = {
    ...composed,
    symbol: ({ name }) => {
      if (name === 'r2') return { ...positive, fixed: false }
      const attribute = parseAttribute(name) !== undefined
      return { finite: true, nonnegative: false, nonzero: never0.has(name), fixed: !attribute }
    },
  }
  return know(substitute(e, values)).finite
}

type Visit = (e: Expr) => Known

const positive: Known = { finite: true, nonnegative: true, nonzero: true, fixed: true }
const every = (all: readonly Known[], what: keyof Known) => all.every((one) => one[what])

const composed: { readonly [K in Exclude<ExprKind, 'symbol'>]: (e: Extract<Expr, { kind: K }>, know: Visit) => Known } =
  {
    constant: ({ value }) => ({
      finite: Number.isFinite(value),
      nonnegative: value >= 0,
      nonzero: value !== 0,
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
