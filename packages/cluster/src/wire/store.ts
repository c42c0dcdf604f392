/**
 * Arrays on the server, stored by their hash in parts of one message each. The server forgets an array half an hour after it was last sent,
 * or when it needs room. The coordinator then sends it again.
 *
 * @module
 */
import {
  type JetStreamClient,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { type Msg, type NatsConnection, PermissionViolationError } from '@nats-io/nats-core'
import { keyIn } from './address.ts'
import { type ArrayRef, byteLengthOf, Hashing, writtenApart } from './arrays.ts'
import type { Link } from './link.ts'
import type { Shelf } from './subjects.ts'

/** The server does not have an array. */
export class MissingArrayError extends Error {
  override readonly name = 'MissingArrayError'
  constructor(readonly hash: string) {
    super(`Cannot read array ${hash}: the server does not have it`)
  }
}

/** The server may not or cannot keep the arrays of a coordinator. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** @param remedy advice for an administrator */
  constructor(
    reason: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}; ${remedy}`, options)
  }
}

/** Messages under way at the same time. */
const window = 8

/** Milliseconds that a message of a megabyte may take. */
const timeout = 4000

const seconds = 1e9

/** Creates the stream for the arrays of jobs, if it is not there. @throws {@link StoreError} */
export async function openStore({ connection, subjects, self }: Link, bytes: number): Promise<void> {
  await openStream(connection, subjects.arrays(keyIn(self)), {
    storage: StorageType.Memory,
    max_age: 1800 * seconds,
    max_bytes: bytes,
  })
}

/**
 * Creates a stream that keeps the latest message of each subject, if it is not there. Returns whether it created one.
 *
 * @throws {@link StoreError} if the server has no JetStream, or too little room
 */
export async function openStream(
  connection: NatsConnection,
  { stream, all }: Pick<Shelf, 'stream' | 'all'>,
  how: Partial<StreamConfig>,
): Promise<boolean> {
  const manager = await jetstreamManager(connection).catch((cause: unknown) => {
    // The client exports no class for this error.
    if (!/jetstream is not enabled/i.test(String(cause))) throw cause
    const server = connection.getServer()
    throw new StoreError(
      `the NATS server at ${server} has no JetStream, which keeps arrays`,
      'start it with nats-server --jetstream',
      { cause },
    )
  })
  const found = await manager.streams.info(stream).catch(() => undefined)
  if (found) return false
  const latest = { retention: RetentionPolicy.Limits, max_msgs_per_subject: 1, allow_direct: true }
  await manager.streams.add({ name: stream, subjects: [all], ...latest, ...how }).catch((cause: unknown) => {
    if (!/insufficient/i.test(String(cause))) throw cause
    throw new StoreError(
      `the NATS server does not keep ${how.max_bytes} bytes of arrays: ${(cause as Error).message}`,
      'lower "storeBytes", or raise max_memory_store in the jetstream section of its configuration',
      { cause },
    )
  })
  return true
}

/** Sends an array to the server. */
export async function put(
  { connection, partBytes }: Link,
  hash: string,
  bytes: Uint8Array,
  shelf: Shelf,
): Promise<void> {
  const client: JetStreamClient = jetstream(connection)
  await eachPart(bytes.length, partBytes, async (part, first, last) => {
    await client.publish(shelf.part(hash, part), bytes.subarray(first, last), { timeout })
  })
}

/** @throws {@link MissingArrayError}; RangeError if the bytes on the server do not match the hash */
export async function get({ connection, partBytes }: Link, ref: ArrayRef, shelf: Shelf): Promise<Uint8Array> {
  const bytes = new Uint8Array(byteLengthOf(ref))
  const hashing = new Hashing(bytes)
  const early = new Set<number>()
  let filled = 0
  await eachPart(bytes.length, partBytes, async (part, first, last) => {
    const subject = shelf.part(ref.hash, part)
    const written = writtenApart(bytes.subarray(first, first + 1))
    // If no answer comes, the server has just ended, or was restarted and has no stream. Either way it lacks the array.
    const answer = await latest(connection, shelf, subject).catch((error) => {
      const denied = [error, error?.cause].find((one) => one instanceof PermissionViolationError)
      if (denied) throw denied
      return undefined
    })
    if (!answer) throw new MissingArrayError(ref.hash)
    const { data } = answer
    if (data.length !== last - first)
      throw new RangeError(`Cannot read array ${ref.hash}: part ${part} has ${data.length} bytes, not ${last - first}`)
    await written
    bytes.set(data, first)
    early.add(first)
    while (early.delete(filled)) filled = Math.min(filled + partBytes, bytes.length)
    hashing.reach(filled)
  })
  const hash = await hashing.hash()
  if (hash !== ref.hash) throw new RangeError(`Cannot read array ${ref.hash}: its bytes have the hash ${hash}`)
  return bytes
}

/** The latest message of a subject; undefined if there is none. @throws {@link RequestError} if the server does not answer */
export async function latest(
  connection: NatsConnection,
  { stream }: Pick<Shelf, 'stream'>,
  subject: string,
): Promise<Msg | undefined> {
  const answer = await connection.request(`$JS.API.DIRECT.GET.${stream}.${subject}`, undefined, { timeout })
  return answer.headers?.code ? undefined : answer
}

/** Visits all parts of an array. An empty array has one part, so that the server can tell it from a missing one. */
async function eachPart(
  length: number,
  partBytes: number,
  visit: (part: number, first: number, last: number) => Promise<void>,
): Promise<void> {
  const parts = Math.max(1, Math.ceil(length / partBytes))
  let next = 0
  const lane = async () => {
    while (next < parts) {
      const part = next++
      await visit(part, part * partBytes, Math.min(length, (part + 1) * partBytes))
    }
  }
  await Promise.all(Array.from({ length: Math.min(window, parts) }, lane))
}
