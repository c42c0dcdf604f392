/**
 * Values derived from texts, such as their trees. They outlive the workload that had the text, so all are released when the texts become
 * long together.
 *
 * @module
 */
export class RememberedTexts<Value> {
  readonly #most: number
  readonly #known = new Map<string, Value>()
  #characters = 0

  /** @param most - The number of characters of the texts that are remembered; the last text is, whatever its length */
  constructor(most: number) {
    this.#most = most
  }

  of(text: string, make: () => Value): Value {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const value = make()
    if (this.#characters + text.length > this.#most) {
      this.#known.clear()
      this.#characters = 0
    }
    this.#known.set(text, value)
    this.#characters += text.length
    return value
  }
}
