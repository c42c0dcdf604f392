// A fault as data: how it is induced, how often, and which outcomes are allowed. Its attempts run in a page.

/** The only allowed outcomes. */
export const good = ['correct', 'rejected', 'recovered'] as const

/** The outcome of one attempt. `bad` is any other outcome, with a description. */
export interface Outcome {
  readonly kind: (typeof good)[number] | 'bad'
  /** The backend that computed the result, the error's message, or the problem. */
  readonly note: string
}

export interface Fault {
  readonly name: string
  /** How it is induced, as a sentence of the table. */
  readonly how: string
  /** Whether the page is cross-origin isolated, as it is by default. */
  readonly isolated?: false
  /** How often it is tried, if not derived from the time of a try. */
  readonly tries?: number
  /** One attempt. `random` gives numbers in [0, 1), different for each attempt. */
  attempt(random: () => number): Promise<Outcome>
}
