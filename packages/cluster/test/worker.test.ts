// What a worker does with the arrays of its jobs on a device, and what a coordinator makes of results that differ.

import { accelerations, type Backend, type DeviceKind, gravity, reference } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Authors } from '../src/coordinator/authors.ts'
import { bytesOf, refOf, type TypedArray } from '../src/wire/arrays.ts'
import type { ClusterJob } from '../src/wire/job.ts'
import { partitionOf } from '../src/wire/partition.ts'
import { Devices } from '../src/worker/devices.ts'
import { runBlocks } from '../src/worker/run-blocks.ts'
import type { WorkerInfo } from '../src/worker/worker.ts'

const workload = accelerations(gravity({ softening: 0.1 }))
const count = 100
const mass = Float32Array.from({ length: count }, (_, n) => 1 + (n % 3))
const positionOf = (seed: number) => Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(seed * (n + 1)))

/** The reference as a device of another kind, which counts the arrays on it. */
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
        const [mine, theirs] = [gpu, cpu].map((devices) => runBlocks(devices, job, span, load, never))
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
