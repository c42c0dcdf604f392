// A server that speaks TLS and identifies its clients by keys. Workers and coordinators need only the rights in the manual, and nobody else
// gets in.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cluster, joinCluster, type LinkOptions, openCheckpoint } from '@manybody/cluster'
import type { NatsConnection } from '@nats-io/transport-node'
import { accelerations, createEngine, gravity } from 'manybody'
import { generate } from 'selfsigned'
import { afterAll, describe, expect, it, test } from 'vitest'
import { type Client, clientOf, configurationFor, connected, forbidden, linkOf } from '../../cluster/keys.ts'
import { natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { numbers } from '../../support/numbers.ts'

const program = await natsServerProgram()
const folder = mkdtempSync(join(tmpdir(), 'manybody-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [worker, other] = [clientOf(['worker']), clientOf(['worker'])]
const coordinator = clientOf(['coordinator'])
const second = clientOf(['coordinator'])
const keeper = clientOf(['coordinator', 'checkpoint'])
const blind = clientOf(['worker'], /\.read\./)
const deaf = clientOf(['worker'], /\.hello\./)
const path = (name: string) => join(folder, name)
const caFile = path('server.pem')

async function configuration(): Promise<string> {
  const altNames = { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: 'localhost' }] }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'manybody' }], { extensions: [altNames] })
  writeFileSync(caFile, cert)
  writeFileSync(path('server-key.pem'), key)
  const tls = { cert_file: caFile, key_file: path('server-key.pem') }
  return configurationFor(folder, [worker, other, coordinator, second, keeper, blind, deaf], { tls })
}

if ('missing' in program) {
  describe.skip(`keys of a cluster: ${program.missing}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  const server = await startNatsServer(program.path, ['--config', await configuration()])
  // Certificates are issued for names, not addresses.
  const url = server.url.replace('127.0.0.1', 'localhost')
  afterAll(() => server.stop())

  const linked = (client: Client) => linkOf(url, client, caFile)

  /** The actions that the server denies to the holder of a key. */
  const refusedTo = async (client: Client, act: (connection: NatsConnection) => void): Promise<string> => {
    const connection = await connected(url, client, caFile)
    try {
      return await forbidden(connection, act)
    } finally {
      await connection.close()
    }
  }

  describe('keys of a cluster', () => {
    it('admit a worker and a coordinator with the rights of the manual', async () => {
      const joined = await joinCluster({ ...linked(worker), backend: 'cpu-wasm', threads: 1 })
      const spread = cluster({ ...linked(coordinator), always: true })
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
      const kept = await openCheckpoint({ ...linked(keeper), simulation })
      const engine = await createEngine({ backend: 'reference' })
      const particles = { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] }
      const moving = await engine.simulate({ law: gravity(), particles, dt: 0.1 })
      await kept.save(await moving.snapshot())
      await kept.remove()
      await kept.close()
      engine.dispose()
      for (const client of [coordinator, worker])
        await expect(openCheckpoint({ ...linked(client), simulation })).rejects.toThrow(/permissions violation/i)
    })

    it('leave out a worker that may not read arrays, and say so', async () => {
      const joined = await joinCluster({ ...linked(blind), backend: 'reference' })
      const spread = cluster({ ...linked(coordinator), always: true })
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
      const tls = { caFile }
      expect(await reason({ servers: url, credentials: { tls } })).toMatch(/does not admit .* give the key/)
      expect(await reason(linked(clientOf(['worker'])))).toMatch(/does not admit .* give the key/)
      expect(await reason(linkOf(url, coordinator))).toMatch(/certificate.* give its authority/)
    })

    it('tell a worker which right it lacks, before it waits', async () => {
      await expect(joinCluster({ ...linked(deaf), backend: 'reference' })).rejects.toThrow(
        new RegExp(`forbids.*manybody\\.default\\.hello.*give its key, ${deaf.key}, the rights`, 's'),
      )
    })

    const under = (client: Client) => `${client.key}.${'0'.repeat(32)}`
    const run = `${under(worker)}.${under(coordinator)}.0`
    const workers: Readonly<Record<string, (to: NatsConnection) => void>> = {
      'answer for another': (to) => to.publish(`manybody.default.result.${under(other)}.${under(coordinator)}.0`),
      'take leave for another': (to) => to.publish(`manybody.default.leaving.${under(other)}`),
      'hear what another is asked': (to) => void to.subscribe(`manybody.default.call.${under(other)}.>`),
      'hear what all are asked': (to) => void to.subscribe('manybody.default.call.>'),
      'hear answers': (to) => void to.subscribe('manybody.default.result.>'),
      'hear what another reads': (to) => void to.subscribe(`manybody.default.read.${other.key}.>`),
      'hear inboxes': (to) => void to.subscribe('_INBOX.>'),
      'answer in inboxes': (to) => to.publish('_INBOX.x'),
      'replace arrays': (to) => to.publish(`manybody.default.array.${coordinator.key}.00.0`),
      'send arrays to all': (to) => to.publish(`manybody.default.push.${under(worker)}`),
      'ask workers': (to) => to.publish(`manybody.default.hello.${under(worker)}`),
      'give work': (to) => to.publish(`manybody.default.call.${under(other)}.${under(worker)}.0`),
      'change the store': (to) => to.publish('$JS.API.STREAM.DELETE.manybody_default_arrays'),
      'read states': (to) => to.publish('$JS.API.DIRECT.GET.manybody_default_checkpoints.x'),
      'listen to arrays': (to) => void to.subscribe('manybody.default.array.>'),
      'listen to everything': (to) => void to.subscribe('>'),
    }
    it.each(Object.entries(workers))('do not let a worker %s', async (_, act) => {
      expect(await refusedTo(worker, act)).toMatch(/permissions violation/i)
    })

    const coordinators: Readonly<Record<string, (to: NatsConnection) => void>> = {
      'answer for a worker': (to) => to.publish(`manybody.default.result.${run}`),
      'hear answers to another': (to) => void to.subscribe(`manybody.default.result.*.*.${coordinator.key}.>`),
      'ask in the name of another': (to) => to.publish(`manybody.default.call.${run}`),
      'greet in the name of another': (to) => to.publish(`manybody.default.hello.${under(coordinator)}`),
      'push in the name of another': (to) => to.publish(`manybody.default.push.${under(coordinator)}`),
      'replace arrays of another': (to) => to.publish(`manybody.default.array.${coordinator.key}.00.0`),
      'read arrays of another': (to) => to.publish('$JS.API.DIRECT.GET.manybody_default_arrays.x'),
      'send workers away': (to) => to.publish(`manybody.default.leaving.${under(worker)}`),
      'read states': (to) => to.publish('$JS.API.DIRECT.GET.manybody_default_checkpoints.x'),
      'replace states': (to) => to.publish('manybody.default.checkpoint.galaxy.entry'),
      'hear what another reads': (to) => void to.subscribe(`manybody.default.read.${coordinator.key}.>`),
    }
    it.each(Object.entries(coordinators))('do not let a coordinator %s', async (_, act) => {
      expect(await refusedTo(second, act)).toMatch(/permissions violation/i)
    })

    it('let each do what it must', async () => {
      expect(await refusedTo(worker, (to) => to.publish(`manybody.default.result.${run}`))).toBe('nothing')
      expect(await refusedTo(worker, (to) => void to.subscribe('manybody.default.hello.>'))).toBe('nothing')
    })
  })
}
