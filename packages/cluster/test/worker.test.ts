// How a worker handles the arrays of its jobs on a device, and how a coordinator judges results that differ.

import { accelerations, type Backend, type DeviceKind, DeviceLostError, gravity, reference } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Authors } from '../src/coordinator/authors.ts'
import { byteLengthOf, bytesOf, refOf, type TypedArray } from '../src/wire/arrays.ts'
import { ByteCache, cacheKey } from '../src/wire/cache.ts'
import { type ClusterJob, encoded } from '../src/wire/job.ts'
import { decode, encode } from '../src/wire/message.ts'
import { partitionOf } from '../src/wire/partition.ts'
import { subjectsOf } from '../src/wire/subjects.ts'
import type { WorkerInfo } from '../src/wire/worker-info.ts'
import { Devices } from '../src/worker/devices.ts'
import { LatestJob } from '../src/worker/latest-job.ts'
import { runBlocks } from '../src/worker/run-blocks.ts'
import { Turns } from '../src/worker/turns.ts'
import { ClusterWorker } from '../src/worker/worker.ts'
import { linkWith, named } from './support.ts'

const workload = accelerations(gravity({ softening: 0.1 }))
const count = 100
const mass = Float32Array.from({ length: count }, (_, n) => 1 + (n % 3))
const positionOf = (seed: number) => Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(seed * (n + 1)))

/** The reference as a device of another kind, which counts its arrays. */
function counted(kind: DeviceKind) {
  const arrays = { made: 0, disposed: 0 }
  const good = reference()
  const backend: Backend = {
    ...good,
    probe: async () => ({ available: true, device: 'counted', kind, features: [] }),
    async open(options) {
      const device = await good.open(options)
      return {
        ...device,
        info: { ...device.info, kind },
        async buffer(length) {
          const buffer = await device.buffer(length)
          const dispose = buffer.dispose.bind(buffer)
          arrays.made++
          buffer.dispose = () => {
            arrays.disposed++
            dispose()
          }
          return buffer
        },
      }
    },
  }
  return { backend, arrays }
}

async function jobOf(position: Float32Array) {
  const { shape, bindings } = bind(workload, { position, mass })
  const contents = new Map<string, TypedArray>()
  const ref = async (array: TypedArray) => {
    const one = await refOf(array)
    contents.set(one.hash, array)
    return one
  }
  const job: ClusterJob = {
    ...{ precision: 'f32', workload, shape, plan: undefined, parameters: bindings.parameters },
    ...{ targets: [0, count], sources: [0, count] },
    arrays: { targets: { position: await ref(position), mass: await ref(mass) } },
  }
  const load = async ({ hash }: { readonly hash: string }) => bytesOf(contents.get(hash) as TypedArray)
  return { job, load, bindings, blocks: partitionOf(workload, job).blocks }
}

describe('the device of a worker', () => {
  it('keeps the points of the latest job, and computes the same from them', async () => {
    const { backend, arrays } = counted('hardware')
    const [gpu, cpu] = [new Devices({ backends: [backend] }), new Devices({ backends: [reference()] })]
    onTestFinished(async () => {
      await gpu.dispose()
      await cpu.dispose()
    })
    const never = new AbortController().signal
    const compare = async ({ job, load, blocks }: Awaited<ReturnType<typeof jobOf>>) => {
      for (const span of [
        { first: 0, last: 3 },
        { first: 3, last: blocks },
      ]) {
        const [mine, theirs] = [gpu, cpu].map((devices) =>
          runBlocks(devices, { job, isSound: false }, span, { lane: 0, turns: new Turns() }, load, never),
        )
        expect((await mine)?.bytes).toEqual((await theirs)?.bytes)
      }
    }
    await gpu.device('f32')
    const proof = { ...arrays }
    await compare(await jobOf(positionOf(1)))
    expect(arrays.made - proof.made).toBe(2)
    await compare(await jobOf(positionOf(2)))
    expect([arrays.made - proof.made, arrays.disposed - proof.disposed]).toEqual([3, 1])
  })
})

describe('the jobs of the steps of a simulation', () => {
  it('have one workload, which is parsed and derived once', async () => {
    const latest = new LatestJob()
    const read = (job: ClusterJob) => latest.of(new TextDecoder().decode(encoded(job))).job
    const steps = await Promise.all([1, 2].map((seed) => jobOf(positionOf(seed))))
    const [first, second] = [read(steps[0]?.job as ClusterJob), read(steps[1]?.job as ClusterJob)]
    expect(second.arrays).not.toEqual(first.arrays)
    expect(second.workload).toBe(first.workload)
    const other = read({ ...first, workload: accelerations(gravity({ softening: 0.2 })) })
    expect(other.workload).not.toEqual(first.workload)
    expect(() => read({ ...first, workload: { ...workload, law: 'gravity' } as never })).toThrow(/law/)
  })
})

