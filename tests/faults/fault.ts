// What a fault is, as data: how it is induced, how often, and what may come of it. Its attempts run in a page.

/** The only outcomes that there may be. */
export const good = ['correct', 'rejected', 'recovered'] as const

/** What came of one attempt; `bad`: anything else, with what was seen. */
export interface Outcome {
  readonly kind: (typeof good)[number] | 'bad'
  /** The backend that computed the result, the message of the error, or what is wrong. */
  readonly note: string
}

export interface Fault {
  readonly name: string
  /** How it is induced, as a sentence of the table. */
  readonly how: string
  /** Whether the page is cross-origin isolated, as it is by default. */
  readonly isolated?: false
  /** How often it is tried, if the time of a try does not decide. */
  readonly tries?: number
  /** Once. `random` gives numbers in [0, 1), other ones for each attempt. */
  attempt(random: () => number): Promise<Outcome>
}
