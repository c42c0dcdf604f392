/**
 * Receives the answers of workers. One subscription serves all runs of a coordinator, because each step of a simulation is a run. It
 * passes messages on and does not read them.
 *
 * Each worker of a run answers under a name that nobody else knows. If anybody else sends a message under that worker's name, and the
 * server's rights did not stop it, the message is ignored.
 *
 * @module
 */
import type { Msg } from '@nats-io/nats-core'
import { type Address, randomName } from '../wire/address.ts'
import { type Link, listen } from '../wire/link.ts'
import { partiesIn } from '../wire/subjects.ts'

/** Gets the worker that was asked, and a message of the worker or of the server. */
type Hear = (worker: Address, message: Msg) => void

export interface RunReplies {
  /** Where a worker is asked, and where it answers. */
  readonly to: (worker: Address) => { readonly call: string; readonly reply: string }
  /** Stops listening. */
  readonly end: () => void
}

interface Expected {
  /** The worker that answers; undefined if any may. */
  readonly from: Address | undefined
  readonly hear: Hear
}

export class Replies {
  readonly #link: Link
  readonly #expected = new Map<string, Expected>()

  constructor(link: Link) {
    this.#link = link
    listen(link, link.subjects.resultsFor(link.self), (message) => {
      const { worker, run } = partiesIn(message.subject)
      const expected = this.#expected.get(run)
      if (expected && (expected.from ?? worker) === worker) expected.hear(worker, message)
    })
  }

  /** Begins to listen for answers in a run. */
  begin(hear: Hear): RunReplies {
    const { subjects, self } = this.#link
    const names = new Map<Address, string>()
    return {
      to: (worker) => {
        const run = names.get(worker) ?? this.#expect(worker, hear)
        names.set(worker, run)
        return { call: subjects.call(worker, self, run), reply: subjects.result(worker, self, run) }
      },
      end: () => {
        for (const run of names.values()) this.#expected.delete(run)
      },
    }
  }

  /** Begins to listen for everyone's answers to one question. */
  beginAll(hear: Hear): { readonly run: string; readonly end: () => void } {
    const run = this.#expect(undefined, hear)
    return { run, end: () => void this.#expected.delete(run) }
  }

  #expect(from: Address | undefined, hear: Hear): string {
    const run = randomName()
    this.#expected.set(run, { from, hear })
    return run
  }
}
