// Made-up addresses, links and servers.

import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core'
import type { Address } from '../src/wire/address.ts'
import type { Link } from '../src/wire/link.ts'
import { subjectsOf } from '../src/wire/subjects.ts'

export const named = (name: string): Address => `open.${name.padStart(32, '0')}`

/** A link with this end's address. */
export const linkWith = (connection: object, self: Address = named('c'), other: Partial<Link> = {}): Link =>
  ({
    ...{ connection, subjects: subjectsOf('default'), self, forbidden: new Set() },
    ...{ partBytes: 1e6, shortBytes: 6e4, ...other },
  }) as unknown as Link

type Hear = (error: null, message: Msg) => void

/** A server in this thread: listeners get messages in the next turn. */
export class LocalServer {
  readonly #heard: { readonly pattern: RegExp; readonly hear: Hear }[] = []
  /** The subjects of all messages. */
  readonly sent: string[] = []

  /** @param mayPublish returns whether a client may send on a subject */
  connection(mayPublish: (subject: string) => boolean = () => true): NatsConnection {
    return {
      subscribe: (subject: string, { callback }: { readonly callback: Hear }) => {
        const tokens = subject.split('.').map((token) => ({ '*': '[^.]+', '>': '.+' })[token] ?? token)
        const entry = { pattern: new RegExp(`^${tokens.join('\\.')}$`), hear: callback }
        this.#heard.push(entry)
        return { unsubscribe: () => void this.#heard.splice(this.#heard.indexOf(entry), 1) }
      },
      publish: (subject: string, data: Uint8Array = new Uint8Array(0), { reply = '' } = {}) => {
        if (mayPublish(subject)) this.send(subject, data, reply)
      },
      flush: async () => {},
      isClosed: () => false,
    } as unknown as NatsConnection
  }

  send(subject: string, data: Uint8Array, reply = ''): void {
    this.sent.push(subject)
    const hearing = this.#heard.filter(({ pattern }) => pattern.test(subject))
    if (hearing.length > 0) this.#deliver(hearing, { subject, data, reply } as unknown as Msg)
    else if (reply)
      this.#deliver(
        this.#heard.filter(({ pattern }) => pattern.test(reply)),
        { subject: reply, data: new Uint8Array(0), headers: { code: 503 } as MsgHdrs } as unknown as Msg,
      )
  }

  #deliver(hearing: readonly { readonly hear: Hear }[], message: Msg): void {
    queueMicrotask(() => {
      for (const { hear } of hearing) hear(null, message)
    })
  }
}
