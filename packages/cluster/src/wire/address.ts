/**
 * The identity of clients on the server. An address joins the key under which the server admits a client and a random name for one
 * connection: `KEY.0123...`. Subjects contain addresses, so that a server can restrict every client to the subjects of its own key.
 *
 * @module
 */
import type { Authenticator, ConnectionOptions } from '@nats-io/nats-core'

export type Address = string

/** The key of all clients that the server cannot tell apart. */
const openKey = 'open'

const isKey = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)

/**
 * The key of a client: its public nkey, or its user name if that has only letters, digits, "-" and "_".
 *
 * @throws TypeError if the seed of an nkey cannot be used
 */
export function keyOf({ authenticator, user }: Pick<ConnectionOptions, 'authenticator' | 'user'> = {}): string {
  const nkeys = [authenticator ?? []].flat().map(nkeyOf)
  return [...nkeys, user].find(isKey) ?? openKey
}

function nkeyOf(authenticator: Authenticator): unknown {
  try {
    // Without a challenge, nothing is signed.
    return Object(authenticator('')).nkey
  } catch (cause) {
    throw new TypeError(
      `"credentials.authenticator" expected one that can sign, got an error: ${messageOf(cause)}; give the seed of an nkey, which begins with SU`,
      { cause },
    )
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** A new address for a client with this key. */
export const addressOf = (key: string): Address => `${key}.${randomName()}`

/** A name that nobody can guess. */
export const randomName = (): string => crypto.randomUUID().replaceAll('-', '')

export const isAddress = (value: unknown): value is Address =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}\.[0-9a-f]{32}$/.test(value)

export const keyIn = (address: Address): string => address.slice(0, address.indexOf('.'))

/** An address for people to read: the key that an administrator can revoke, if there is one, and the start of the random name. */
export function shown(address: Address): string {
  const [key = '', name = ''] = address.split('.')
  return key === openKey ? name.slice(0, 8) : `${key}/${name.slice(0, 8)}`
}

/** Whether one client can check the other. Connections of one key belong to one party, and would confirm each other's lies. */
export const independent = (a: Address, b: Address): boolean =>
  keyIn(a) === openKey || keyIn(b) === openKey ? a !== b : keyIn(a) !== keyIn(b)