describe('calls at the same time', () => {
  it('report what each of them computed, and open a lost device once', async () => {
    const good = reference()
    let opened = 0
    const waiting: (() => void)[] = []
    const backend: Backend = {
      ...good,
      async open(options) {
        const device = await good.open(options)
        const isLost = ++opened === 1
        const prepare: typeof device.prepare = async (...given) => {
          const program = await device.prepare(...given)
          if (given[1].targets !== count) return program
          const run: typeof program.run = async (...call) => {
            await new Promise<void>((resolve) => {
              waiting.push(resolve)
              // Both calls end in the same turn of the event loop, as calls of a GPU may.
              if (waiting.length === 2) for (const go of waiting.splice(0)) go()
            })
            if (isLost) throw new DeviceLostError('counted', { reason: 'unplugged', remedy: 'plug it in' })
            return program.run(...call)
          }
          return {
            dispose: () => program.dispose(),
            get report() {
              return program.report
            },
            run,
          }
        }
        return { ...device, prepare }
      },
    }
    const devices = new Devices({ backends: [backend] })
    onTestFinished(() => devices.dispose())
    const { job, load, blocks } = await jobOf(positionOf(1))
    const never = new AbortController().signal
    const spans = [
      { first: 0, last: 10 },
      { first: 10, last: blocks },
    ]
    const turns = new Turns()
    const both = await Promise.all(
      spans.map((span, lane) => runBlocks(devices, { job, isSound: false }, span, { lane, turns }, load, never)),
    )
    expect(both.map(({ evaluated }) => evaluated)).toEqual([20 * count, (count - 20) * count])
    expect(opened).toBe(2)
  })
})

describe('a worker with two calls', () => {
  /** The deeds of a worker in order: it computes calls and sends their results. */
  async function deeds(kind: DeviceKind): Promise<readonly string[]> {
    const done: string[] = []
    const good = reference()
    const open: Backend['open'] = async (how) => {
      const device = await good.open(how)
      const prepare: typeof device.prepare = async (...given) => {
        const program = await device.prepare(...given)
        if (given[1].targets !== count) return program
        const run: typeof program.run = (bindings, options) => {
          done.push('computes')
          return program.run(bindings, options)
        }
        return {
          dispose: () => program.dispose(),
          get report() {
            return program.report
          },
          run,
        }
      }
      return { ...device, info: { ...device.info, kind }, prepare }
    }
    const probe: Backend['probe'] = async () => ({ available: true, device: 'counted', kind, features: [] })
    const devices = new Devices({ backends: [{ ...good, probe, open }] })
    onTestFinished(() => devices.dispose())
    const { job, load } = await jobOf(positionOf(1))
    const cache = new ByteCache(1e6)
    const { targets } = job.arrays
    for (const one of Object.values(targets))
      void cache.of(cacheKey('open', one.hash), byteLengthOf(one), () => load(one))
    const hears = new Map<string, (error: null, message: object) => void>()
    const connection = {
      subscribe: (subject: string, { callback }: { readonly callback: (error: null, message: object) => void }) =>
        void hears.set(subject, callback),
      publish: (_: string, data: Uint8Array) => void done.push(`sends ${decode(data).header.task}`),
      isClosed: () => false,
    }
    const subjects = subjectsOf('default')
    const link = linkWith(connection, named('a'))
    const info = (await devices.device('f32')).info
    const worker = new ClusterWorker(link, { devices, info, cache, latestJob: new LatestJob() }, () => {})
    for (const [task, first] of [
      ['1', 0],
      ['2', 10],
    ] as const)
      hears.get(subjects.callsOf(worker.id))?.(null, {
        data: encode({ task, first, last: first + 10 }, encoded(job)),
        subject: subjects.call(worker.id, named('c'), 'f'),
      })
    await vi.waitUntil(() => done.length >= 4)
    return done
  }

  it('sends the results of one before a processor computes the next, as both may be on one thread', async () => {
    expect(await deeds('cpu')).toEqual(['computes', 'sends 1', 'computes', 'sends 2'])
  })

  it('has a GPU compute both', async () => {
    expect(await deeds('hardware')).toEqual(['computes', 'computes', 'sends 1', 'sends 2'])
  })
})

describe('a device that takes two calls', () => {
  it('begins a call when the one ahead is about to end, or has ended sooner than it should', async () => {
    const turns = new Turns()
    const began = performance.now()
    const begins: number[] = []
    const call = (pairs: number, milliseconds: number) =>
      turns.take(
        pairs,
        async () => {
          begins.push(performance.now() - began)
          await new Promise((resolve) => setTimeout(resolve, milliseconds))
          return milliseconds
        },
        (time) => time,
      )
    await call(200, 200)
    await Promise.all([call(200, 200), call(200, 10), call(200, 10)])
    const [, second = 0, third = 0, fourth = 0] = begins
    // The call should end 200 ms after its start, and the next should reach the device 30 ms before that.
    expect(third - second).toBeGreaterThan(150)
    expect(third - second).toBeLessThan(200)
    // That call took 10 ms instead of 200.
    expect(fourth - third).toBeLessThan(100)
  })
})

describe('equal workers that got other bits for a block', () => {
  const faultsOf = async (kind: DeviceKind) => {
    const { job, bindings } = await jobOf(positionOf(1))
    const authors = new Authors(job, bindings)
    const author = (digit: string) => ({
      info: { id: digit, backend: 'one', name: 'device', kind } as WorkerInfo,
      report: { variant: 'plain', accumulation: 'f64', compile: 0 } as const,
      evaluated: 1,
    })
    authors.add(0, author('a'))
    const { acceleration } = await (await reference().open({}))
      .prepare(workload, job.shape)
      .then((program) => program.run(bindings, { targets: [0, 2] }))
    const block = (change: number) => {
      const results = { acceleration: Float32Array.from(acceleration as Float32Array) }
      const bits = new Uint32Array(results.acceleration.buffer)
      bits[0] = (bits[0] as number) + change
      return { block: 0, targets: [0, 2], sources: [0, count], results } as const
    }
    return authors.faults(block(0), block(1), author('b'), false)
  }

  it('are faulty if their bits are always the same', async () => {
    expect(await faultsOf('cpu')).toEqual([{ worker: 'b', reason: expect.stringMatching(/check the machine/) }])
  })

  it('are not faulty if they are GPUs, which divide long sums by time', async () => {
    expect(await faultsOf('hardware')).toEqual([])
  })
})
