// One plan of one workload on a device: compiled, checked against float64, and timed. It chooses nothing and prints nothing.

import type { GpuTimedSequence } from '@manybody/backend-webgpu'
import type { Device, DeviceBuffer, PairWorkload, Plan, Shape } from '@manybody/core'
import { bind, errorNorms, type Truth, truthOf } from '@manybody/core/backend'

/** Plain arrays of one set of points: `position` and attributes. */
export type Points = { readonly position: Float32Array } & Readonly<Record<string, Float32Array>>

/** Microseconds of one run, of many in one submission: on the device's clock, and on the wall. */
export interface Sample {
  readonly gpu: number | undefined
  readonly wall: number
}

export interface Prepared {
  readonly variant: string
  readonly compileMilliseconds: number
  time(times: number): Promise<Sample>
  /** As a judge gives it, of the latest run; undefined where there is nothing to judge. */
  maxError(): Promise<number | undefined>
  dispose(): void
}

/** Targets whose results are compared with float64. */
const sampled = (count: number) => Array.from({ length: 64 }, (_, k) => Math.floor((k * count) / 64))

/** Gives the largest error of the results of the sampled targets, relative to the sum of |terms|. */
export type Judge = (results: readonly number[]) => number

/** A judge for one workload, who finds the float64 results once, when they are first needed. */
export function judgeFor(workload: PairWorkload, points: Points): Judge {
  let truth: Truth | undefined
  // Of an index and a value, the value.
  const name = judged(workload)
  return (results) => {
    const { shape, bindings } = bind(workload, points)
    truth ??= truthOf(workload, shape, bindings, { targets: sampled(shape.targets) })
    return errorNorms(results, truth.results[name] ?? [], truth.scales[name] ?? []).max
  }
}

const judged = ({ results }: PairWorkload): string => results.at(-1) ?? ''

/** Device arrays for a set of points. */
export async function upload(device: Device, points: Points): Promise<Record<string, DeviceBuffer>> {
  const buffers: Record<string, DeviceBuffer> = {}
  for (const [name, array] of Object.entries(points)) {
    const buffer = await device.buffer(array.length)
    await buffer.write(array)
    buffers[name] = buffer
  }
  return buffers
}

export async function prepare(
  device: Device,
  workload: PairWorkload,
  points: Points,
  arrays: Readonly<Record<string, DeviceBuffer>>,
  judge: Judge,
  plan?: Plan,
): Promise<Prepared> {
  const { shape, bindings } = bind(workload, points)
  const program = await device.prepare(workload, shape, plan)
  const set = { count: shape.targets, arrays }
  const outputs: Record<string, DeviceBuffer> = {}
  for (const name of workload.results) {
    const width = widthOf(workload, shape)
    outputs[name] = await device.buffer(shape.targets * width)
  }
  const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs }
  const sequence = (await device.sequence([stage])) as GpuTimedSequence
  await sequence.run(1)
  return {
    variant: program.report.variant,
    compileMilliseconds: program.report.timings.compile,
    time: (times) => sampleOf(sequence, times),
    async maxError() {
      const width = widthOf(workload, shape)
      const all = (await outputs[judged(workload)]?.read()) ?? new Float32Array()
      return judge(sampled(shape.targets).flatMap((i) => [...all.subarray(width * i, width * (i + 1))]))
    },
    dispose() {
      sequence.dispose()
      program.dispose()
      for (const output of Object.values(outputs)) output.dispose()
    },
  }
}

/** Runs that fit one submission, in which the device does not wait for the host. */
const together = 32

/** Many runs on the wall, and then some on the device's clock. */
export async function sampleOf(sequence: GpuTimedSequence, times: number): Promise<Sample> {
  const start = performance.now()
  await sequence.run(times)
  const wall = (1000 * (performance.now() - start)) / times
  const some = Math.min(times, together)
  if (some < times) await sequence.run(some)
  const gpu = sequence.gpuMilliseconds
  return { gpu: gpu === undefined ? undefined : (1000 * gpu) / some, wall }
}

/** Numbers per target in each result. */
function widthOf({ reduction, quantity, k = 1 }: PairWorkload, { dimension, sources }: Shape): number {
  if (reduction === 'none') return sources
  if (reduction === 'smallest') return k
  return quantity === 'acceleration' || quantity === 'force' ? dimension : 1
}
