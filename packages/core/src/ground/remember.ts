/**
 * Values derived from a frozen object, computed once and released with it: derived terms, closures. Those of texts are in
 * `remember-texts.ts`.
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
