/** Files that a run leaves. */

import { writeFileSync } from 'node:fs'
import type { BenchmarkRecord } from '../record.ts'

/** The plots come from a large library, which is loaded when it is asked for. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}

export function writeRecord(record: object, file: string): void {
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
}
