/** Files that a run writes: tried before it measures anything, so that no run is lost to a wrong path. */

import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'

/** @throws BadInputError if the file could not be written */
export function checkWritable(file: string, option: string): void {
  const path = resolve(file)
  try {
    if (existsSync(path) && !statSync(path).isFile()) throw new Error('it is a folder')
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadInputError(`${option} cannot be written to "${file}": ${reason}`)
  }
}

/** The plots come from a large library, which is loaded when it is asked for. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}

export function writeRecord(record: BenchmarkRecord, file: string): void {
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
}
