/**
 * The workloads that this device can run: all that fit its memory.
 *
 * @module
 */
import type { DeviceInfo, PairWorkload, Shape, Support, Workload } from '@manybody/core'
import { resultArrays } from '@manybody/core/backend'
import type { PointStore, ProgramDesign } from './design/design.ts'
import { addressSpace } from './run/host/memory.ts'

/** Bytes of the address space that are available for arrays. */
const room = addressSpace - 2 ** 26

export function supportOf(workload: Workload, shape: Shape, info: DeviceInfo): Support {
  const bytes = bytesOf(info)
  let numbers: number
  try {
    numbers =
      workload.loop === 'pair'
        ? pairNumbers(workload, shape) + scratchOf(workload, shape, info) / bytes
        : elementNumbers(workload, shape)
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
  return fits(numbers * bytes)
}

/**
 * Whether a program has room for the points that its module prepares. The parts of a vector that points of one side have are known only
 * when it is compiled.
 */
export function roomFor(
  { points, scratchBytes }: ProgramDesign,
  workload: PairWorkload,
  shape: Shape,
  info: DeviceInfo,
): Support {
  const { targets, sources } = shape
  const of = ({ lanes, bytes }: PointStore, count: number) => (count * bytes) / lanes
  const prepared = points ? of(points.target, targets) + of(points.source, sources) : 0
  const given = (shape.sameSet ? targets : targets + sources) * numbersOfPoint(shape)
  const threads = info.limits.threads ?? 1
  return fits(prepared + bytesOf(info) * (given + resultNumbers(workload, shape)) + threads * scratchBytes)
}

const bytesOf = ({ precision }: DeviceInfo): number => (precision === 'f64' ? 8 : 4)

const fits = (bytes: number): Support =>
  bytes <= room
    ? { ok: true }
    : {
        ok: false,
        reason: `it needs about ${Math.ceil(bytes / 2 ** 20)} MiB, but WebAssembly can address ${Math.floor(room / 2 ** 20)} MiB; divide the points, or use another backend`,
      }

/** Bytes of the sums of vectors in all threads: those of a target in float64, and those of a tile. */
function scratchOf(workload: PairWorkload, shape: Shape, info: DeviceInfo): number {
  if (!shape.lengths || workload.reduction !== 'sum') return 0
  const components = resultNumbers(workload, shape) / Math.max(1, shape.targets)
  const halves = 8 / bytesOf(info)
  return (info.limits.threads ?? 1) * mostRegisters * components * 16 * (halves + 1)
}
/** The registers of targets that the loop for a long term takes. */
const mostRegisters = 4

/** Estimates the numbers in memory: bound arrays, prepared points and results. @throws TypeError if the law does not fit */
function pairNumbers(workload: PairWorkload, shape: Shape): number {
  const { targets, sources } = shape
  const results = resultNumbers(workload, shape)
  // A matrix runs in blocks of rows.
  const given = workload.reduction === 'none' ? Math.max(sources, resultBytes / 4) : results
  return 2 * (targets + sources) * numbersOfPoint(shape) + given
}

const numbersOfPoint = ({ dimension, lengths }: Shape): number =>
  dimension + 8 + Object.values(lengths ?? {}).reduce((total, length) => total + length, 0)

const resultNumbers = (workload: PairWorkload, shape: Shape): number =>
  [...resultArrays(workload, shape, 'f32').values()].reduce((sum, { length }) => sum + length, 0)

/** The most bytes of one result. */
export const resultBytes: number = 2 ** 28
/** The most bytes of lists. Loops by blocks need two copies of them. */
export const listBytes: number = 2 ** 30

function elementNumbers(workload: Exclude<Workload, PairWorkload>, { dimension, targets }: Shape): number {
  const outputs = 'outputs' in workload ? Object.values(workload.outputs).flat().length : 1
  return targets * dimension * (outputs + 4)
}
