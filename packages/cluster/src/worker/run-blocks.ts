/**
 * Computes blocks of a job on a device, and lays their results out as bytes.
 *
 * @module
 */
import type { ArrayResults, Bindings, Exclusions, PointSet, Report, SourceRanges } from '@manybody/core'
import { type ArrayRef, arrayOver, type TypedArray } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'
import { type Blocks, partitionOf, pointsIn } from '../wire/partition.ts'
import { layoutOf, offsetsFor, read, write } from '../wire/results.ts'
import type { Devices, Place } from './devices.ts'

export interface Computed {
  readonly bytes: Uint8Array
  readonly report: Report
  readonly evaluated: number
  /** Milliseconds in the device's runs. */
  readonly time: number
}

/** @param load gives the bytes of an array */
export async function runBlocks(
  devices: Devices,
  job: ClusterJob,
  span: Blocks,
  load: (ref: ArrayRef) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Computed> {
  const partition = partitionOf(job.workload, job)
  const { lists, ...groups } = job.arrays
  const bindings = await bindingsOf({ ...job, arrays: groups }, load)
  const offsets = lists?.offsets && (arrayOver(await load(lists.offsets), lists.offsets) as Uint32Array)
  const layout = layoutOf(job, partition, span, offsets)
  const bytes = new Uint8Array(layout.bytes)
  return devices.using(job, async (program, place) => {
    const here = await placed(job, bindings, place)
    let time = 0
    let evaluated = 0
    for (const run of layout.runs) {
      const points = pointsIn(partition, run.span)
      const rows = offsets && offsetsFor(job, partition, run.span, offsets)
      const began = performance.now()
      const results: ArrayResults = await program.run(rows ? { ...here, offsets: rows } : here, {
        targets: job.targets,
        sources: job.sources,
        [partition.divides]: points,
        ...(!rows && { into: read(bytes, run) }),
        signal,
      })
      time += performance.now() - began
      evaluated += program.report.evaluated
      write(bytes, run, results, rows)
    }
    return { bytes, report: program.report, evaluated, time }
  })
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
  const sources = arrays.sources ? await set(shape.sources, arrays.sources) : targets
  return {
    targets,
    sources,
    parameters,
    ...(arrays.exclusions && { exclusions: (await group(arrays.exclusions)) as unknown as Exclusions }),
    ...(arrays.ranges && { ranges: (await group(arrays.ranges)) as unknown as SourceRanges }),
  }
}

async function placed({ arrays }: ClusterJob, bindings: Bindings, place: Place): Promise<Bindings> {
  const targets = await place(bindings.targets, arrays.targets)
  const sources = arrays.sources ? await place(bindings.sources, arrays.sources) : targets
  return { ...bindings, targets, sources }
}
