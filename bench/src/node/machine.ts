/** The class of the machine that this runs on. */

import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { Machine } from '../record.ts'

export function machine(): Machine {
  const driver = graphicsDriver()
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    ...(driver === undefined ? {} : { driver }),
  }
}

/** NVIDIA's driver names itself in a file; of others, WebGL tells with the device. */
function graphicsDriver(): string | undefined {
  try {
    return readFileSync('/proc/driver/nvidia/version', 'utf8').split('\n')[0]?.trim()
  } catch {
    return undefined
  }
}
