/**
 * Where answers of workers come in: one subscription for all runs of a coordinator, as each step of a simulation is a run. It passes
 * messages on and does not read them.
 *
 * @module
 */
import { createInbox, type Msg } from '@nats-io/nats-core'
import type { Link } from '../wire/link.ts'

/** What a run hears: the worker that was asked, and its message or the server's. */
type Hear = (worker: string, message: Msg) => void

export interface RunReplies {
  /** The subject for the answers of a worker. */
  readonly of: (worker: string) => string
  /** Hears no more. */
  readonly end: () => void
}

export class Replies {
  readonly #inbox = createInbox()
  readonly #runs = new Map<string, Hear>()
  #count = 0

  constructor({ connection }: Pick<Link, 'connection'>) {
    connection.subscribe(`${this.#inbox}.*.*`, {
      callback: (_, message) => {
        const [run = '', worker = ''] = message.subject.slice(this.#inbox.length + 1).split('.')
        this.#runs.get(run)?.(worker, message)
      },
    })
  }

  begin(hear: Hear): RunReplies {
    const run = `${++this.#count}`
    this.#runs.set(run, hear)
    return { of: (worker) => `${this.#inbox}.${run}.${worker}`, end: () => void this.#runs.delete(run) }
  }
}
