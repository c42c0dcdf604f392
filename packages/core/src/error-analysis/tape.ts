/**
 * Running error analysis of expressions: a list of steps in float64. Each step computes a value, and how far a device's value
 * may be from it.
 *
 * Each step adds the propagated errors of its operands (`expression/functions/errors.ts`) and the error of the operation
 * itself (`arithmetic.ts`). Backends may add and multiply in any order, so a sum of several terms gets the error of the worst
 * order; products lose the same in every order. A condition is 1 or 0, with error 1 if rounding could decide it. What depends
 * on such a condition may be off by the difference of both branches.
 *
 * @source J. H. Wilkinson, Rounding Errors in Algebraic Processes (1963)
 * @source N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), 3.3: running error analysis
 * @module
 */
import { functionErrors } from '../expression/functions/errors.ts'
import { type ChoiceName, functions, type NumericName } from '../expression/functions/table.ts'
import { children, type Expr, type ExprKind, key } from '../expression/nodes.ts'
import { type Arithmetic, isHalf } from './arithmetic.ts'
import { propagatePower } from './propagate-power.ts'

type Step = (v: Float64Array, e: Float64Array) => void

/** The place of a result, and what is known about it before it has a value. */
interface Slot {
  readonly index: number
  /** It cannot be less than 0 on any device. */
  readonly nonnegative: boolean
}

/** Expressions that are analysed many times. Inputs are in the slots of their names, with an error beside each value. */
export interface Tape {
  readonly values: Float64Array
  readonly errors: Float64Array
  /** Slots of the expressions, in order. */
  readonly outputs: readonly number[]
  run(): void
}

/** @param nonnegative inputs that cannot be less than 0 */
export function tapeOf(
  expressions: readonly Expr[],
  inputs: readonly string[],
  arithmetic: Arithmetic,
  nonnegative: readonly string[] = [],
): Tape {
  const recorder = new Recorder(inputs, arithmetic, nonnegative, rootedBases(expressions))
  const outputs = expressions.map((e) => recorder.slotOf(e).index)
  const { steps } = recorder
  const values = new Float64Array(inputs.length + steps.length)
  const errors = new Float64Array(values.length)
  return {
    values,
    errors,
    outputs,
    run() {
      for (const step of steps) step(values, errors)
    },
  }
}

/** Bases with an inverse root: all their negative powers may be computed from it. */
function rootedBases(expressions: readonly Expr[]): ReadonlySet<string> {
  const rooted = new Set<string>()
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    if (e.kind === 'power' && e.exponent < 0 && isHalf(e.exponent)) rooted.add(key(e.base))
    children(e).forEach(visit)
  }
  expressions.forEach(visit)
  return rooted
}

class Recorder {
  readonly steps: Step[] = []
  readonly #known = new Map<string, Slot>()

  constructor(
    readonly inputs: readonly string[],
    readonly arithmetic: Arithmetic,
    readonly nonnegative: readonly string[],
    readonly rooted: ReadonlySet<string>,
  ) {}

  /** Records the steps of an expression, or finds those recorded before. */
  slotOf(e: Expr): Slot {
    const known = this.#known.get(key(e))
    if (known) return known
    const slot = (this.#kinds[e.kind] as (e: Expr) => Slot)(e)
    this.#known.set(key(e), slot)
    return slot
  }

  #push(nonnegative: boolean, step: (k: number) => Step): Slot {
    const index = this.inputs.length + this.steps.length
    this.steps.push(step(index))
    return { index, nonnegative }
  }

