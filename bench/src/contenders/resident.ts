/**
 * A backend with all arrays on the device, and on WebGPU several runs in one submission, to time the loops without the host.
 */

import type { GpuTimedSequence } from '@manybody/backend-webgpu'
import type { Backend, Device, DeviceBuffer, Plan, Report, Sequence } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import type { Contender, Entry, Results } from '../contender.ts'
import { aboutOf, type Devices, hasClock, whoOf } from './backend.ts'

/** @param plan a plan to use instead of the backend's choice */
export function residentContender(name: string, backend: Backend, devices: Devices, plan?: Plan): Contender {
  return {
    name: plan ? `${name} ${JSON.stringify(plan)}` : name,
    about: aboutOf(name, plan ? { plan } : {}),
    async prepare(problem) {
      const device = await devices.of(backend, {})
      const { shape, bindings } = bind(problem.workload, problem.particles)
      const program = await device.prepare(problem.workload, shape, plan)
      const arrays = await upload(device, bindings.targets.arrays)
      const outputs: Record<string, DeviceBuffer> = {}
      for (const [name, { length }] of resultArrays(problem.workload, shape, 'f32'))
        outputs[name] = await device.buffer(length)
      const set = { count: shape.targets, arrays }
      const sequence = (await device.sequence([
        { program, bindings: { ...bindings, targets: set, sources: set }, outputs },
      ])) as TimedSequence
      return entryOf(device, sequence, {
        who: whoOf(name, device, sequence.variants?.join(', then ') ?? program.report.variant, plan),
        compile: program.report.timings.compile,
        accuracy: program.report,
        results: () => read(outputs),
        disposables: [sequence, program, ...Object.values(arrays), ...Object.values(outputs)],
      })
    },
  }
}

/** Only WebGPU tells its variants and the time on the device's clock. */
type TimedSequence = Sequence & Partial<Pick<GpuTimedSequence, 'variants' | 'gpuMilliseconds'>>

type Floats = Readonly<Record<string, Float32Array>>

async function upload(device: Device, arrays: Readonly<Record<string, unknown>>) {
  const buffers: Record<string, DeviceBuffer> = {}
  for (const [name, array] of Object.entries(arrays as Floats)) {
    const buffer = await device.buffer(array.length)
    await buffer.write(array)
    buffers[name] = buffer
  }
  return buffers
}

async function read(buffers: Readonly<Record<string, DeviceBuffer>>): Promise<Results> {
  const results: Record<string, ArrayLike<number>> = {}
  for (const [name, buffer] of Object.entries(buffers)) results[name] = await buffer.read()
  return results
}

/** The number of runs in one submission. Within a submission, the device does not wait for the host. */
const together = 32
/** More runs would not make a sample more exact. */
const most = 20_000

interface Parts extends Pick<Entry, 'who' | 'results'> {
  readonly compile: number
  readonly accuracy: Pick<Report, 'accumulation' | 'precision'>
  readonly disposables: readonly { dispose(): void }[]
}

function entryOf(device: Device, sequence: TimedSequence, { disposables, ...entry }: Parts): Entry {
  let once = Infinity
  const timed = async (runs: number): Promise<number> => {
    const start = performance.now()
    await sequence.run(runs)
    once = (performance.now() - start) / runs
    return once
  }
  return {
    ...entry,
    resident: true,
    async run() {
      await timed(1)
      return undefined
    },
    /** Times many runs by wall time, then some on the device's clock. */
    async sample(milliseconds) {
      const runs = Math.min(most, Math.max(1, Math.ceil(milliseconds / once)))
      const call = await timed(runs)
      const few = Math.min(runs, together)
      if (few < runs) await sequence.run(few)
      const clock =
        hasClock(device) && sequence.gpuMilliseconds !== undefined ? { device: sequence.gpuMilliseconds / few } : {}
      return { call, parts: { upload: 0, compute: call, readback: 0, ...clock } }
    },
    dispose() {
      for (const one of disposables) one.dispose()
    },
  }
}
