/** A record as one HTML file that needs nothing else: no script, no network, light and dark. */

import { parseHTML } from 'linkedom'
import type { BenchmarkRecord } from '../../record.ts'
import { reportBody } from './body.ts'
import { html, raw } from './markup.ts'
import { style } from './style.ts'

export function htmlReport(record: BenchmarkRecord): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  return `<!doctype html>${html`
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>manybody benchmark: ${record.kind}, ${record.date.slice(0, 10)}</title>
    <style>${raw(style)}</style>
  </head>
  <body><main>${reportBody(record, document)}
    <footer>Made from a record, which <code>--json</code> saves with every sample. How to read it: docs/benchmarks.md.</footer>
  </main></body>
</html>`}\n`
}
