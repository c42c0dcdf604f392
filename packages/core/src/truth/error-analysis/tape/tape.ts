/**
 * Running error analysis of expressions: a list of steps in float64. Each step computes a value, and how far a device's value
 * may be from it.
 *
 * The error is also divided in two. The random part comes from roundings of numbers that differ from pair to pair. They are
 * independent, so it is the root of the sum of their squares. The systematic part is the rest, which may be the same for all
 * pairs: errors of parameters, constants and functions, decisions by rounding, and errors too large to propagate linearly.
 *
 * Steps compute (`operations.ts`) or decide (`decisions.ts`). This file records them, and knows which numbers share roundings.
 *
 * @source J. H. Wilkinson, Rounding Errors in Algebraic Processes (1963)
 * @source N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), 3.3: running error analysis
 * @module
 */
import { functionErrors } from '../../../language/functions/errors.ts'
import { type ChoiceName, functions, type NumericName } from '../../../language/functions/table.ts'
import { type Expr, type ExprKind, isCondition, key, symbolsOf } from '../../../language/nodes.ts'
import { type Arithmetic, arithmeticOf } from '../arithmetic.ts'
import { type Loss, losing, lossOfFunction, lossOfPower, lossOfProduct, lossOfSum } from '../losses.ts'
import { type Input, joinOf, type NumberFacts, union } from '../parts.ts'
import { type AnalysisStep, comparison, logic, negation, selection } from './decisions.ts'
import { addition, application, exponentiation, multiplication } from './operations.ts'
import { rootedBases } from './powers.ts'

/** The arithmetic of the host. */
const host = arithmeticOf({ precision: 'f64', kind: 'cpu' })

/** The place of a result. */
interface Slot extends NumberFacts {
  readonly index: number
}

/** Expressions that are analysed many times. Inputs are in the slots of their names, with an error beside each value. */
export interface Tape {
  readonly values: Float64Array
  readonly errors: Float64Array
  /** The part of each error that may be the same in all runs. */
  readonly systematic: Float64Array
  /** The root of the sum of the squares of all independent roundings. */
  readonly random: Float64Array
  /** The loss of float64 in each value. Left out for float32, where it is far below the errors. */
  readonly lost: Float64Array
  /** Slots of the expressions, in order. */
  readonly outputs: readonly number[]
  /** Slots with values that are rounded independently of other runs, unless the values are the same. */
  readonly rounded: readonly number[]
  run(): void
}

export function tapeOf(
  expressions: readonly Expr[],
  inputs: readonly string[],
  arithmetic: Arithmetic,
  known: Readonly<Record<string, Input>> = {},
): Tape {
  const recorder = new Recorder(inputs, arithmetic, known, rootedBases(expressions))
  const outputs = expressions.map((e) => recorder.slotOf(e).index)
  const { steps, rounded } = recorder
  const column = () => new Float64Array(inputs.length + steps.length)
  const [values, errors, systematic, random, lost] = [column(), column(), column(), column(), column()]
  return {
    ...{ values, errors, systematic, random, lost, outputs, rounded },
    run() {
      for (const step of steps) step(values, errors, systematic, random, lost)
    },
  }
}

class Recorder {
  readonly steps: AnalysisStep[] = []
  readonly rounded: number[] = []
  readonly #known = new Map<string, Slot>()
  readonly #bits = new Map<string | number, bigint>()

  constructor(
    readonly inputs: readonly string[],
    readonly arithmetic: Arithmetic,
    readonly about: Readonly<Record<string, Input>>,
    readonly rooted: ReadonlySet<string>,
  ) {}

  /** Records the steps of an expression, or finds those recorded before. */
  slotOf(e: Expr): Slot {
    const known = this.#known.get(key(e))
    if (known) return known
    const slot = this.#perRun(e) ? this.#onHost(e) : (this.#kinds[e.kind] as (e: Expr) => Slot)(e)
    this.#known.set(key(e), slot)
    return slot
  }

