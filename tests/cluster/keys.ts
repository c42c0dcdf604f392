// A NATS server that identifies its clients by keys, and gives them exactly the rights in the manual.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LinkOptions } from '@manybody/cluster'
import { createUser, type KeyPair } from '@nats-io/nkeys'
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node'
import { root } from '../../tools/pnpm.mjs'

export type Role = 'worker' | 'coordinator' | 'checkpoint'

interface Rights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** A holder of a key. */
export interface Client {
  readonly key: string
  readonly seed: Uint8Array
  readonly rights: Rights
}

/** The rights that the manual lists for a role, with the key of a client. */
function rightsOf(role: Role, key: string): Rights {
  const page = readFileSync(join(root, 'docs/backends/cluster.md'), 'utf8')
  const text = page.split(`<!-- rights: ${role} -->`)[1]?.split('```')[1] ?? ''
  const listed = (kind: string) =>
    new RegExp(`^${kind}: (.*)$`, 'm')
      .exec(text)?.[1]
      ?.split(', ')
      .map((subject) => subject.trim().replace('KEY', key)) ?? []
  return { publish: listed('publish'), subscribe: listed('subscribe') }
}

/** A new client with the rights of these roles. @param without subjects that it may not subscribe to */
export function clientOf(roles: readonly Role[], without: RegExp = /$^/): Client {
  const pair: KeyPair = createUser()
  const key = pair.getPublicKey()
  const all = roles.map((role) => rightsOf(role, key))
  const publish = all.flatMap((rights) => rights.publish)
  const subscribe = all.flatMap((rights) => rights.subscribe).filter((subject) => !without.test(subject))
  return { key, seed: pair.getSeed(), rights: { publish, subscribe } }
}

/** Writes the configuration of a server that admits these clients. JSON is one of its formats. @returns the file */
export function configurationFor(folder: string, clients: readonly Client[], other: object = {}): string {
  const users = clients.map(({ key, rights: { publish, subscribe } }) => ({
    ...{ nkey: key, permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } } },
  }))
  const file = join(folder, 'server.conf')
  writeFileSync(file, JSON.stringify({ ...other, authorization: { users } }))
  return file
}

/** Options to reach the server as this client. */
export const linkOf = (servers: string, { seed }: Pick<Client, 'seed'>, caFile?: string): LinkOptions => ({
  servers,
  credentials: { authenticator: nkeyAuthenticator(seed), ...(caFile && { tls: { caFile } }) },
})

/** A bare connection of a client. */
export function connected(servers: string, client: Client, caFile?: string): Promise<NatsConnection> {
  const { credentials } = linkOf(servers, client, caFile)
  return connect({ servers, ...credentials, inboxPrefix: `manybody.default.read.${client.key}.0` })
}

/** The actions that the server denies to a client. */
export async function forbidden(
  connection: NatsConnection,
  act: (connection: NatsConnection) => void,
): Promise<string> {
  const status = connection.status()
  const refused = (async () => {
    for await (const one of status) if (one.type === 'error') return String(one.error)
    return 'the connection ended'
  })()
  act(connection)
  await connection.flush()
  return Promise.race([refused, connection.flush().then(() => 'nothing')])
}
