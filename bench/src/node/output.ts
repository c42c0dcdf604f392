/** The files that a run writes. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BenchmarkRecord } from '../record.ts'
import { textOf } from '../record-text.ts'

/** Prints the path of a file, on stderr to keep it out of the tables. */
export const announce = (file: string): void => console.error(`bench: wrote ${resolve(file)}`)

/** The plots need a large library, which is loaded only for them. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}

export const writeRecord = (record: BenchmarkRecord, file: string): void => writeFileSync(file, textOf(record))
