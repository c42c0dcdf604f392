/** The records of `bench/gpu` as blocks need them: the one place that knows what their files look like. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GpuRecord {
  readonly file: string
  readonly gpu: string
  readonly driver: string
  readonly software: string
  /** Day of the newest run. */
  readonly date: string
  readonly rows: readonly GpuRow[]
  readonly cuda: readonly CudaRow[]
}

export interface GpuRow {
  readonly law: string
  readonly n: number
  readonly variant: string
  /** Whether the model chose it. */
  readonly chosen: boolean
  /** Microseconds on the device's clock, or undefined where it took several submissions. */
  readonly gpu: number | undefined
  /** Microseconds of wall time. */
  readonly wall: number
  readonly error: number | undefined
  readonly date: string
  /** Within the limits that every device has, to see what a small one does. */
  readonly defaultLimits: boolean
}

interface CudaRow {
  readonly law: string
  readonly n: number
  readonly kernel: string
  readonly microseconds: number
}

/** The newest record of a folder, by the date that its name begins with; undefined if there is none. */
export function newestGpuRecord(folder: string): GpuRecord | undefined {
  const [name] = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .reverse()
  return name === undefined
    ? undefined
    : gpuRecord(name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as GpuFile)
}

interface GpuFile {
  readonly machine: { readonly gpu: string; readonly driver: string; readonly webgpu: string; readonly node: string }
  readonly runs: readonly { readonly command: string; readonly date: string; readonly rows: readonly FileRow[] }[]
  readonly cuda?: { readonly rows: readonly CudaRow[] }
}

interface FileRow {
  readonly law: string
  readonly n: number
  readonly variant: string
  readonly asked?: string
  readonly chosen?: boolean
  readonly gpu?: number | null
  readonly wall?: number
  readonly microseconds?: { readonly gpu?: number | null; readonly wall: number }
  readonly maxError: number | null
}

function gpuRecord(file: string, { machine, runs, cuda }: GpuFile): GpuRecord {
  if (!runs?.length) throw new TypeError(`${file}: expected runs, got ${JSON.stringify(runs)}`)
  const rows = runs.flatMap(({ command, date, rows }) =>
    rows.map((row): GpuRow => {
      const { gpu, wall } = row.microseconds ?? { gpu: row.gpu, wall: row.wall }
      if (wall === undefined) throw new TypeError(`${file}: expected wall time of ${row.law}, ${row.n}`)
      return {
        law: row.law,
        n: row.n,
        variant: row.variant,
        chosen: row.chosen ?? row.asked === 'chosen',
        gpu: gpu ?? undefined,
        wall,
        error: row.maxError ?? undefined,
        date,
        defaultLimits: command.includes('--default-limits'),
      }
    }),
  )
  const date =
    runs
      .map((run) => run.date.slice(0, 10))
      .sort()
      .at(-1) ?? ''
  const node = `Node ${machine.node.replace(/^v/, '').split('.')[0]}`
  const software = `webgpu ${machine.webgpu}, ${node}`
  return { file, gpu: machine.gpu, driver: machine.driver, software, date, rows, cuda: cuda?.rows ?? [] }
}
