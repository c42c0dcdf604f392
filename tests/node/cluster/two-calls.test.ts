// Workers with two calls in hand, as on a GPU. Whether they are killed, leave, or are no longer needed, nothing is lost, nothing counts
// twice, and nothing hangs. Without a server, the tests are skipped by name.

import { spawn } from 'node:child_process'
import { cluster, joinCluster } from '@manybody/cluster'
import {
  accelerations,
  createEngine,
  type Engine,
  gravity,
  type RunOptions,
  reference,
  type Simulation,
} from '@manybody/core'
import { afterAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'
import { asGpu } from '../../cluster/as-gpu.ts'
import { moving } from '../../cluster/moving.ts'
import { type NatsServer, natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { numbers } from '../../support/numbers.ts'

const program = await natsServerProgram()
const server = 'path' in program ? await startNatsServer(program.path) : undefined
afterAll(() => server?.stop())

/** Enough points that a worker gets two calls at once. */
const points = 1500
const particles = { position: numbers(3 * points, 1), mass: numbers(points, 2) }
const workload = accelerations(gravity({ softening: 0.05 }))

const truth = async () => {
  const alone = await createEngine({ backends: [reference()] })
  return (await alone.run(workload, particles)).acceleration
}

/** Holds runs until they may continue, and counts the runs that have begun and ended. */
class Gate {
  readonly #open: (() => void)[] = []
  #closed = true
  begun = 0
  rows = 0
  /** The signals of the runs that have begun. */
  readonly signals: (AbortSignal | undefined)[] = []

  readonly pass = async ({ targets = [0, 0], signal }: RunOptions): Promise<void> => {
    this.begun++
    this.signals.push(signal)
    if (this.#closed) await new Promise<void>((resolve) => this.#open.push(resolve))
    this.rows += targets[1] - targets[0]
  }

  open(): void {
    this.#closed = false
    for (const go of this.#open.splice(0)) go()
  }

  /** Holds later runs, and resets the counters. */
  close(): void {
    this.#closed = true
    this.begun = 0
    this.signals.length = 0
  }

  /** Waits until all runs that have begun are cancelled. */
  cancelled(): Promise<unknown> {
    return vi.waitUntil(() => this.signals.every((signal) => signal?.aborted), { timeout: patience })
  }

  two(): Promise<unknown> {
    return vi.waitUntil(() => this.begun === 2, { timeout: patience })
  }
}

function openGate(): Gate {
  const gate = new Gate()
  gate.open()
  return gate
}

async function join(name: string, gate: Gate) {
  const worker = await joinCluster({ servers: (server as NatsServer).url, name, backends: [asGpu(gate.pass)] })
  onTestFinished(() => {
    gate.open()
    return worker.leave()
  })
  return worker
}

async function engineOf(name: string) {
  const { url } = server as NatsServer
  const engine = await createEngine({ backends: [cluster({ servers: url, name, always: true, home: reference() })] })
  onTestFinished(() => engine.dispose())
  return engine
}

if (!server) {
  describe.skip(`cluster: ${'missing' in program ? program.missing : ''}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  describe('a worker with two calls in flight', () => {
    it('may be killed', async () => {
      const args = ['--import', 'tsx', 'tests/cluster/holding-worker.ts', server.url, 'killed']
      const holding = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void holding.kill('SIGKILL'))
      let said = ''
      holding.stdout.on('data', (text) => {
        said += text
      })
      const until = (isSaid: RegExp) => vi.waitUntil(() => isSaid.test(said), { timeout: patience })
      await until(/waits/)
      const engine = await engineOf('killed')
      const run = engine.run(workload, particles)
      await until(/begins\nbegins/)
      holding.kill('SIGKILL')
      const gate = openGate()
      await join('killed', gate)
      const { acceleration, report } = await run
      expect(acceleration).toEqual(await truth())
      expect([report.interactions, report.evaluated, gate.rows]).toEqual([points ** 2, points ** 2, points])
    })

    it('ends both of them when it leaves, and gets no more', async () => {
      const leaving = new Gate()
      const leaver = await join('left', leaving)
      const engine = await engineOf('left')
      const run = engine.run(workload, particles)
      await leaving.two()
      const left = leaver.leave()
      // The coordinator takes back the calls of lost workers twice a second.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      leaving.open()
      await left
      const rows = leaving.rows
      const staying = openGate()
      await join('left', staying)
      const { acceleration, report } = await run
      expect(acceleration).toEqual(await truth())
      expect([report.interactions, report.evaluated]).toEqual([points ** 2, points ** 2])
      // Nobody computes the finished targets of the leaving worker again.
      expect(rows).toBeGreaterThan(0)
      expect([leaving.rows, staying.rows]).toEqual([rows, points - rows])
    })

    it('is free for the next run after one was aborted', async () => {
      const gate = new Gate()
      const worker = await join('aborted', gate)
      const engine = await engineOf('aborted')
      const controller = new AbortController()
      const run = engine.run(workload, particles, { signal: controller.signal })
      await gate.two()
      controller.abort(new Error('not needed'))
      await expect(run).rejects.toThrow('not needed')
      await gate.cancelled()
      gate.open()
      expect((await engine.run(workload, particles)).acceleration).toEqual(await truth())
      expect(worker.calls).toBeGreaterThanOrEqual(4)
    })

    it('is free for the next engine after one was disposed of', async () => {
      const gate = new Gate()
      await join('disposed', gate)
      const engine = await engineOf('disposed')
      const run = engine.run(workload, particles)
      await gate.two()
      engine.dispose()
      await expect(run).rejects.toThrow(/the engine was disposed/)
      await gate.cancelled()
      gate.open()
      expect((await (await engineOf('disposed')).run(workload, particles)).acceleration).toEqual(await truth())
    })

    it('is free for the next simulation after a step was aborted, or its engine disposed of', async () => {
      const gate = openGate()
      await join('steps', gate)
      const begin = async (engine: Engine) => {
        const simulation = await engine.simulate(moving(points))
        await simulation.step()
        return simulation
      }
      const endInStep = async (simulation: Simulation, end: () => void, reason: RegExp, signal?: AbortSignal) => {
        gate.close()
        const step = simulation.step(100, { ...(signal && { signal }) })
        step.catch(() => {})
        await gate.two()
        end()
        await expect(step).rejects.toThrow(reason)
        await gate.cancelled()
        simulation.dispose()
        gate.open()
      }
      const [first, second, third] = [await engineOf('steps'), await engineOf('steps'), await engineOf('steps')]
      const controller = new AbortController()
      const abort = () => controller.abort(new Error('not needed'))
      await endInStep(await begin(first), abort, /not needed/, controller.signal)
      await endInStep(await begin(second), () => second.dispose(), /disposed/)
      const alone = await createEngine({ backends: [reference()] })
      const right = await (await begin(alone)).read('position')
      for (const engine of [first, third]) expect(await (await begin(engine)).read('position')).toEqual(right)
    })
  })
}
