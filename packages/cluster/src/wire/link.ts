/**
 * The connection to the server, and the names of everything on it.
 *
 * Coordinators and workers talk over plain subjects. Arrays are kept by JetStream, a message for each part, under their hash.
 *
 * @module
 */
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core'

export interface LinkOptions {
  /** One address or several of one NATS cluster: `nats://host:4222`, or `wss://host` in a page. */
  readonly servers: string | readonly string[]
  /** Clusters of different names on one server do not see each other; `default` by default. */
  readonly name?: string
  /** Credentials and TLS as the NATS client takes them: `user`, `pass`, `token`, `authenticator`, `tls`. */
  readonly credentials?: Pick<ConnectionOptions, 'authenticator' | 'user' | 'pass' | 'token' | 'tls'>
}

export interface Link {
  readonly connection: NatsConnection
  readonly subjects: Subjects
  /** The most bytes that a message may have besides its header. */
  readonly partBytes: number
  /** The bytes of a message that is one of several and is read at once. */
  readonly shortBytes: number
}

export interface Subjects {
  /** Asks all workers to describe themselves. */
  readonly hello: string
  /** A worker says that it will take no more work. */
  readonly leaving: string
  readonly worker: (id: string) => string
  /** Arrays for all workers at once, which nobody keeps for them. */
  readonly push: string
  /** Below it, a worker gets the arrays that it reads. */
  readonly read: string
  /** The arrays of jobs. */
  readonly arrays: Shelf
  /** The checkpoints of all simulations. */
  readonly checkpoints: Pick<Shelf, 'stream' | 'all'>
  readonly checkpoint: (simulation: string) => CheckpointSubjects
}

/** A stream that keeps arrays in parts, under their hash. */
export interface Shelf {
  readonly stream: string
  /** All its subjects. */
  readonly all: string
  readonly part: (hash: string, part: number | '>') => string
}

export interface CheckpointSubjects extends Shelf {
  /** Who continues the simulation, and from what. */
  readonly entry: string
  /** The parts of all its states. */
  readonly parts: string
}

/** @throws TypeError for a name that no subject can have */
export function subjectsOf(name: string): Subjects {
  requireToken(name, 'name')
  const under = `manybody.${name}`
  const checkpoints = { stream: `manybody_${name}_checkpoints`, all: `${under}.checkpoint.>` }
  return {
    hello: `${under}.hello`,
    leaving: `${under}.leaving`,
    worker: (id) => `${under}.worker.${id}`,
    push: `${under}.push`,
    read: `${under}.read`,
    arrays: {
      stream: `manybody_${name}_arrays`,
      all: `${under}.array.>`,
      part: (hash, part) => `${under}.array.${hash}.${part}`,
    },
    checkpoints,
    checkpoint: (simulation) => {
      requireToken(simulation, 'simulation')
      const of = `${under}.checkpoint.${simulation}`
      return {
        ...checkpoints,
        entry: `${of}.entry`,
        parts: `${of}.array.>`,
        part: (hash, part) => `${of}.array.${hash}.${part}`,
      }
    },
  }
}

function requireToken(value: unknown, what: string): void {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value))
    throw new TypeError(`"${what}" expected 1 to 64 letters, digits, "-" or "_", got ${JSON.stringify(value)}`)
}

/** A host, with or without port, after one of the schemes that the client speaks or after none. */
const address = /^(?:(?:nats|tls|ws|wss):\/\/)?[^\s/:,]+(?::\d+)?\/?$|\[/

function requireAddresses(servers: readonly unknown[]): void {
  const wrong = servers.find((server) => typeof server !== 'string' || !address.test(server))
  if (servers.length === 0 || wrong !== undefined)
    throw new TypeError(
      `"servers" expected addresses such as nats://host:4222 or wss://host, got ${JSON.stringify(wrong ?? servers)}`,
    )
}

/**
 * Node reads 64 KiB of a connection at a time. Its client copies a message that comes in several reads, and takes twice as much memory
 * for it at each of them. Shorter ones seldom do, and the server takes less memory for them.
 */
const short = 31_000

/** Room for headers and the protocol in a message. */
const headerRoom = 68 * 1024

export interface LinkUse {
  /** Whether to give up when the connection ends. */
  readonly once?: boolean
  /** Workers get answers on subjects apart, so that their rights need not include the results of others. */
  readonly as?: 'worker'
}

/** @throws Error saying which server did not answer, why, and what to do */
export async function link(options: LinkOptions, { once = false, as }: LinkUse = {}): Promise<Link> {
  const { servers, name = 'default', credentials } = options
  const subjects = subjectsOf(name)
  const list = typeof servers === 'string' ? [servers] : [...servers]
  requireAddresses(list)
  const web = list.some((server) => /^wss?:/.test(server))
  const connect = web
    ? (await import('@nats-io/nats-core')).wsconnect
    : (await import('@nats-io/transport-node')).connect
  const connection = await connect({
    ...credentials,
    servers: list,
    timeout: 5000,
    // A server that restarts is waited for; how long is for the caller to decide.
    maxReconnectAttempts: once ? 0 : -1,
    reconnectTimeWait: 250,
    ...(as === 'worker' && { inboxPrefix: subjects.read }),
  }).catch((cause: unknown) => {
    throw new Error(refusal(list, cause instanceof Error ? cause.message : String(cause)), { cause })
  })
  const partBytes = (connection.info?.max_payload ?? 1 << 20) - headerRoom
  return { connection, subjects, partBytes, shortBytes: Math.min(short, partBytes) }
}

/** Why there is no connection, and what to do. */
function refusal(servers: readonly string[], reason: string): string {
  const where = servers.join(', ')
  if (/authori[sz]ation|authentication/i.test(reason))
    return `the NATS server at ${where} does not admit us: ${reason}; give the key or the token that it asks for`
  if (/certificate|self.signed/i.test(reason))
    return `the certificate of the NATS server at ${where} is not trusted: ${reason}; give its authority (--tls-ca, credentials.tls.caFile)`
  return `no NATS server answers at ${where}: ${reason}; start one with nats-server --jetstream`
}
