/** Files that a run writes: tried before it measures anything, so that no run is lost to a wrong path. */

import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'

/** @throws BadInputError if the file could not be written */
export function checkWritable(file: string, option: string): void {
  const fault = faultOf(resolve(file))
  if (fault !== undefined) throw new BadInputError(`${option} cannot be written to "${file}": ${fault}`)
}

function faultOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) return 'it is a folder'
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder "${folder}"`
  try {
    accessSync(found ? path : folder, constants.W_OK)
  } catch {
    return 'this user may not write there'
  }
  return undefined
}

/** The plots come from a large library, which is loaded when it is asked for. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}

export function writeRecord(record: BenchmarkRecord, file: string): void {
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
}
