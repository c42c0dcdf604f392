/**
 * The condition, on the numbers of a pair, that its term has no finite value where the two points coincide.
 *
 * It follows the term as IEEE arithmetic does: a power of 0 may be infinite, infinities may cancel to NaN, and `exp` or `min`
 * may make an infinity finite again. All of this depends on a few numbers of the pair, such as a softening length, and the
 * condition compares them with 0. So no backend tests a result for NaN: shaders may assume that NaN does not exist.
 *
 * @module
 */

import { callOf, powerOf, productOf, sumOf } from '../../../language/canonical.ts'
import { evaluate } from '../../../language/evaluate.ts'
import { functions, type NumericName } from '../../../language/functions/table.ts'
import { attributesIn, isOfStep } from '../../../language/lookups.ts'
import {
  type Call,
  call,
  constant,
  type Expr,
  type ExprKind,
  product,
  sum,
  symbolsOf,
} from '../../../language/nodes.ts'
import { once } from '../../../language/rebuild.ts'
import { substitute } from '../../../language/simplify.ts'
import { factsOf } from '../finite-at-contact.ts'
import { allOf, anyOf, type Condition, notOf } from './conditions.ts'
import { contact, infiniteAbove } from './guard.ts'

type Numbers = Readonly<Record<string, number>>

const constants = (numbers: Numbers) =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, constant(value)]))

/** An expression for coincident points, simplified as if it were finite. */
export const atContact = (e: Expr, parameters: Numbers = {}): Expr =>
  substitute(e, constants({ ...parameters, ...contact }))

export const readsAttribute = (e: Expr): boolean =>
  [...symbolsOf(e)].some((name) => attributesIn(name).length > 0 || isOfStep(name))

/** The smallest normal number and the largest number of a format. */
export interface Format {
  readonly least: number
  readonly most: number
}

export interface Singular extends Format {
  /** The numbers of a run. Without them, the condition reads them by name. */
  readonly parameters?: Numbers | undefined
  /** Attributes that are never 0. */
  readonly nonzero?: readonly string[] | undefined
}

/** When a term with these components is not finite where two points coincide. */
export function singularWhen(components: readonly Expr[], options: Singular): Condition {
  const at = new Contact(options)
  return anyOf(...components.map((e) => at.value(e).bad()))
}

/** When a value at contact is NaN, infinite, or one of these; and otherwise, the value, and when it is 0 or negative. */
interface Value {
  readonly here: () => Expr
  readonly nan: () => Condition
  readonly plus: () => Condition
  readonly minus: () => Condition
  readonly bad: () => Condition
  readonly zero: () => Condition
  readonly negative: () => Condition
}

type Parts = Partial<Value> & Pick<Value, 'here'>

const never = () => false
const infinite = (x: Value) => anyOf(x.plus(), x.minus())
const anyNan = (...all: readonly Value[]) => anyOf(...all.map((x) => x.nan()))

class Contact {
  readonly #options: Singular
  readonly #numbers: Numbers

  constructor(options: Singular) {
    this.#options = options
    this.#numbers = { ...options.parameters, ...contact }
  }

  readonly value: (e: Expr) => Value = once((e) => {
    if (!readsAttribute(e)) return this.#ofRun(e)
    return this.#complete((this.#kinds[e.kind] as (e: Expr) => Parts)(e))
  })

