// The cluster backend with a real NATS server and workers in separate processes. It passes its share of the suite, and the loss of workers
// and of the server costs only time. Without a server, the tests are skipped by name.

import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { cluster, joinCluster } from '@manybody/cluster'
import { describeConformance } from '@manybody/conformance'
import { accelerations, type Backend, createEngine, gravity, type Program, reference, type Shape } from '@manybody/core'
import { afterAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { lease } from '../../../packages/cluster/src/schedule/waits.ts'
import { shown } from '../../../packages/cluster/src/wire/address.ts'
import { ByteCache } from '../../../packages/cluster/src/wire/cache.ts'
import { link } from '../../../packages/cluster/src/wire/link.ts'
import { decode, encode } from '../../../packages/cluster/src/wire/message.ts'
import { Devices } from '../../../packages/cluster/src/worker/devices.ts'
import { LatestJob } from '../../../packages/cluster/src/worker/latest-job.ts'
import { ClusterWorker } from '../../../packages/cluster/src/worker/worker.ts'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'
import { type NatsServer, natsServerProgram, startNatsServer } from '../../cluster/nats-server.ts'
import { numbers } from '../../support/numbers.ts'
import { sharing } from '../../support/share.ts'

const program = await natsServerProgram()
const server = 'path' in program ? await startNatsServer(program.path) : undefined
const workers = new Set<ChildProcess>()

/** A worker in a separate process, once it waits. */
async function startWorker({ url }: NatsServer, name: string): Promise<ChildProcess> {
  const args = ['--import', 'tsx', 'packages/cluster/src/cli.ts', 'worker', '--servers', url, '--name', name]
  const child = spawn(process.execPath, [...args, '--backend', 'cpu-wasm', '--threads', '1'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  workers.add(child)
  child.once('exit', () => workers.delete(child))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => /waits at/.test(String(text)) && resolve())
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)))
  })
  return child
}

const position = numbers(3 * 20_000, 1)
const particles = { position, mass: Float32Array.from({ length: 20_000 }, (_, n) => 1 + (n % 7)) }
const workload = accelerations(gravity({ softening: 0.05 }))

type Run = Program['run']

/** The reference, with a changed run for the chosen problems. */
function changed(chosen: (shape: Shape) => boolean, change: (run: Run) => Run): Backend {
  const good = reference()
  const open: Backend['open'] = async (options) => {
    const device = await good.open(options)
    let runs = 0
    const prepare: typeof device.prepare = async (...given) => {
      const program = await device.prepare(...given)
      const run: Run = (...call) => program.run(...call)
      const other = change(run)
      return {
        dispose: () => program.dispose(),
        get report() {
          return program.report
        },
        // The engine has proven the device after one run.
        run: (...call) => (runs++ > 0 && chosen(given[1]) ? other : run)(...call),
      }
    }
    return { ...device, prepare }
  }
  return { ...good, open }
}

/** A backend that counts the rounds of its sequences. */
function counting(backend: Backend) {
  const ran = { rounds: 0 }
  const open: Backend['open'] = async (options) => {
    const device = await backend.open(options)
    const sequence: typeof device.sequence = async (stages) => {
      const own = await device.sequence(stages)
      const run: typeof own.run = (times, how) => {
        ran.rounds += times
        return own.run(times, how)
      }
      return { run, dispose: () => own.dispose() }
    }
    return { ...device, sequence }
  }
  return { backend: { ...backend, open }, ran }
}

/** The reference, but all its results are 1 for the chosen problems. */
const lying = (chosen: (shape: Shape) => boolean, lied = () => {}) =>
  changed(chosen, (run) => async (...call) => {
    const results = await run(...call)
    for (const array of Object.values(results)) array.fill(1)
    lied()
    return results
  })

/** An engine that outlives a failed test would keep its threads, and tests in other files would find them. */
async function engineOf(name: string, recheck = 0) {
  const engine = await createEngine({
    backends: [cluster({ servers: (server as NatsServer).url, name, always: true, recheck, storeBytes: 2 ** 26 })],
  })
  onTestFinished(() => engine.dispose())
  return engine
}

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await server?.stop()
})

