// A server that speaks TLS and knows its clients by keys: workers and coordinators get by with the rights that the manual
// lists, and nobody else gets in.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cluster, joinCluster, type LinkOptions, openCheckpoint } from '@manybody/cluster'
import { createUser } from '@nats-io/nkeys'
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node'
import { accelerations, createEngine, gravity } from 'manybody'
import { generate } from 'selfsigned'
import { afterAll, describe, expect, it, test } from 'vitest'
import { root } from '../../../scripts/pnpm.mjs'
import { natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { numbers } from '../../support/numbers.ts'

const program = await natsServerProgram()
const folder = mkdtempSync(join(tmpdir(), 'manybody-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rights that the manual lists for a role, as lists of subjects. */
function rightsOf(
  role: 'worker' | 'coordinator' | 'checkpoint',
): Readonly<Record<'publish' | 'subscribe', readonly string[]>> {
  const page = readFileSync(join(root, 'docs/backends/cluster.md'), 'utf8')
  const text = page.split(`<!-- rights: ${role} -->`)[1]?.split('```')[1] ?? ''
  const listed = (kind: string) =>
    new RegExp(`^${kind}: (.*)$`, 'm')
      .exec(text)?.[1]
      ?.split(', ')
      .map((subject) => subject.trim()) ?? []
  return { publish: listed('publish'), subscribe: listed('subscribe') }
}

const [worker, coordinator, keeper, blind] = [createUser(), createUser(), createUser(), createUser()]
const path = (name: string) => join(folder, name)

async function configuration(): Promise<string> {
  const altNames = { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: 'localhost' }] }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'manybody' }], { extensions: [altNames] })
  writeFileSync(path('server.pem'), cert)
  writeFileSync(path('server-key.pem'), key)
  const { publish, subscribe } = rightsOf('worker')
  const withoutReading = { publish, subscribe: subscribe.filter((subject) => !subject.includes('.read.')) }
  const both = (['publish', 'subscribe'] as const).map((kind) => [
    kind,
    [...rightsOf('coordinator')[kind], ...rightsOf('checkpoint')[kind]],
  ])
  const user = (nkey: string, rights: ReturnType<typeof rightsOf>) => ({
    ...{ nkey, permissions: { publish: { allow: rights.publish }, subscribe: { allow: rights.subscribe } } },
  })
  const config = {
    tls: { cert_file: path('server.pem'), key_file: path('server-key.pem') },
    authorization: {
      users: [
        user(worker.getPublicKey(), rightsOf('worker')),
        user(coordinator.getPublicKey(), rightsOf('coordinator')),
        user(keeper.getPublicKey(), Object.fromEntries(both)),
        user(blind.getPublicKey(), withoutReading),
      ],
    },
  }
  // JSON is a form of the server's configuration.
  writeFileSync(path('server.conf'), JSON.stringify(config))
  return path('server.conf')
}

const linked = (servers: string, seed: Uint8Array | undefined, caFile: string | undefined = path('server.pem')) =>
  ({
    servers,
    credentials: { ...(seed && { authenticator: nkeyAuthenticator(seed) }), ...(caFile && { tls: { caFile } }) },
  }) satisfies LinkOptions

if ('missing' in program) {
  describe.skip(`keys of a cluster: ${program.missing}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  const server = await startNatsServer(program.path, ['--config', await configuration()])
  // Certificates are for names.
  const url = server.url.replace('127.0.0.1', 'localhost')
  afterAll(() => server.stop())

  /** What the server forbids to the holder of a key. */
  const forbidden = async (seed: Uint8Array, act: (connection: NatsConnection) => void): Promise<string> => {
    const { servers, credentials } = linked(url, seed)
    const connection = await connect({ servers, ...credentials })
    try {
      const refused = (async () => {
        for await (const status of connection.status()) if (status.type === 'error') return String(status.error)
        return 'the connection ended'
      })()
      act(connection)
      await connection.flush()
      return await Promise.race([refused, connection.flush().then(() => 'nothing')])
    } finally {
      await connection.close()
    }
  }

  describe('keys of a cluster', () => {
    it('admit a worker and a coordinator with the rights of the manual', async () => {
      const joined = await joinCluster({ ...linked(url, worker.getSeed()), backend: 'cpu-wasm', threads: 1 })
      const spread = cluster({ ...linked(url, coordinator.getSeed()), always: true })
      const engine = await createEngine({ backends: [spread] })
      const particles = { position: numbers(3 * 3000, 1), mass: numbers(3000, 2) }
      const workload = accelerations(gravity({ softening: 0.05 }))
      const { report } = await engine.run(workload, particles)
      expect(report).toMatchObject({ backend: 'cluster', spread: { repeated: 0 } })
      expect((await engine.verify(workload, particles)).ok).toBe(true)
      engine.dispose()
      await joined.leave()
    })

    it('let a coordinator keep checkpoints with the rights that the manual adds, and not without', async () => {
      const simulation = 'kept'
      const kept = await openCheckpoint({ ...linked(url, keeper.getSeed()), simulation })
      const engine = await createEngine({ backend: 'reference' })
      const particles = { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] }
      const moving = await engine.simulate({ law: gravity(), particles, dt: 0.1 })
      await kept.save(await moving.snapshot())
      await kept.remove()
      await kept.close()
      engine.dispose()
      for (const seed of [coordinator.getSeed(), worker.getSeed()])
        await expect(openCheckpoint({ ...linked(url, seed), simulation })).rejects.toThrow(/permissions violation/i)
    })

    it('leave out a worker that may not read arrays, and say so', async () => {
      const joined = await joinCluster({ ...linked(url, blind.getSeed()), backend: 'reference' })
      const spread = cluster({ ...linked(url, coordinator.getSeed()), always: true })
      await expect(createEngine({ backends: [spread] })).rejects.toThrow(
        /Permissions Violation .*manybody\.default\.read/,
      )
      await joined.leave()
    })

    it('keep out whoever has none, and say so', async () => {
      const reason = async (options: LinkOptions) => {
        const probe = await cluster(options).probe()
        return probe.available ? 'available' : probe.reason
      }
      expect(await reason(linked(url, undefined))).toMatch(/does not admit .* give the key/)
      expect(await reason(linked(url, createUser().getSeed()))).toMatch(/does not admit .* give the key/)
      expect(await reason(linked(url, coordinator.getSeed(), ''))).toMatch(/certificate.* give its authority/)
    })

    it('let a worker neither replace arrays nor read what others get, nor call itself a coordinator', async () => {
      const acts: Readonly<Record<string, (connection: NatsConnection) => void>> = {
        'replace arrays': (to) => to.publish('manybody.default.array.00.0', 'x'),
        'ask workers': (to) => to.publish('manybody.default.hello', ''),
        'give work': (to) => to.publish('manybody.default.worker.00', ''),
        'change the store': (to) => to.publish('$JS.API.STREAM.DELETE.manybody_default_arrays', ''),
        'listen to arrays': (to) => void to.subscribe('manybody.default.array.>'),
        'listen to results': (to) => void to.subscribe('_INBOX.>'),
        'listen to everything': (to) => void to.subscribe('>'),
      }
      for (const [name, act] of Object.entries(acts))
        expect(`${name}: ${await forbidden(worker.getSeed(), act)}`).toMatch(/permissions violation/i)
      expect(await forbidden(worker.getSeed(), (to) => void to.subscribe('manybody.default.hello'))).toBe('nothing')
    })
  })
}
