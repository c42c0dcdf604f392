/**
 * Decides when each part of an expression is computed: once per run, once per target, once per source, or in the loop. It
 * also names values that the loop needs more than once. The result is a list of bindings per rate, ready to be rendered.
 *
 * Nothing here knows about pairs, points or hardware: rates are sets of names, and a node belongs to the union of its
 * operands' rates.
 *
 * @module
 */
import { expandPowers, type RootStyle } from './expand-powers.ts'
import { isLong } from './limit-size.ts'
import {
  children,
  type Expr,
  isCondition,
  isConstant,
  key,
  nodesOf,
  type Product,
  product,
  type Sum,
  splitCoefficient,
  sum,
  symbol,
  symbolsOf,
} from './nodes.ts'
import { once, rebuildOperands, rebuildWith } from './rebuild.ts'

/** How often a value changes: per run (a parameter), per target, per source, or with every step of the loop. */
export type Rate = 'run' | 'target' | 'source' | 'loop'

/** `name = expr`; later bindings and outputs refer to it by name. */
export interface Binding {
  readonly name: string
  readonly expr: Expr
}

export interface Schedule {
  /** Values computed from parameters on the host, in float64, once per run. Named `p0, p1, ...`. */
  readonly run: readonly Binding[]
  /** Values computed from target attributes and run bindings. Named `t0, t1, ...`. */
  readonly target: readonly Binding[]
  /** Values computed from source attributes and run bindings. Named `s0, s1, ...`. */
  readonly source: readonly Binding[]
  /** Values computed from loop symbols and the bindings of all rates, in order. Named `e0, e1, ...`. */
  readonly loop: readonly Binding[]
  readonly outputs: readonly Expr[]
}

/** A value of the loop that other loop expressions use by name, such as `r2`. It stays a symbol until it is inlined or bound. */
export type Given = Binding

export interface ScheduleOptions {
  readonly rateOf: (name: string) => Rate
  /** Loop values by name, in order. A value used once is inlined; an unused one disappears. */
  readonly given?: readonly Given[]
  readonly roots?: RootStyle
  /** Names of values that are never 0. */
  readonly positive?: readonly string[]
}

const prefixes = { run: 'p', target: 't', source: 's' } as const
type Hoisted = keyof typeof prefixes

/** Sorts the computation of `outputs` by rate, in order. */
export function schedule(outputs: readonly Expr[], options: ScheduleOptions): Schedule {
  const given = options.given ?? []
  const { roots = 'inverseSqrt', positive } = options
  const expanded = expandPowers([...given.map((g) => g.expr), ...outputs], roots, positive)
  const freshName = namesBeside(expanded)
  const hoisted = new Hoister(options.rateOf, freshName)
  const bodies = inlineGiven(
    given.map((g, i) => ({ name: g.name, expr: expanded[i] as Expr })),
    expanded.slice(given.length),
  )
  const results = bodies.outputs.map((e) => hoisted.loop(e))
  const named = bodies.given.map((g) => ({ name: g.name, expr: hoisted.loop(g.expr) }))
  const shared = shareCommon(named, results, freshName)
  return { ...hoisted.bindings, ...shared }
}

/** Makes names `prefix0`, `prefix1`, ..., skipping the names that the expressions use. */
function namesBeside(expressions: readonly Expr[]): (prefix: string) => string {
  const taken = symbolsOf(...expressions)
  return (prefix) => {
    let n = 0
    while (taken.has(`${prefix}${n}`)) n++
    taken.add(`${prefix}${n}`)
    return `${prefix}${n}`
  }
}

/** The rate of a node over two operands: the loop, unless one rate contains the other. */
function join(a: Rate, b: Rate): Rate {
  if (a === b || b === 'run') return a
  return a === 'run' ? b : 'loop'
}

/** Moves every maximal subexpression that does not belong to the loop into a binding of its rate. */
class Hoister {
  readonly bindings: Record<Hoisted, Binding[]> = { run: [], target: [], source: [] }
  readonly #names = new Map<string, Expr>()
  readonly #rates = new Map<Expr, Rate>()

  constructor(
    readonly rateOf: (name: string) => Rate,
    readonly freshName: (prefix: string) => string,
  ) {}

  rate(e: Expr): Rate {
    let rate = this.#rates.get(e)
    if (rate === undefined) {
      rate =
        e.kind === 'symbol'
          ? this.rateOf(e.name)
          : children(e)
              .map((c) => this.rate(c))
              .reduce(join, 'run')
      this.#rates.set(e, rate)
    }
    return rate
  }

  /** The expression as the loop sees it: parts of earlier rates are now names. */
  readonly loop: (e: Expr) => Expr = once((e) => {
    const rate = this.rate(e)
    if (rate !== 'loop') return this.#bind(e, rate)
    if (e.kind === 'sum') return this.#regroup(e, e.terms, sum)
    if (e.kind === 'product') return this.#regroup(e, e.factors, product)
    return rebuildOperands(e, this.loop)
  })

