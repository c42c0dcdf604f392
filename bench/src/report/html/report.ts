/** A record as an HTML page, made in Node. */

import { parseHTML } from 'linkedom'
import type { BenchmarkRecord } from '../../record.ts'
import { reportPage } from './page.ts'

export function htmlReport(record: BenchmarkRecord): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  return reportPage(record, document)
}
