/**
 * A program for a device without ranges in its loops. It runs the plain loop of the device once for each range of each block,
 * and continues the results of the range before. This gives the right pairs on every device, but pays only for few, long
 * ranges.
 *
 * @module
 */
import type {
  Bindings,
  Device,
  DeviceBuffer,
  Plan,
  PointSet,
  Program,
  Range,
  Report,
  SourceRanges,
} from '../../contract/backend.ts'
import { reportAfter } from '../../contract/fill-report.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { listAt, listsFrom, listsIn, listsTogether } from '../../problem/reductions/lists.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { lengthOf, runRanges } from './run-ranges.ts'
import { pairsIn, rangesWithin } from './source-ranges.ts'

/** The program of a workload with given ranges: the device's own, or one that runs each range by itself. */
export async function prepareRanged(
  device: Device,
  workload: PairWorkload,
  shape: Shape,
  plan?: Plan,
): Promise<Program> {
  const support = device.supports(workload, shape)
  if (support.ok) return device.prepare(workload, shape, plan)
  const { ranged: _, ...all } = shape
  return eachRange(device, shape, await device.prepare(workload, all, plan), support.reason)
}

/** @param plain the program of the same workload without ranges */
function eachRange(device: Device, shape: Shape, plain: Program, reason: string): Program {
  let report = reportIn(plain.report, 0, reason)
  return {
    get report() {
      return report
    },
    async run(bindings, options = {}) {
      const part = runRanges({ loop: 'pair' }, shape, options)
      const { ranges, ...rest } = bindings
      const within = rangesWithin(ranges as SourceRanges, part)
      const blocks = blocksOf(within, part.targets[0])
      const runs = blocks.reduce((sum, { sources }) => sum + sources.length, 0)
      const onDevice = runs > 1 ? await uploaded(device, rest) : { bindings: rest, dispose: () => {} }
      const timings = { upload: 0, compute: 0, readback: 0 }
      const done: ArrayResults[] = []
      let n = 0
      try {
        for (const { targets, sources } of blocks) {
          let results = options.initial && rowsOf(options.initial, part.targets, targets)
          for (const range of sources) {
            const initial = results && { initial: results }
            results = await plain.run(onDevice.bindings, {
              signal: options.signal,
              targets,
              sources: range,
              ...initial,
            })
            for (const name of ['upload', 'compute', 'readback'] as const) timings[name] += plain.report.timings[name]
            options.onProgress?.(++n / runs)
          }
          if (results) done.push(results)
        }
      } finally {
        onDevice.dispose()
      }
      report = reportAfter(
        reportIn(plain.report, runs, reason),
        lengthOf(part.targets) * lengthOf(part.sources),
        { compile: plain.report.timings.compile, ...timings },
        pairsIn(within),
      )
      return joined(done)
    },
    dispose: () => plain.dispose(),
  }
}

interface Block {
  readonly targets: Range
  readonly sources: readonly Range[]
}

/** The blocks with the targets of the run. A block without ranges meets an empty range, and so does a run without targets. */
function blocksOf({ targets, offsets, sources }: SourceRanges, first: number): readonly Block[] {
  const none: Range = [0, 0]
  if (targets.length < 2) return [{ targets: [first, first], sources: [none] }]
  return Array.from({ length: targets.length - 1 }, (_, block): Block => {
    const [from, to] = [offsets[block] as number, offsets[block + 1] as number]
    const ranges = Array.from({ length: to - from }, (_, n): Range => {
      const at = 2 * (from + n)
      return [sources[at] as number, sources[at + 1] as number]
    })
    const held: Range = [first + (targets[block] as number), first + (targets[block + 1] as number)]
    return { targets: held, sources: ranges.length > 0 ? ranges : [none] }
  })
}

/** The results of some of the targets. */
function rowsOf(results: ArrayResults, all: Range, [first, last]: Range): ArrayResults {
  const lists = listsIn(results)
  if (results.offsets)
    return listsFrom(Array.from({ length: last - first }, (_, row) => listAt(lists, first - all[0] + row)))
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => {
      const width = array.length / lengthOf(all)
      return [name, array.slice((first - all[0]) * width, (last - all[0]) * width)]
    }),
  )
}

/** The results of consecutive blocks as one. */
function joined(blocks: readonly ArrayResults[]): ArrayResults {
  const [one] = blocks
  if (one?.offsets) return listsTogether(blocks)
  return Object.fromEntries(
    Object.entries(one ?? {}).map(([name, array]) => {
      const parts = blocks.map((block) => block[name] as FloatArray)
      const whole = new (array.constructor as Float32ArrayConstructor)(
        parts.reduce((sum, { length }) => sum + length, 0),
      )
      let at = 0
      for (const part of parts) {
        whole.set(part, at)
        at += part.length
      }
      return [name, whole]
    }),
  )
}

/** The same inputs in buffers of the device, so that they are uploaded once and not for each range. */
async function uploaded(device: Device, bindings: Bindings): Promise<{ bindings: Bindings; dispose(): void }> {
  const buffers: DeviceBuffer[] = []
  const moved = async (set: PointSet): Promise<PointSet> => {
    const arrays: Record<string, DeviceBuffer> = {}
    for (const [name, array] of Object.entries(set.arrays)) {
      if (!ArrayBuffer.isView(array)) {
        arrays[name] = array
        continue
      }
      const buffer = await device.buffer(array.length)
      buffers.push(buffer)
      await buffer.write(array)
      arrays[name] = buffer
    }
    return { ...set, arrays }
  }
  const dispose = () => {
    for (const buffer of buffers) buffer.dispose()
  }
  try {
    const targets = await moved(bindings.targets)
    const sources = bindings.sources === bindings.targets ? targets : await moved(bindings.sources)
    return { bindings: { ...bindings, targets, sources }, dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

/** The report of a run in parts. Results are rounded between the parts, so that sums are as exact as in one chain. */
function reportIn(plain: Report, runs: number, reason: string): Report {
  const exact = plain.accumulation === 'none' || plain.precision === 'f64'
  const accumulation = exact ? plain.accumulation : 'running'
  return { ...plain, variant: `${plain.variant}, ${runs} ${runs === 1 ? 'run' : 'runs'}: ${reason}`, accumulation }
}
