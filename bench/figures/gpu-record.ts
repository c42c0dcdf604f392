/** A record of `npm run bench:gpu`, flattened for the figures: only rows with a figure, in microseconds. */

import type { BenchmarkRecord } from '../src/record.ts'
import { type MeasuredRow, measured } from '../src/report/series.ts'

/** One contender of one problem at one size. */
export interface GpuFigure {
  /** The name of the law or the task: `gravity`, `argmin`. */
  readonly law: string
  readonly n: number
  /** `webgpu`, `webgpu, whole call` and the like, or `CUDA`. */
  readonly contender: string
  /** The variant that ran, with its sizes. */
  readonly variant: string
  /** Whether the backend chose the variant. */
  readonly chosen: boolean
  /** Microseconds of one run on the device's clock if there is one, otherwise in wall time. */
  readonly time: number
  readonly wall: number
  /** The device's working time during a call, if the call was divided into parts. */
  readonly compute: number | undefined
  readonly clocked: boolean
  /** The largest error of the sampled targets. */
  readonly error: number
}

export interface GpuFigures {
  readonly record: BenchmarkRecord
  readonly device: string
  /** The versions of WebGPU and CUDA. */
  readonly rows: readonly GpuFigure[]
  readonly cuda: readonly GpuFigure[]
}

export function gpuFiguresOf(record: BenchmarkRecord): GpuFigures {
  const found = measured(record.rows)
  const of = (rival: boolean) => found.filter(({ contender }) => contender.rival === rival).map(figureOf)
  const device = found.find(({ contender }) => !contender.rival)?.contender.device ?? 'no device'
  return { record, device, rows: of(false), cuda: of(true) }
}

function figureOf({ problem: { name, workload, targets }, contender, outcome }: MeasuredRow): GpuFigure {
  const sums = ['accelerations', 'forces'].includes(workload)
  return {
    law: sums ? name : workload,
    n: targets,
    contender: contender.name,
    variant: contender.variant ?? '',
    chosen: contender.sizes === undefined,
    time: 1000 * (outcome.device ?? outcome.call).median,
    wall: 1000 * outcome.call.median,
    compute: outcome.parts && 1000 * outcome.parts.compute.median,
    clocked: outcome.device !== undefined,
    error: outcome.error.max,
  }
}

/** The machine, date and command of a record. */
export function sourceOf(
  { record: { machine, date, command, partial, environments }, device }: GpuFigures,
  link: string,
) {
  const { webgpu, node } = environments[0]?.versions ?? {}
  const where = `${device}, driver ${machine.driver ?? 'unknown'}, webgpu ${webgpu} (Dawn), Node ${node}, ${date.slice(0, 10)}`
  const doubt = partial === undefined ? '' : ` Incomplete: ${partial}.`
  return `${where}: \`${command}\`, in [the record](${link}).${doubt}`
}
