/** Files that a run leaves. */

import { writeFileSync } from 'node:fs'
import type { BenchmarkRecord } from '../record.ts'

/** The plots need a large library, which is loaded only for them. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}

/** One row per line, because a record may have hundreds. */
export function writeRecord({ rows, ...about }: BenchmarkRecord, file: string): void {
  const head = JSON.stringify(about, null, 2).replace(/\n}$/, '')
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')
  writeFileSync(file, `${head},\n  "rows": [\n${lines}\n  ]\n}\n`)
}