if (!server) {
  describe.skip(`cluster: ${'missing' in program ? program.missing : ''}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  await Promise.all([1, 2].map(() => startWorker(server, 'suite')))
  await describeConformance(
    { describe, test: sharing(test, 0, 16), afterAll },
    cluster({ servers: server.url, name: 'suite', always: true }),
    { required: true },
  )
  // If the device at home is faster, sequences run there.
  await describeConformance(
    { describe, test: sharing(test, 0, 1000, /^(sequences|buffers): /), afterAll },
    cluster({ servers: server.url, name: 'suite' }),
    { required: true },
  )

  describe('a cluster', () => {
    it('gives the same bits whatever is killed: workers, the server, all of them', async () => {
      const first = await startWorker(server, 'kills')
      const engine = await engineOf('kills')
      const truth = await engine.run(workload, particles)
      expect(truth.report).toMatchObject({ backend: 'cluster', spread: { repeated: 0 } })
      const { timings, spread } = truth.report
      expect(spread?.waiting).toBeGreaterThan(0)
      expect(spread?.waiting).toBeLessThan(timings.compute)
      await startWorker(server, 'kills')
      let killed = 0
      const { acceleration, report } = await engine.run(workload, particles, {
        onProgress: (done) => {
          if (killed === 0 && done > 0.1) {
            killed++
            first.kill('SIGKILL')
            // The worker may come while the server is down.
            void startWorker(server, 'kills').catch(() => {})
          }
          if (killed === 1 && done > 0.4) {
            killed++
            void server.kill().then(() => server.restart())
          }
        },
      })
      expect(killed).toBe(2)
      expect(acceleration).toEqual(truth.acceleration)
      expect(report.interactions).toBe(20_000 ** 2)
      // Between runs, nobody waits for a worker's signs of life.
      const idle = await startWorker(server, 'kills')
      const next = await engineOf('kills')
      const gone = new Promise((resolve) => idle.once('exit', resolve))
      idle.kill('SIGKILL')
      await gone
      expect((await next.run(workload, particles)).acceleration).toEqual(truth.acceleration)
    })

    it('does not take a worker for lost that had no work for a while', async () => {
      let rows = 0
      const counting = changed(
        ({ targets }) => targets > 67,
        (run) =>
          async (...call) => {
            const [, { targets = [0, 0] } = {}] = call
            rows += targets[1] - targets[0]
            await setTimeout(500)
            return run(...call)
          },
      )
      const worker = await joinCluster({ servers: server.url, name: 'idle', backends: [counting] })
      const engine = await engineOf('idle')
      const now = performance.now.bind(performance)
      const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
      onTestFinished(() => later.mockRestore())
      const few = { position: position.subarray(0, 3 * 200), mass: particles.mass.subarray(0, 200) }
      const { report } = await engine.run(workload, few)
      expect([rows, report.spread?.repeated]).toEqual([200, 0])
      await worker.leave()
    })

    it('does not take a worker for lost whose only thread computes for longer than any other is silent', async () => {
      const args = ['--import', 'tsx', 'tests/cluster/busy-worker.ts', server.url, 'busy', '5']
      const worker = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      workers.add(worker)
      let said = ''
      await new Promise<void>((resolve, reject) => {
        worker.stdout.on('data', (text) => {
          said += text
          if (/waits/.test(said)) resolve()
        })
        worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)))
      })
      const engine = await engineOf('busy')
      const few = { position: position.subarray(0, 3 * 200), mass: particles.mass.subarray(0, 200) }
      const { report } = await engine.run(workload, few)
      expect(report.timings.compute).toBeGreaterThan(5000)
      const computed = () =>
        Array.from(said.matchAll(/computes (\d+)/g), ([, count]) => Number(count)).reduce((sum, n) => sum + n, 0)
      // Its last line may arrive after its results.
      await vi.waitFor(() => expect(computed()).toBeGreaterThanOrEqual(200))
      // A second computation would show that a worker was taken for lost.
      expect([computed(), report.spread?.repeated]).toEqual([200, 0])
    })

    it('gives a call again that was lost on its way to a worker', async () => {
      const to = await link({ servers: server.url, name: 'lossy' })
      const subscribe = to.connection.subscribe.bind(to.connection)
      let lost = 0
      let losing = false
      vi.spyOn(to.connection, 'subscribe').mockImplementation((subject, options = {}) =>
        subscribe(subject, {
          ...options,
          callback: (error, message) => {
            if (losing && lost === 0 && decode(message.data).header.task !== undefined) lost++
            else options.callback?.(error, message)
          },
        }),
      )
      const devices = new Devices({ backends: [reference()] })
      const { info } = await devices.device('f32')
      const parts = { devices, info, cache: new ByteCache(2 ** 30), latestJob: new LatestJob() }
      const worker = new ClusterWorker(to, parts, () => {})
      const engine = await engineOf('lossy')
      losing = true
      const few = { position: position.subarray(0, 3 * 200), mass: particles.mass.subarray(0, 200) }
      const { report } = await engine.run(workload, few)
      expect([lost, report.spread?.repeated]).toEqual([1, 0])
      expect(report.timings.compute).toBeLessThan(lease / 2)
      await worker.leave()
    })

    it('says which of the calls that it is asked for it lacks, and nothing of those that came later', async () => {
      const joined = await joinCluster({ servers: server.url, name: 'asked', backend: 'reference' })
      onTestFinished(() => joined.leave())
      const { connection, subjects, self } = await link({ servers: server.url, name: 'asked' })
      onTestFinished(() => connection.close())
      const answers = connection.subscribe(subjects.result(joined.id, self, 'run'), { max: 1 })
      connection.publish(subjects.call(joined.id, self, 'run'), encode({ kind: 'ask', tasks: ['7', '8', 9] }))
      for await (const { data } of answers)
        expect(decode(data).header).toMatchObject({ kind: 'there', lacks: ['7', '8'] })
    })

    it('sends a law only what it reads, and each array once', async () => {
      const joined = await joinCluster({ servers: server.url, name: 'reads', backend: 'reference' })
      onTestFinished(() => joined.leave())
      const engine = await engineOf('reads')
      const points = 3000
      const given = { position: numbers(3 * points, 1), mass: numbers(points, 2), heat: numbers(points, 3) }
      const sentFor = async (changes: object) =>
        (await engine.run(workload, { ...given, ...changes })).report.spread?.sentBytes ?? Number.NaN
      expect(await sentFor({})).toBe(16 * points)
      expect(await sentFor({ heat: numbers(points, 4) })).toBe(0)
      expect(await sentFor({ position: numbers(3 * points, 5) })).toBe(12 * points)
    })

    it('waits for another worker where it must not compute at home, also if the last one left in order', async () => {
      const join = () => joinCluster({ servers: server.url, name: 'rolling', backend: 'cpu-wasm', threads: 1 })
      const first = await join()
      const engine = await engineOf('rolling')
      const few = { position: position.subarray(0, 3 * 2000), mass: particles.mass.subarray(0, 2000) }
      const truth = await engine.run(workload, few)
      await first.leave()
      const waiting = engine.run(workload, few)
      await setTimeout(300)
      const second = await join()
      onTestFinished(() => second.leave())
      const { acceleration, report } = await waiting
      expect(report).toMatchObject({ backend: 'cluster', spread: { workers: expect.stringMatching(/^1 x cpu-wasm/) } })
      expect(acceleration).toEqual(truth.acceleration)
    })

    it('finds one wrong number of the only worker, and says how many targets it has judged', async () => {
      const wrong = changed(
        ({ targets }) => targets > 67,
        (run) =>
          async (...call) => {
            const results = await run(...call)
            const [first] = Object.values(results)
            if (first) first[2] = 3 * (first[2] as number)
            return results
          },
      )
      const few = { position: position.subarray(0, 3 * 1000), mass: particles.mass.subarray(0, 1000) }
      const honest = await joinCluster({ servers: server.url, name: 'alone', backend: 'reference' })
      const engine = await engineOf('alone', 1)
      const { report } = await engine.run(workload, few)
      expect(report.spread).toMatchObject({ rechecked: report.spread?.blocks, judged: 1000 })
      engine.dispose()
      await honest.leave()
      const liar = await joinCluster({ servers: server.url, name: 'alone', backends: [wrong] })
      onTestFinished(() => liar.leave())
      await expect((await engineOf('alone', 1)).run(workload, few)).rejects.toThrow(/results of block \d+ are wrong/)
    })

    it('says what to do where the server may not keep the arrays of a run, and stays open', async () => {
      const joined = await joinCluster({ servers: server.url, name: 'narrow', backend: 'reference' })
      onTestFinished(() => joined.leave())
      const engine = await createEngine({
        backends: [cluster({ servers: server.url, name: 'narrow', always: true, storeBytes: 2 ** 20 })],
      })
      onTestFinished(() => engine.dispose())
      const many = { targets: { position: [0, 0, 0] }, sources: { position: numbers(6e6, 1), mass: numbers(2e6, 2) } }
      await expect(engine.run(workload, many)).rejects.toThrow(/have 24000000 bytes, .* keeps at most 1048576; raise/)
      expect((await engine.run(workload, { position: [0, 0, 0, 1, 1, 1], mass: [1, 1] })).report.backend).toBe(
        'cluster',
      )
    })

    it('declines what the device at home finishes sooner, and says what both would take', async () => {
      const engine = await createEngine({ backends: [cluster({ servers: server.url, name: 'suite' })] })
      onTestFinished(() => engine.dispose())
      const { report } = await engine.run(accelerations(gravity()), { position: [0, 0, 0, 1, 2, 2], mass: [1, 2] })
      expect(report.variant).toMatch(/, at home: about .* ms, and 10 ms on 2 workers$/)
      expect(report.spread).toBeUndefined()
    })

    it('keeps a simulation on the device at home where that is faster', async () => {
      const joined = await joinCluster({ servers: server.url, name: 'slower', backend: 'reference' })
      onTestFinished(() => joined.leave())
      const { backend: home, ran } = counting(reference())
      const few = { position: position.subarray(0, 300), mass: particles.mass.subarray(0, 100) }
      const options = { forces: [gravity({ softening: 0.05 })], particles: few, dt: 0.001 }
      const steppedOn = async (backend: Backend) => {
        const engine = await createEngine({ backends: [backend] })
        onTestFinished(() => engine.dispose())
        const simulation = await engine.simulate(options)
        await simulation.step(20)
        return simulation.read('position')
      }
      const steps = await steppedOn(cluster({ servers: server.url, name: 'slower', home }))
      // On a busy machine, some rounds may go to the worker, which computes the same results.
      expect(ran.rounds).toBeGreaterThan(0)
      expect(steps).toEqual(await steppedOn(reference()))
    })

    it('leaves out a worker that computes wrongly, and says why', async () => {
      const liar = await joinCluster({ servers: server.url, name: 'liar', backends: [lying(() => true)] })
      await expect(engineOf('liar')).rejects.toThrow(/computed gravity among 67 points with an error of/)
      await liar.leave()
    })

    it('finds a worker that lies after its proof, names it, and computes its blocks again', async () => {
      const few = { position: position.subarray(0, 3 * 200), mass: particles.mass.subarray(0, 200) }
      const chosen = ({ targets }: Shape) => targets > 67
      const join = (backend: Backend) => joinCluster({ servers: server.url, name: 'sample', backends: [backend] })
      let lies = 0
      const liar = await join(lying(chosen, () => void lies++))
      const trusting = await engineOf('sample')
      expect((await trusting.run(workload, few)).acceleration).toContain(1)
      trusting.dispose()
      // The honest worker answers after the liar, however the machine divides its time between them.
      const lied = async () => {
        await vi.waitUntil(() => lies > before, { timeout: patience })
        await setTimeout(100)
      }
      const before = lies
      const honest = await join(
        changed(
          chosen,
          (run) =>
            async (...call) =>
              lied().then(() => run(...call)),
        ),
      )
      const engine = await engineOf('sample', 0.1)
      const { acceleration, report } = await engine.run(workload, few)
      const alone = await createEngine({ backends: [reference()] })
      expect(acceleration).toEqual((await alone.run(workload, few)).acceleration)
      expect(report.spread?.rechecked).toBeGreaterThan(0)
      const named = new RegExp(`worker ${shown(liar.id)} was left out: its results of block \\d+ are wrong`)
      expect(engine.device.info.notes?.join()).toMatch(named)
      expect(engine.device.info.notes?.join()).not.toContain(shown(honest.id))
      engine.dispose()
      await honest.leave()
      await expect((await engineOf('sample', 0.1)).run(workload, few)).rejects.toThrow(
        /its results of block \d+ are wrong/,
      )
      await liar.leave()
    })

    it('is unavailable without workers or without a server, with what to do', async () => {
      expect(await cluster({ servers: server.url, name: 'nobody' }).probe()).toMatchObject({
        available: false,
        reason: expect.stringMatching(/no worker waits .* npx @manybody\/cluster worker/),
      })
      expect(await cluster({ servers: 'nats://127.0.0.1:1' }).probe()).toMatchObject({
        available: false,
        reason: expect.stringMatching(/no NATS server answers/),
      })
    })
  })
}
