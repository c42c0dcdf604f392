// Checkpoints of a simulation on a cluster: another process continues it bit for bit after the first process, and even the server, was
// killed.

import { spawn } from 'node:child_process'
import { cluster, joinCluster, openCheckpoint, SupersededError } from '@manybody/cluster'
import { createEngine } from 'manybody'
import { afterAll, describe, expect, it, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { moving } from '../../cluster/moving.ts'
import { natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'

const program = await natsServerProgram()
const points = 200

if ('missing' in program) {
  describe.skip(`checkpoints: ${program.missing}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  const server = await startNatsServer(program.path)
  const worker = await joinCluster({ servers: server.url, backend: 'cpu-wasm', threads: 1 })
  afterAll(async () => {
    await worker.leave()
    await server.stop()
  })

  /** Steps in another process, until it ends or is killed after some steps. Returns its output. */
  const stepElsewhere = (steps: number, killedAt = Number.POSITIVE_INFINITY): Promise<string> => {
    const args = ['--import', 'tsx', 'tests/cluster/steps.ts', server.url, 'galaxy', `${steps}`, `${points}`]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      if (said.includes(`saved ${killedAt}\n`)) child.kill('SIGKILL')
    })
    return new Promise((resolve) => child.once('exit', () => resolve(said)))
  }

  describe('a checkpoint', () => {
    it('lets another process continue bit for bit after the first and the server were killed', async () => {
      expect(await stepElsewhere(1000, 3)).toMatch(/^epoch 1 begins at 0\nsaved 1\nsaved 2\nsaved 3\n/)
      await server.kill()
      await server.restart({ keep: true })
      const said = await stepElsewhere(12)
      expect(Number(/^epoch 2 begins at (\d+)/.exec(said)?.[1])).toBeGreaterThanOrEqual(3)
      expect(said).toMatch(/saved 12\n$/)
      const engine = await createEngine({ backends: [cluster({ servers: server.url, always: true })] })
      const whole = await engine.simulate(moving(points))
      await whole.step(12)
      const kept = await openCheckpoint({ servers: server.url, simulation: 'galaxy' })
      expect(kept.epoch).toBe(3)
      expect(kept.state).toEqual(await whole.snapshot())
      await kept.close()
      engine.dispose()
    })

    it('belongs to the last who opened it, survives a server without its files, and can be removed', async () => {
      const engine = await createEngine({ backend: 'reference' })
      const running = await engine.simulate({ ...moving(5), fixed: [1] })
      const first = await openCheckpoint({ servers: server.url, simulation: 'other' })
      expect(first.state).toBeUndefined()
      await first.save(await running.snapshot())
      const second = await openCheckpoint({ servers: server.url, simulation: 'other' })
      expect(second.state).toEqual(await running.snapshot())
      await expect(first.save(await running.snapshot())).rejects.toThrow(SupersededError)
      await server.kill()
      await server.restart()
      await running.step()
      await second.save(await running.snapshot())
      const third = await openCheckpoint({ servers: server.url, simulation: 'other' })
      expect(third.state).toEqual(await running.snapshot())
      await third.remove()
      const fourth = await openCheckpoint({ servers: server.url, simulation: 'other' })
      expect(fourth.state).toBeUndefined()
      expect(fourth.epoch).toBe(second.epoch + 2)
      for (const one of [first, second, third, fourth]) await one.close()
      engine.dispose()
    })

    it('rejects names that would reach other subjects', async () => {
      await expect(openCheckpoint({ servers: server.url, simulation: 'a.>' })).rejects.toThrow(/"simulation" expected/)
    })
  })
}
