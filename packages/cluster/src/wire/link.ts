/**
 * The connection to the server. Coordinators and workers talk over plain subjects. JetStream keeps arrays under their hash, with one
 * message for each part.
 *
 * @module
 */

import { unexpected } from '@manybody/core/backend'
import { type ConnectionOptions, type Msg, type NatsConnection, type Subscription, wsconnect } from '@nats-io/nats-core'
import { type Address, addressOf, keyOf } from './address.ts'
import { type Subjects, subjectsOf } from './subjects.ts'

export interface LinkOptions {
  /**
   * One address or several of one NATS cluster: `nats://host:4222`, `tls://host:4222` for a connection that must be encrypted, or
   * `wss://host` in a page.
   */
  readonly servers: string | readonly string[]
  /** Clusters of different names on one server do not see each other; `default` by default. */
  readonly name?: string
  /** Credentials and TLS as the NATS client takes them: `user`, `pass`, `token`, `authenticator`, `tls`. */
  readonly credentials?: Pick<ConnectionOptions, 'authenticator' | 'user' | 'pass' | 'token' | 'tls'>
}

export interface Link {
  readonly connection: NatsConnection
  readonly subjects: Subjects
  /** The address of this end. */
  readonly self: Address
  /** Everything that the server has forbidden this end so far, without repeats. */
  readonly forbidden: ReadonlySet<string>
  /** The most bytes that a message may have besides its header. */
  readonly partBytes: number
  /** The length of one part of a message that is sent in parts and read at once. */
  readonly shortBytes: number
}

/** A host, with or without a port. One of the client's schemes may come before it. */
const address = /^(?:(?:nats|tls|ws|wss):\/\/)?[^\s/:,]+(?::\d+)?\/?$|\[/

/** The names of the connection options. */
export const linkOptions: readonly string[] = ['servers', 'name', 'credentials']

interface CheckedLink {
  readonly list: readonly string[]
  readonly subjects: Subjects
  readonly credentials: NonNullable<LinkOptions['credentials']>
}

/** The options, with all addresses as a list. @throws TypeError, RangeError */
export function checkedLink({ servers, name = 'default', credentials = {} }: LinkOptions): CheckedLink {
  const list: unknown = typeof servers === 'string' ? [servers] : servers
  const wrong = Array.isArray(list)
    ? list.findIndex((server) => typeof server !== 'string' || !address.test(server))
    : 0
  if (!Array.isArray(list) || list.length === 0 || wrong >= 0)
    throw unexpected(
      'servers',
      'addresses such as nats://host:4222 or wss://host',
      Array.isArray(list) && list.length > 0 ? list[wrong] : servers,
    )
  if (typeof credentials !== 'object' || credentials === null)
    throw unexpected('credentials', 'an object such as { user, pass }', credentials)
  return { list: list as readonly string[], subjects: subjectsOf(name), credentials }
}

/**
 * Node reads 64 KiB of a connection at a time. If a message arrives in several reads, the client copies it at each read, and doubles its
 * buffer. Short messages rarely do, and the server takes less memory for them.
 */
const short = 31_000

/** Room for headers and the protocol in a message. */
const headerRoom = 68 * 1024

/** @throws Error that names the server, the reason and a remedy */
export async function link(options: LinkOptions, { once = false }: { readonly once?: boolean } = {}): Promise<Link> {
  const { list, subjects, credentials } = checkedLink(options)
  const self = addressOf(keyOf(credentials))
  const web = list.some((server) => /^wss?:/.test(server))
  const connect = web ? wsconnect : await nodeConnect()
  const connection = await connect({
    ...credentials,
    // Without this option, the client takes the scheme for a part of the host's name.
    ...(list.some((server) => /^tls:/.test(server)) && { tls: credentials.tls ?? {} }),
    servers: [...list],
    timeout: 5000,
    // Wait for a server that restarts. The caller decides how long.
    maxReconnectAttempts: once ? 0 : -1,
    reconnectTimeWait: 250,
    inboxPrefix: subjects.read(self),
  }).catch((cause: unknown) => {
    throw new Error(refusal(list, cause instanceof Error ? cause.message : String(cause)), { cause })
  })
  try {
    warnOfPlainText(list, connection, credentials)
    const partBytes = partBytesOf(connection)
    const forbidden = forbiddenOn(connection)
    return { connection, subjects, self, forbidden, partBytes, shortBytes: Math.min(short, partBytes) }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** The transport for Node. Some bundlers provide a CommonJS module only as its default export. */
async function nodeConnect(): Promise<typeof wsconnect> {
  const transport = await import('@nats-io/transport-node')
  return transport.connect ?? (transport as unknown as { readonly default: typeof transport }).default.connect
}

/** @throws RangeError if the server's longest message is too short */
function partBytesOf({ info }: NatsConnection): number {
  const most = info?.max_payload ?? 2 ** 20
  if (most >= 2 * headerRoom) return most - headerRoom
  throw new RangeError(
    `the NATS server takes messages of at most ${most} bytes, a cluster needs ${2 * headerRoom}; set max_payload: 1MB in its configuration`,
  )
}

const loopback = /^(?:\w+:\/\/)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|\/|$)/

/** Warns that credentials have gone to another machine as plain text. */
function warnOfPlainText(
  servers: readonly string[],
  { info }: NatsConnection,
  credentials: NonNullable<LinkOptions['credentials']>,
): void {
  const encrypted = info?.tls_required || info?.tls_available || servers.every((server) => /^wss:/.test(server))
  if (encrypted || !Object.keys(credentials).length || servers.every((server) => loopback.test(server))) return
  console.warn(
    `manybody: the connection to ${servers.join(', ')} is not encrypted, and it carries credentials; give the server a certificate, and write tls:// or wss:// in the address`,
  )
}

/** Collects the permissions that the server denies. It reports them only as status events. */
function forbiddenOn(connection: NatsConnection): ReadonlySet<string> {
  const forbidden = new Set<string>()
  const collect = async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error.name === 'PermissionViolationError')
        forbidden.add(status.error.message)
  }
  collect().catch(() => {})
  return forbidden
}

/**
 * Hears the messages on a subject.
 *
 * @param malformed gets a message that `hear` cannot understand: it must end nothing
 */
export function listen(
  { connection }: Pick<Link, 'connection'>,
  subject: string,
  hear: (message: Msg) => void,
  malformed: (message: Msg) => void = () => {},
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      // The server ended the subscription. A status event has the reason.
      if (error) return
      try {
        hear(message)
      } catch {
        malformed(message)
      }
    },
  })
}

/** The reason for a failed connection, with a remedy. */
function refusal(servers: readonly string[], reason: string): string {
  const where = servers.join(', ')
  if (/authori[sz]ation|authentication/i.test(reason))
    return `the NATS server at ${where} does not admit us: ${reason}; give the key or the token that it asks for`
  if (/certificate|self.signed/i.test(reason))
    return `the certificate of the NATS server at ${where} is not trusted: ${reason}; give its authority (--tls-ca, credentials.tls.caFile)`
  if (/does not support 'tls'/i.test(reason))
    return `the NATS server at ${where} speaks no TLS, which the address or the credentials ask for; give it a certificate, or write nats://`
  return `no NATS server answers at ${where}: ${reason}; start one with nats-server --jetstream`
}
