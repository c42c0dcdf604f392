/** The class of machine that a record was made on: what a reader needs to compare, and nothing that names the machine. */

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly platform: string
  readonly node: string
  /** Processes that wanted to run, over the last minute before the benchmark. */
  readonly load: number
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}
