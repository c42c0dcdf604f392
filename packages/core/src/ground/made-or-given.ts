/**
 * Tells data that a constructor here has made from data that came from JSON, a worker or another copy of this library.
 * The same constructor builds such data again, checking it like typed input, and the outcome must equal the data. So the rules are
 * written only once, in the constructor.
 *
 * @module
 */
import { describe } from './checks.ts'

/** Data that constructors here have made and frozen with everything in them. */
const frozen = new WeakSet<object>()

/** Whether data can never change, because a constructor here has made and frozen them. */
export const neverChanges = (data: object): boolean => frozen.has(data)

export class Known<T extends object> {
  readonly #made = new WeakSet<object>()
  readonly #built = new WeakMap<object, T>()

  /**
   * @param what the name of the data in messages
   * @param derived paths of fields that follow from others and are never read from data
   * @param freezes whether the constructor freezes everything in the data, too
   */
  constructor(
    readonly what: string,
    readonly derived: readonly string[],
    readonly freezes: boolean = false,
  ) {}

  /** Remembers frozen data that a constructor has made. */
  made<Made extends T>(value: Made): Made {
    this.#made.add(value)
    if (this.freezes) frozen.add(value)
    return value
  }

  /** Whether a constructor here made this value. */
  has(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.#made.has(value)
  }

  /** The same value, checked. The outcome is reused as long as the data does not change. @throws TypeError, RangeError */
  of(given: T, build: (given: T) => T): T {
    if (this.#made.has(given)) return given
    const before = this.#built.get(given)
    if (before && this.#difference(before, given) === undefined) return before
    const built = build(given)
    const difference = this.#difference(built, given)
    if (difference !== undefined) throw new TypeError(difference)
    this.#built.set(given, built)
    return built
  }

  /** A sentence about the first field that differs between the given data and the data built from it. */
  #difference(built: unknown, given: unknown, path = ''): string | undefined {
    if (built === given || this.derived.includes(path)) return undefined
    if (typeof built !== 'object' || typeof given !== 'object' || built === null || given === null)
      return this.#sentence(built, given, path)
    // An array of numbers has a name for each of them.
    if (ArrayBuffer.isView(given)) return this.#sentence(built, given, path)
    if (Array.isArray(built)) {
      if (!Array.isArray(given) || given.length !== built.length) return this.#sentence(built, given, path)
      for (const [n, item] of built.entries()) {
        const found = this.#difference(item, given[n], `${path}[${n}]`)
        // Reject holes, because some readers of the list pass them on.
        if (found !== undefined || item === undefined) return found ?? this.#sentence('an item', item, `${path}[${n}]`)
      }
      return undefined
    }
    for (const name of new Set([...Object.keys(built), ...Object.keys(given)])) {
      const found = this.#difference(own(built, name), own(given, name), path ? `${path}.${name}` : name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #sentence(built: unknown, given: unknown, path: string): string {
    const [expected, got] = [built, given].map((value) => (value === undefined ? 'nothing' : describe(value)))
    return `"${path ? `${this.what}.${path}` : this.what}" expected ${expected}, as its other fields say, got ${got}`
  }
}

const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