  /** Whether the host computes it. */
  #perRun(e: Expr): boolean {
    if (e.kind === 'symbol' || isCondition(e)) return false
    const names = [...symbolsOf(e)]
    return names.length > 0 && names.every((name) => Object.hasOwn(this.about, name) && this.about[name]?.perRun)
  }

  /** A number that is computed in float64, once, and then rounded. */
  #onHost(e: Expr): Slot {
    const names = [...symbolsOf(e)]
    const slots = names.map((name) => this.inputs.indexOf(name))
    const tape = tapeOf([e], names, host)
    const { stored } = this.arithmetic
    let [value, error, lost] = [0, Number.NaN, 0]
    const compute = (v: Float64Array) => {
      for (const [n, slot] of slots.entries()) tape.values[n] = v[slot] as number
      tape.run()
      const [result = 0] = tape.outputs
      value = tape.values[result] as number
      error = stored(value) + (tape.errors[result] as number)
      lost = tape.lost[result] as number
    }
    return this.#push({ nonnegative: false, roundings: 0n }, (k) => (v, e, s, _, l) => {
      if (Number.isNaN(error)) compute(v)
      v[k] = value
      l[k] = lost
      e[k] = error
      s[k] = error
    })
  }

  #push(known: NumberFacts, step: (k: number) => AnalysisStep): Slot {
    const index = this.inputs.length + this.steps.length
    this.steps.push(step(index))
    return { ...known, index }
  }

  /** A step with a value that float64 rounds. */
  #pushLosing(known: NumberFacts, loss: Loss, step: (k: number) => AnalysisStep): Slot {
    return this.#push(known, (k) => (this.arithmetic.single ? step(k) : losing(loss, k, step(k))))
  }

  /** A step with its own rounding. The rounding is random if its operands differ from run to run. */
  #pushRounded(known: NumberFacts, loss: Loss, step: (k: number, random: boolean) => AnalysisStep): Slot {
    const index = this.inputs.length + this.steps.length
    const random = known.roundings !== 0n
    if (random) this.rounded.push(index)
    const facts = random ? { ...known, roundings: known.roundings | this.#bit(index) } : known
    return this.#pushLosing(facts, loss, (k) => step(k, random))
  }

  #bit(rounding: string | number): bigint {
    const bit = this.#bits.get(rounding) ?? 1n << BigInt(this.#bits.size)
    this.#bits.set(rounding, bit)
    return bit
  }

  readonly #kinds: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => Slot } = {
    constant: ({ value }) => {
      const error = this.arithmetic.literal(value)
      return this.#push({ nonnegative: value >= 0, roundings: 0n }, (k) => (v, e, s) => {
        v[k] = value
        e[k] = error
        s[k] = error
      })
    },
    symbol: ({ name }) => {
      const index = this.inputs.indexOf(name)
      if (index < 0) throw new Error(`expected a value for "${name}", got ${this.inputs.join(', ') || 'none'}`)
      const about: Input = (Object.hasOwn(this.about, name) && this.about[name]) || {}
      const { nonnegative = false, roundings = [], squares = [] } = about
      const bits = roundings.reduce((all, one) => all | this.#bit(one), 0n)
      return { index, nonnegative, roundings: bits, squares: squares.map((one) => this.inputs.indexOf(one)) }
    },
    sum: ({ terms }) => this.#sum(terms.map((t) => this.slotOf(t))),
    product: ({ factors }) =>
      factors.length === 0
        ? this.slotOf({ kind: 'constant', value: 1 })
        : factors.map((f) => this.slotOf(f)).reduce((a, b, n) => this.#product(a, b, n === factors.length - 1)),
    power: ({ base, exponent }) => this.#power(this.slotOf(base), exponent, this.rooted.has(key(base))),
    call: ({ name, args }) => {
      const slots = args.map((arg) => this.slotOf(arg))
      return name in functionErrors
        ? this.#function(name as NumericName, slots)
        : this.#choices[name as ChoiceName](slots)
    },
  }

  #sum(terms: readonly Slot[]): Slot {
    const slots = terms.map(({ index }) => index)
    const squares = slots.length > 1 ? terms.flatMap((t) => t.squares ?? []) : []
    this.#partialSums(terms, squares)
    const once = slots.length === 2 && squares.length === 0
    const additions = Math.max(0, slots.length - 1 + Math.max(0, squares.length - 1))
    const known = { nonnegative: terms.every((t) => t.nonnegative), roundings: union(terms) }
    const how = { additions, once, join: joinOf(terms) }
    return this.#pushRounded(known, lossOfSum(slots), addition(this.arithmetic, slots, how))
  }

  /** Records sums of one square and the other terms, which may repeat more often than the whole sum. */
  #partialSums(terms: readonly Slot[], squares: readonly number[]): void {
    const others = terms.filter((t) => !t.squares?.length).map(({ index }) => index)
    for (const square of squares) {
      const { index } = this.#push({ nonnegative: false, roundings: 0n }, (k) => (v) => {
        let value = (v[square] as number) ** 2
        for (const slot of others) value += v[slot] as number
        v[k] = value
      })
      this.rounded.push(index)
    }
  }

  /** @param whole false for a part of a longer product, because devices may group the factors in other ways */
  #product(first: Slot, second: Slot, whole: boolean): Slot {
    const slots = [first.index, second.index] as const
    const known = { nonnegative: first.nonnegative && second.nonnegative, roundings: union([first, second]) }
    const step = multiplication(this.arithmetic, slots, { whole, join: joinOf([first, second]) })
    return this.#pushRounded(known, lossOfProduct(...slots), step)
  }

  #power({ index: a, nonnegative, roundings }: Slot, exponent: number, rooted: boolean): Slot {
    const even = Number.isInteger(exponent) && exponent % 2 === 0
    const known = { nonnegative: nonnegative || even || !Number.isInteger(exponent), roundings }
    const step = exponentiation(this.arithmetic, a, { exponent, rooted, nonnegative })
    return this.#pushRounded(known, lossOfPower(a, exponent), step)
  }

  #function(name: NumericName, operands: readonly Slot[]): Slot {
    const slots = operands.map(({ index }) => index)
    const known = { nonnegative: functions[name].range !== 'all', roundings: union(operands) }
    const step = application(this.arithmetic, name, slots)
    return this.#pushLosing(known, lossOfFunction(name, slots), (k) => step(k, false))
  }

  /** A decision between numbers: its error has no random part. */
  #decision(make: (k: number, a: number, b: number) => AnalysisStep): (args: readonly Slot[]) => Slot {
    return (args) => {
      const [a, b = a] = args.map(({ index }) => index) as [number, number?]
      return this.#push({ nonnegative: true, roundings: union(args) }, (k) => make(k, a, b))
    }
  }

  readonly #choices: { readonly [C in ChoiceName]: (args: readonly Slot[]) => Slot } = {
    less: this.#decision(comparison((x, y) => x < y)),
    lessEqual: this.#decision(comparison((x, y) => x <= y)),
    equal: this.#decision(comparison((x, y) => x === y)),
    and: this.#decision(logic(0)),
    or: this.#decision(logic(1)),
    not: this.#decision(negation),
    select: (args) => {
      const [when, first, second] = args as [Slot, Slot, Slot]
      const known = { nonnegative: first.nonnegative && second.nonnegative, roundings: union(args) }
      return this.#push(known, (k) => selection(k, when.index, first.index, second.index))
    },
  }
}
