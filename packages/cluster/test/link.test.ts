// How much a client tells a server before it trusts the connection, and how it reports servers that cannot serve it.

import { createServer, type Server, type Socket } from 'node:net'
import { nkeyAuthenticator, nkeys } from '@nats-io/nats-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openCheckpoint } from '../src/checkpoint/checkpoint.ts'
import { type ClusterOptions, cluster } from '../src/cluster.ts'
import { addressOf, independent, isAddress, keyOf, shown } from '../src/wire/address.ts'
import { link } from '../src/wire/link.ts'
import { joinCluster } from '../src/worker/worker.ts'

it.each<[options: unknown, message: string]>([
  [undefined, '"options of cluster" expected an object with servers, name, credentials, home, always, recheck'],
  [{ server: 'nats://host' }, '"server" is not an option of cluster; expected servers, name'],
  [{}, '"servers" expected addresses such as nats://host:4222 or wss://host, got undefined'],
  [{ servers: [] }, '"servers" expected addresses such as nats://host:4222 or wss://host, got Array'],
  [{ servers: ['nats://host', 5] }, '"servers" expected addresses such as nats://host:4222 or wss://host, got 5'],
  [{ servers: new Set(['nats://host']) }, 'or wss://host, got Set'],
  [{ servers: 'nats://host', name: 1n }, '"name" expected 1 to 64 letters, digits, "-" or "_", got bigint'],
  [{ servers: 'nats://host', credentials: 'secret' }, '"credentials" expected an object such as { user, pass }'],
  [{ servers: 'nats://host', storeBytes: -1 }, '"storeBytes" expected integer >= 1, got -1'],
  [{ servers: 'nats://host', always: 'yes' }, '"always" expected true or false, got "yes"'],
])('cluster refuses the options %o', (options, message) => {
  expect(() => cluster(options as ClusterOptions)).toThrow(message)
})

it.each<[join: () => Promise<unknown>, message: string]>([
  [() => joinCluster(null as never), '"options of joinCluster" expected an object with servers'],
  [() => joinCluster({ servers: 'x', cacheBytes: Number.NaN }), '"cacheBytes" expected integer >= 0, got NaN'],
  [() => joinCluster({ servers: 'x', onCall: 1 as never }), '"onCall" expected a function, got 1'],
  [() => openCheckpoint({ servers: 'x', simulation: 'a b' }), '"simulation" expected 1 to 64 letters, digits'],
  [
    () => openCheckpoint({ servers: 'x' } as never),
    '"simulation" expected 1 to 64 letters, digits, "-" or "_", got und',
  ],
])('an end refuses wrong options before it connects (%#)', async (join, message) => {
  await expect(join()).rejects.toThrow(message)
})

/** A server that describes itself and records all that it receives. */
async function heard(info: object = {}): Promise<{ readonly port: number; readonly text: () => string }> {
  let text = ''
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      text += data
      for (const _ of String(data).matchAll(/PING\r\n/g)) socket.write('PONG\r\n')
    })
    const known = {
      server_id: 'x',
      version: '2.11.0',
      proto: 1,
      headers: true,
      max_payload: 2 ** 20,
      auth_required: true,
    }
    socket.write(`INFO ${JSON.stringify({ ...known, ...info })}\r\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, text: () => text }
}

const credentials = { token: 'secret' }

describe('a connection', () => {
  it('whose address says tls never carries a token as plain text', async () => {
    const { port, text } = await heard()
    await expect(link({ servers: `tls://127.0.0.1:${port}`, credentials })).rejects.toThrow(
      /speaks no TLS, .* write nats:\/\//,
    )
    expect(text()).not.toContain('secret')
  })

  it('that is not encrypted warns if it carries credentials to another machine', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const { port } = await heard()
    const open = async (host: string, given: object) => {
      const { connection } = await link({ servers: `nats://${host}:${port}`, credentials: given }, { once: true })
      await connection.close()
    }
    await open('127.0.0.1', credentials)
    await open('0.0.0.0', {})
    expect(warn).not.toHaveBeenCalled()
    await open('0.0.0.0', credentials)
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/not encrypted, and it carries credentials; .* tls:\/\//))
  })

  it('to a server that takes only short messages is refused, with its setting', async () => {
    const { port } = await heard({ max_payload: 65_536 })
    await expect(link({ servers: `nats://127.0.0.1:${port}` })).rejects.toThrow(
      /at most 65536 bytes.*set max_payload: 1MB/,
    )
  })

  it('with a seed that is none says so, and not that no server answers', async () => {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode('SUNOSEED'))
    await expect(link({ servers: 'nats://127.0.0.1:1', credentials: { authenticator } })).rejects.toThrow(
      /credentials.authenticator" expected one that can sign.*begins with SU/,
    )
  })
})

describe('an address', () => {
  it('has the public key of a client, its user name, or that of all others', () => {
    const user = nkeys.createUser()
    const authenticator = nkeyAuthenticator(user.getSeed())
    expect(keyOf({ authenticator })).toBe(user.getPublicKey())
    expect(keyOf({ user: 'alice' })).toBe('alice')
    for (const given of [{}, { user: 'a.b' }, { user: '>' }, { user: '' }]) expect(keyOf(given)).toBe('open')
    expect(isAddress(addressOf('alice'))).toBe(true)
    expect(addressOf('alice')).not.toBe(addressOf('alice'))
  })

  it('is shown by what an administrator can revoke', () => {
    expect(shown(`alice.${'0'.repeat(32)}`)).toBe('alice/00000000')
    expect(shown(`open.${'0'.repeat(32)}`)).toBe('00000000')
  })

  it('lets one client check another unless both have one key', () => {
    const [a, b] = ['0', '1'].map((digit) => digit.repeat(32))
    expect(independent(`alice.${a}`, `alice.${b}`)).toBe(false)
    expect(independent(`alice.${a}`, `bob.${a}`)).toBe(true)
    expect(independent(`open.${a}`, `open.${b}`)).toBe(true)
    expect(independent(`open.${a}`, `open.${a}`)).toBe(false)
  })
})
