/**
 * Values that are derived once: those of a frozen object are released with it (derived terms, closures); those of texts are released when
 * there are many.
 *
 * @module
 */
export class Remembered<Key extends object, Value> {
  readonly #known = new WeakMap<Key, Map<string, Value>>()

  /** The value for an object. `variant` names whatever else it depends on. */
  of(key: Key, make: () => Value, variant: string = ''): Value {
    const variants = this.#known.get(key) ?? new Map<string, Value>()
    this.#known.set(key, variants)
    // A value may be undefined.
    if (!variants.has(variant)) variants.set(variant, make())
    return variants.get(variant) as Value
  }
}

export class RememberedTexts<Value> {
  readonly #most: number
  readonly #known = new Map<string, Value>()

  /** @param most - The number of texts that are remembered */
  constructor(most: number) {
    this.#most = most
  }

  of(text: string, make: () => Value): Value {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const value = make()
    if (this.#known.size >= this.#most) this.#known.clear()
    this.#known.set(text, value)
    return value
  }
}