  readonly #kinds: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => Slot } = {
    constant: ({ value }) => {
      const error = this.arithmetic.stored(value)
      return this.#push(value >= 0, (k) => (v, e) => {
        v[k] = value
        e[k] = error
      })
    },
    symbol: ({ name }) => {
      const index = this.inputs.indexOf(name)
      if (index < 0) throw new Error(`expected a value for "${name}", got ${this.inputs.join(', ') || 'none'}`)
      return { index, nonnegative: this.nonnegative.includes(name) }
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
    const { unit, least } = this.arithmetic
    const slots = terms.map(({ index }) => index)
    const rounded = Math.max(0, slots.length - 1) * unit
    return this.#push(
      terms.every((t) => t.nonnegative),
      (k) => (v, e) => {
        let [value, error, size] = [0, 0, 0]
        for (const slot of slots) {
          const x = v[slot] as number
          value += x
          error += e[slot] as number
          size += Math.abs(x)
        }
        v[k] = value
        // Two terms have only one order, so the rounding is that of their sum.
        e[k] = error + (slots.length === 2 ? unit * Math.abs(value) : rounded * size) + (error > 0 ? least : 0)
      },
    )
  }

  /** @param whole false for a part of a longer product, because devices may group the factors in other ways */
  #product({ index: a, ...first }: Slot, { index: b, ...second }: Slot, whole: boolean): Slot {
    const { unit, lost } = this.arithmetic
    return this.#push(first.nonnegative && second.nonnegative, (k) => (v, e) => {
      const [x, y, ex, ey] = [v[a] as number, v[b] as number, e[a] as number, e[b] as number]
      const value = x * y
      v[k] = value
      const exact = x === 0 || y === 0 || x === 1 || y === 1 || x === -1 || y === -1
      const error = (ey && Math.abs(x) * ey) + (ex && (Math.abs(y) + ey) * ex)
      e[k] = error + (exact ? 0 : unit * Math.abs(value) + (whole ? lost(value, error) : 0))
    })
  }

  #power({ index: a, nonnegative }: Slot, exponent: number, rooted: boolean): Slot {
    const local = this.arithmetic.power(exponent, rooted)
    const even = Number.isInteger(exponent) && exponent % 2 === 0
    return this.#push(nonnegative || even || !Number.isInteger(exponent), (k) => (v, e) => {
      const [x, ex] = [v[a] as number, e[a] as number]
      const value = exponent === 0.5 ? Math.sqrt(x) : x ** exponent
      v[k] = value
      const error = propagatePower(value, x, ex, exponent, nonnegative) + local(value, x)
      e[k] = error + (value === 0 ? 0 : this.arithmetic.lost(value, error))
    })
  }

  /** A function of numbers, by its own rules. */
  #function(name: NumericName, [first, second = first]: readonly Slot[]): Slot {
    const { range, value } = functions[name]
    const { propagation } = functionErrors[name]
    const local = this.arithmetic.local(name)
    const [a, b] = [(first as Slot).index, (second as Slot).index]
    return this.#push(range !== 'all', (k) => (v, e) => {
      const [x, y, ex, ey] = [v[a] as number, v[b] as number, e[a] as number, e[b] as number]
      const result = value(x, y)
      v[k] = result
      e[k] = propagation(result, x, ex, y, ey) + local(result, x, y)
    })
  }

  /** A comparison is undecided if the operands are no farther apart than their errors. */
  #comparison(holds: (x: number, y: number) => boolean): (args: readonly Slot[]) => Slot {
    return ([first, second]) => {
      const [a, b] = [(first as Slot).index, (second as Slot).index]
      return this.#push(true, (k) => (v, e) => {
        const [x, y] = [v[a] as number, v[b] as number]
        const error = (e[a] as number) + (e[b] as number)
        v[k] = holds(x, y) ? 1 : 0
        e[k] = error === 0 || Math.abs(x - y) > error ? 0 : 1
      })
    }
  }

  /** Both operands are conditions. One that is certainly `absorbing` decides the whole. */
  #logic(absorbing: 0 | 1): (args: readonly Slot[]) => Slot {
    return ([first, second]) => {
      const [a, b] = [(first as Slot).index, (second as Slot).index]
      return this.#push(true, (k) => (v, e) => {
        const decided = (slot: number) => v[slot] === absorbing && e[slot] === 0
        v[k] = v[a] === absorbing || v[b] === absorbing ? absorbing : 1 - absorbing
        e[k] = decided(a) || decided(b) ? 0 : Math.max(e[a] as number, e[b] as number)
      })
    }
  }

  readonly #choices: { readonly [C in ChoiceName]: (args: readonly Slot[]) => Slot } = {
    less: this.#comparison((x, y) => x < y),
    lessEqual: this.#comparison((x, y) => x <= y),
    equal: this.#comparison((x, y) => x === y),
    and: this.#logic(0),
    or: this.#logic(1),
    not: ([only]) => {
      const { index: a } = only as Slot
      return this.#push(true, (k) => (v, e) => {
        v[k] = 1 - (v[a] as number)
        e[k] = e[a] as number
      })
    },
    select: ([when, first, second]) => {
      const [c, a, b] = [(when as Slot).index, (first as Slot).index, (second as Slot).index]
      const nonnegative = (first as Slot).nonnegative && (second as Slot).nonnegative
      return this.#push(nonnegative, (k) => (v, e) => {
        const [taken, other] = v[c] ? [a, b] : [b, a]
        v[k] = v[taken] as number
        e[k] = e[taken] as number
        // If rounding decides, a device may have taken the other branch.
        if (e[c] && v[a] !== v[b])
          e[k] = Math.max(e[k] as number, Math.abs((v[a] as number) - (v[b] as number)) + (e[other] as number))
        else if (e[c]) e[k] = Math.max(e[k] as number, e[other] as number)
      })
    },
  }
}