  #bind(e: Expr, rate: Hoisted): Expr {
    if (symbolless(e)) return e
    // A binding is a number, so bind the operands of a condition. Nor can a binding of points have parts with names, so that a
    // recurrence would be written out.
    if (isCondition(e) || (rate !== 'run' && isLong(e))) return rebuildOperands(e, this.loop)
    const known = this.#names.get(key(e))
    if (known) return known
    // Target and source bindings keep the names of their attributes. Parts of them that depend on the run alone are bound per run.
    const expr = rate === 'run' ? e : this.#withoutRun(e)
    const name = symbol(this.freshName(prefixes[rate]))
    this.bindings[rate].push({ name: name.name, expr })
    this.#names.set(key(e), name)
    return name
  }

  readonly #withoutRun: (e: Expr) => Expr = once((e) => {
    if (this.rate(e) === 'run') return this.#bind(e, 'run')
    if (e.kind === 'symbol') return e
    const parts = e.kind === 'sum' ? e.terms : e.kind === 'product' ? e.factors : undefined
    const run = parts?.filter((part) => this.rate(part) === 'run') ?? []
    if (run.length < 2) return rebuildOperands(e, this.#withoutRun)
    const build = e.kind === 'sum' ? sum : product
    const rest = (parts ?? []).filter((part) => this.rate(part) !== 'run').map((part) => this.#withoutRun(part))
    return build(this.#bind(build(...run), 'run'), ...rest)
  })

  /** Groups operands of one rate, so that `G * mass_j * y` hoists `G * mass_j` as one value of the source. */
  #regroup(e: Sum | Product, operands: readonly Expr[], build: typeof sum | typeof product): Expr {
    // A sign costs nothing in the loop, where it makes a subtraction. Hoisted, it would need another value.
    const signs: readonly Expr[] = e.kind === 'product' ? operands.filter((o) => isConstant(o, -1)) : []
    const of = (rate: Rate) => operands.filter((o) => this.rate(o) === rate && !signs.includes(o))
    const [run, target, source, rest] = [of('run'), of('target'), of('source'), of('loop')]
    // A value of the run joins an operand that is hoisted anyway. A lone number stays a literal in the loop.
    const host = source.length ? source : target.length ? target : run
    const groups = [host === run ? run : [...run, ...host], ...(host === source ? [target] : [])]
    const merged = groups.filter((g) => g.length).map((g) => this.loop(g.length === 1 ? (g[0] as Expr) : build(...g)))
    return build(...signs, ...merged, ...rest.map((r) => this.loop(r)))
  }
}

const symbolless = (e: Expr): boolean => e.kind !== 'symbol' && children(e).every(symbolless)

/** Inlines a given value that is used once, and flattens sums there so that terms can be fused. */
function inlineGiven(
  given: readonly Binding[],
  outputs: readonly Expr[],
): { given: Binding[]; outputs: readonly Expr[] } {
  let kept = [...given]
  let bodies = outputs
  for (const { name } of [...given].reverse()) {
    const body = kept.find((g) => g.name === name)?.expr as Expr
    const seen = new Set<string>()
    const count = [...kept.map((g) => g.expr), ...bodies].reduce((total, e) => total + countUses(e, name, seen), 0)
    if (count > 1 || (count === 1 && !inSum(bodies, name))) continue
    const replace = (e: Expr): Expr =>
      rebuildWith(e, {
        symbol: (s) => (s.name === name ? body : s),
        sum: (s, again) => sum(...s.terms.map(again).flatMap((t) => (t.kind === 'sum' && isPlain(t) ? t.terms : [t]))),
      })
    kept = kept.filter((g) => g.name !== name).map((g) => ({ name: g.name, expr: replace(g.expr) }))
    bodies = bodies.map(replace)
  }
  return { given: kept, outputs: bodies }
}

/** Keep a difference together: `(xj - xi) + c` keeps digits that `(xj + c) - xi` would lose far from the origin. */
const isPlain = ({ terms }: Sum): boolean => terms.every((t) => splitCoefficient(t)[0] >= 0)

const inSum = (bodies: readonly Expr[], name: string): boolean =>
  [...nodesOf(...bodies)].some((e) => e.kind === 'sum' && e.terms.some((t) => t.kind === 'symbol' && t.name === name))

/** The number of uses of a symbol. A shared subtree counts once, because it is computed once. */
function countUses(e: Expr, name: string, seen: Set<string>): number {
  if (e.kind === 'symbol') return e.name === name ? 1 : 0
  const k = key(e)
  if (seen.has(k)) return 0
  seen.add(k)
  return children(e).reduce((total, child) => total + countUses(child, name, seen), 0)
}

/** Names every loop subexpression that is used more than once, in order of dependence. */
function shareCommon(
  given: readonly Binding[],
  outputs: readonly Expr[],
  freshName: (prefix: string) => string,
): { loop: Binding[]; outputs: readonly Expr[] } {
  const uses = new Map<string, number>()
  const count = (e: Expr): void => {
    const k = key(e)
    uses.set(k, (uses.get(k) ?? 0) + 1)
    if (uses.get(k) === 1) children(e).forEach(count)
  }
  for (const e of [...given.map((g) => g.expr), ...outputs]) count(e)

  const loop: Binding[] = []
  const pending = new Map(given.map((g) => [g.name, g.expr]))
  const names = new Map<string, Expr>()
  const share = (e: Expr): Expr => {
    if (e.kind === 'symbol') {
      const body = pending.get(e.name)
      if (body) {
        pending.delete(e.name)
        loop.push({ name: e.name, expr: share(body) })
      }
      return e
    }
    if (isConstant(e) || symbolless(e)) return e
    const k = key(e)
    const known = names.get(k)
    if (known) return known
    const shared = rebuildOperands(e, share)
    if ((uses.get(k) ?? 0) < 2) return shared
    const name = symbol(freshName('e'))
    names.set(k, name)
    loop.push({ name: name.name, expr: shared })
    return name
  }
  for (const { name } of given) share(symbol(name))
  return { outputs: outputs.map(share), loop }
}
