/** The class of the machine that this runs on. */

import { spawnSync } from 'node:child_process'
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

/**
 * The version of NVIDIA's driver, from its file or its tool. WebGL includes the versions of other drivers in the name of the
 * device.
 */
function graphicsDriver(): string | undefined {
  const [version] = /\d+\.\d+(\.\d+)?/.exec(driverText()) ?? []
  return version
}

function driverText(): string {
  try {
    return readFileSync('/proc/driver/nvidia/version', 'utf8')
  } catch {
    const query = ['--query-gpu=driver_version', '--format=csv,noheader']
    return spawnSync('nvidia-smi', query, { encoding: 'utf8' }).stdout ?? ''
  }
}
