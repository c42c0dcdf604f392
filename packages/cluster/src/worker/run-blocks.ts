/**
 * Computes blocks of a job on a device, and lays their results out as bytes.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, PointSet, Report, SourceRanges } from '@manybody/core'
import { lengthOf } from '@manybody/core/backend'
import { exclusionsOf } from '@manybody/core/judge'
import { type ArrayRef, arrayOver, type TypedArray } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'
import { type Blocks, type Partition, partitionOf, pointsIn } from '../wire/partition.ts'
import { layoutOf, offsetsFor, read, write } from '../wire/results.ts'
import type { Devices, Place } from './devices.ts'
import type { KnownJob } from './latest-job.ts'
import { requireSound } from './sound.ts'
import type { Turns } from './turns.ts'

export interface Computed {
  readonly bytes: Uint8Array
  readonly report: Report
  readonly evaluated: number
  /** Computing time of the device, in milliseconds. */
  readonly time: number
}

/** The lane in which a worker runs a call. */
export interface Lane {
  /** The lane for {@link Devices.using}. */
  readonly lane: number
  readonly turns: Turns
}

/** @param load returns the bytes of an array */
export async function runBlocks(
  devices: Devices,
  known: KnownJob,
  span: Blocks,
  { lane, turns }: Lane,
  load: (ref: ArrayRef) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Computed> {
  const { job } = known
  const partition = partitionOf(job.workload, job)
  const { lists } = job.arrays
  const brought = await bindingsOf(job, load)
  const offsets = lists?.offsets && (arrayOver(await load(lists.offsets), lists.offsets) as Uint32Array)
  // Arrays with the same hashes have the same numbers, so they need no second check.
  if (!known.isSound) requireSound(job, brought, offsets)
  known.isSound = true
  const exclusions = exclusionsOf(job.workload, job.shape)
  const bindings = { ...brought, ...(exclusions && { exclusions }) }
  const layout = layoutOf(job, partition, span, offsets)
  const bytes = new Uint8Array(layout.bytes)
  const pairs = layout.runs.reduce((sum, run) => sum + pairsOf(job, partition, run.span), 0)
  return devices.using(job, lane, async (program, place) => {
    const here = await placed(job, bindings, place)
    const compute = async (): Promise<Computed> => {
      let [evaluated, computed] = [0, 0]
      const began = performance.now()
      for (const run of layout.runs) {
        const points = pointsIn(partition, run.span)
        const rows = offsets && offsetsFor(job, partition, run.span, offsets)
        const results: ArrayResults = await program.run(rows ? { ...here, offsets: rows } : here, {
          targets: job.targets,
          sources: job.sources,
          [partition.divides]: points,
          ...(!rows && { into: read(bytes, run) }),
          signal,
        })
        evaluated += program.report.evaluated
        computed += program.report.timings.compute
        write(bytes, run, results, rows)
      }
      const { report } = program
      // A GPU may have worked on another call meanwhile, so its own timer counts.
      return { bytes, report, evaluated, time: report.kind === 'cpu' ? performance.now() - began : computed }
    }
    return turns.take(pairs, compute, ({ time }) => time)
  })
}

function pairsOf(job: ClusterJob, partition: Partition, span: Blocks): number {
  const others = partition.divides === 'targets' ? job.sources : job.targets
  return lengthOf(pointsIn(partition, span)) * lengthOf(others)
}

async function bindingsOf(
  { arrays, shape, parameters }: ClusterJob,
  load: (ref: ArrayRef) => Promise<Uint8Array>,
): Promise<Bindings> {
  const group = async (refs: Readonly<Record<string, ArrayRef>>) => {
    const entries = Object.entries(refs).map(async ([name, ref]) => [name, arrayOver(await load(ref), ref)] as const)
    return Object.fromEntries(await Promise.all(entries)) as Readonly<Record<string, TypedArray>>
  }
  const set = async (count: number, refs: Readonly<Record<string, ArrayRef>>): Promise<PointSet> =>
    ({ count, arrays: await group(refs) }) as PointSet
  const targets = await set(shape.targets, arrays.targets)
  const sources = shape.sameSet ? targets : await set(shape.sources, arrays.sources ?? {})
  return {
    targets,
    sources,
    parameters,
    ...(arrays.tables && { tables: (await group(arrays.tables)).numbers as FloatArray }),
    ...(arrays.ranges && { ranges: (await group(arrays.ranges)) as unknown as SourceRanges }),
  }
}

async function placed({ arrays, shape }: ClusterJob, bindings: Bindings, place: Place): Promise<Bindings> {
  const targets = await place(bindings.targets, arrays.targets)
  const sources = shape.sameSet ? targets : await place(bindings.sources, arrays.sources ?? {})
  return { ...bindings, targets, sources }
}