  #complete(parts: Parts): Value {
    const { nan = never, plus = never, minus = never } = parts
    const value: Value = {
      ...{ nan, plus, minus, bad: () => anyOf(value.nan(), value.plus(), value.minus()) },
      zero: () => this.#below(value, this.#options.least, true),
      negative: () => this.#below(value, 0, false),
      ...parts,
    }
    // Parts are shared, so each is made once.
    for (const name of Object.keys(value) as (keyof Value)[]) Object.assign(value, { [name]: lazily(value[name]) })
    return value
  }

  /** A value that is the same for all pairs: it is known, or the numbers of the run decide. */
  #ofRun(e: Expr): Value {
    if (this.#isKnown(e)) {
      const x = evaluate(e, this.#numbers)
      const plus = () => x >= infiniteAbove
      const minus = () => x <= -infiniteAbove
      return this.#complete({ here: () => constant(x), nan: () => Number.isNaN(x), plus, minus })
    }
    const bad = notOf(call('less', callOf('abs', [e]), constant(infiniteAbove)))
    const [above, below] = [call('less', constant(0), e), call('less', e, constant(0))]
    return this.#complete({
      here: () => atContact(e),
      nan: () => allOf(bad, allOf(notOf(above), notOf(below))),
      plus: () => allOf(bad, above),
      minus: () => allOf(bad, below),
      bad: () => bad,
    })
  }

  #isKnown(e: Expr): boolean {
    return [...symbolsOf(e)].every((name) => Object.hasOwn(this.#numbers, name))
  }

  /** Compares a finite value, or its size, with a limit, unless its structure tells. */
  #below(value: Value, limit: number, size: boolean): Condition {
    if (value.bad() === true) return false
    const here = value.here()
    if (here.kind === 'constant') return (size ? Math.abs(here.value) : here.value) < limit
    const { nonnegative, nonzero } = factsOf(here, this.#options.nonzero)
    if ((nonnegative || size) && (nonzero || limit === 0)) return false
    return call('less', size && !nonnegative ? callOf('abs', [here]) : here, constant(limit))
  }

  /** Whether a root is NaN. Without a distance in it, it is NaN for these points everywhere: the law has no value for them. */
  #unrooted(base: Expr): Condition {
    return [...symbolsOf(base)].some((name) => Object.hasOwn(contact, name)) && this.value(base).negative()
  }

  readonly #kinds: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => Parts } = {
    constant: (e) => ({ here: () => e }),
    symbol: (e) => ({ here: () => e }),
    sum: ({ terms }) => {
      const all = this.#operands(terms, sum)
      const [plus, minus] = [() => anyOf(...all.map((x) => x.plus())), () => anyOf(...all.map((x) => x.minus()))]
      const cancels = (x: Value) => allOf(x.plus(), anyOf(...all.filter((y) => y !== x).map((y) => y.minus())))
      return {
        here: () => sumOf(all.map((x) => x.here())),
        nan: () => anyOf(anyNan(...all), ...all.map(cancels)),
        plus: () => allOf(plus(), notOf(minus())),
        minus: () => allOf(minus(), notOf(plus())),
        bad: () => anyOf(...all.map((x) => x.bad())),
      }
    },
    product: ({ factors }) => {
      const all = this.#operands(factors, product)
      const large = () => allOf(anyOf(...all.map(infinite)), notOf(anyOf(...all.map((x) => x.zero()))))
      const odd = () =>
        all
          .map((x) => anyOf(x.minus(), allOf(notOf(x.plus()), x.negative())))
          .reduce((a, b) => anyOf(allOf(a, notOf(b)), allOf(notOf(a), b)), false)
      const cancels = (x: Value) => allOf(infinite(x), anyOf(...all.filter((y) => y !== x).map((y) => y.zero())))
      return {
        here: () => productOf(all.map((x) => x.here())),
        nan: () => anyOf(anyNan(...all), ...all.map(cancels)),
        plus: () => allOf(large(), notOf(odd())),
        minus: () => allOf(large(), odd()),
        bad: () => anyOf(...all.map((x) => x.bad())),
      }
    },
    power: ({ base, exponent }) => {
      const x = this.value(base)
      const whole = Number.isInteger(exponent)
      const nan = () => anyOf(x.nan(), ...(whole ? [] : [x.minus(), this.#unrooted(base)]))
      if (exponent > 0) {
        const odd = whole && exponent % 2 !== 0
        const here = () => powerOf(x.here(), exponent)
        return { here, nan, plus: () => (odd || !whole ? x.plus() : infinite(x)), minus: () => odd && x.minus() }
      }
      // A smaller base has a power that the format does not hold.
      const least = Math.max(this.#options.least, this.#options.most ** (1 / exponent))
      const plus = () => this.#below(x, least, true)
      // The root of a number below 0 is as bad as the root of 0: one comparison finds both.
      const bad = () => anyOf(x.nan(), whole ? plus() : anyOf(x.minus(), this.#below(x, least, false)))
      return { here: () => choice(infinite(x), constant(0), powerOf(x.here(), exponent)), nan, plus, bad }
    },
    call: (e) => {
      const [a, b, c] = e.args as readonly [Expr, Expr, Expr]
      if (e.name === 'select') return chosen(this.#holds(a), this.value(b), this.value(c))
      if (e.name === 'min') return chosen(this.#holds(call('less', b, a)), this.value(b), this.value(a))
      if (e.name === 'max') return chosen(this.#holds(call('less', a, b)), this.value(b), this.value(a))
      if (e.name === 'pow') return this.#pow(a, b)
      const [x, y] = [this.value(a), b && this.value(b)]
      if (!y) return this.#ofOne(e.name as NumericName, a, x)
      return { here: () => callOf(e.name, [x.here(), y.here()]), nan: () => anyNan(x, y) }
    },
  }

  /** Joins all operands that read no attribute into one: infinities in it may cancel with certainty. */
  #operands(all: readonly Expr[], build: (...operands: readonly Expr[]) => Expr): readonly Value[] {
    const same = all.filter((e) => !readsAttribute(e))
    const others = all.filter(readsAttribute)
    return [...(same.length > 0 ? [build(...same)] : []), ...others].map(this.value)
  }

  /** A function of one number is finite for finite numbers in its domain. The others are tried. */
  #ofOne(name: NumericName, operand: Expr, x: Value): Parts {
    const { value, domain } = functions[name]
    const tried: readonly (readonly [number, () => Condition])[] = [
      [Number.NaN, x.nan],
      [Number.POSITIVE_INFINITY, x.plus],
      [Number.NEGATIVE_INFINITY, x.minus],
      [0, () => domain === 'positive' && x.zero()],
      [-1, () => domain === 'positive' && this.#unrooted(operand)],
    ]
    const where = (test: (y: number) => boolean) => () =>
      anyOf(...tried.filter(([at]) => test(value(at))).map(([, when]) => when()))
    // The values for an infinity or NaN.
    const finite = tried.slice(0, 3).filter(([at]) => Number.isFinite(value(at)))
    return {
      here: () => finite.reduce((e, [at, when]) => choice(when(), constant(value(at)), e), callOf(name, [x.here()])),
      nan: where(Number.isNaN),
      plus: where((y) => y === Number.POSITIVE_INFINITY),
      minus: where((y) => y === Number.NEGATIVE_INFINITY),
    }
  }

  /** A power with a computed exponent. The 0th power is 1 for all numbers. */
  #pow(base: Expr, exponent: Expr): Parts {
    const [x, n] = [this.value(base), this.value(exponent)]
    const fraction = () => notOf(this.#holds(call('equal', call('floor', exponent), exponent)))
    const rises = () => allOf(notOf(n.zero()), notOf(n.negative()))
    const large = () => choice(n.negative(), constant(0), constant(1))
    return {
      here: () => choice(infinite(x), large(), callOf('pow', [x.here(), n.here()])),
      nan: () => anyOf(n.bad(), allOf(notOf(n.zero()), x.nan()), allOf(this.#unrooted(base), fraction())),
      plus: () => anyOf(allOf(x.zero(), n.negative()), allOf(infinite(x), rises())),
    }
  }

  /** Whether a condition of the law holds at contact. Comparisons with NaN are false. */
  #holds(condition: Expr): Condition {
    if (!readsAttribute(condition))
      return this.#isKnown(condition) ? evaluate(condition, this.#numbers) !== 0 : condition
    const { name, args } = condition as Call
    const [a, b] = args as readonly [Expr, Expr]
    if (name === 'not') return notOf(this.#holds(a))
    if (name === 'and') return allOf(this.#holds(a), this.#holds(b))
    if (name === 'or') return anyOf(this.#holds(a), this.#holds(b))
    const [x, y] = [this.value(a), this.value(b)]
    const same = anyOf(allOf(x.plus(), y.plus()), allOf(x.minus(), y.minus()))
    const less = anyOf(allOf(x.minus(), notOf(y.minus())), allOf(y.plus(), notOf(x.plus())))
    const finite = callOf(name, [x.here(), y.here()])
    const compared = allOf(
      notOf(anyOf(x.bad(), y.bad())),
      symbolsOf(finite).size === 0 ? evaluate(finite) !== 0 : finite,
    )
    return allOf(notOf(anyNan(x, y)), anyOf(compared, name !== 'equal' && less, name !== 'less' && same))
  }
}

function lazily<T extends Condition>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** One of two values. */
function chosen(when: Condition, a: Value, b: Value): Parts {
  const of = (what: 'nan' | 'plus' | 'minus' | 'bad') => () =>
    anyOf(allOf(when, a[what]()), allOf(notOf(when), b[what]()))
  return {
    here: () => choice(when, a.here(), b.here()),
    nan: of('nan'),
    plus: of('plus'),
    minus: of('minus'),
    bad: of('bad'),
  }
}

function choice(when: Condition, a: Expr, b: Expr): Expr {
  if (typeof when === 'boolean') return when ? a : b
  return callOf('select', [when, a, b])
}
