/** A record as one self-contained HTML page: no script, no network, light and dark. */

import type { BenchmarkRecord } from '../../record.ts'
import { reportBody } from './body.ts'
import { html, raw } from './markup.ts'
import { style } from './style.ts'

/** @param document only makes the elements of the plots; nothing is added to it */
export function reportPage(record: BenchmarkRecord, document: Document): string {
  return `<!doctype html>${html`
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>manybody benchmark: ${record.kind}, ${record.date.slice(0, 10)}</title>
    <style>${raw(style)}</style>
  </head>
  <body><main>${reportBody(record, document)}
    <footer>Made from a record, which <code>--json</code> saves. How to read it: docs/benchmarks.md.</footer>
  </main></body>
</html>`}\n`
}
