// Writes docs/reliability.md from the outcomes of all attempts.

import { markdownTable } from '../../bench/figures/markdown.ts'
import { type Fault, good, type Outcome } from './fault.ts'

export interface Row {
  readonly fault: Pick<Fault, 'name' | 'how'>
  readonly outcomes: readonly Outcome[]
}

const count = ({ outcomes }: Row, kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length

/** The fault, how often it was tried, and how often it ended in each of the good ways. */
const cellsOf = (row: Row): readonly string[] => [
  row.fault.name,
  row.fault.how,
  String(row.outcomes.length),
  ...good.map((kind) => String(count(row, kind))),
]

/** One line of what is printed while faults are tried. */
export const lineOf = (row: Row): string => `| ${cellsOf(row).join(' | ')} |`

export function pageOf(rows: readonly Row[], where: string): string {
  return `# Reliability

This page shows how runs and simulations end when something beneath them breaks. \`npm run faults\` induces each fault in a browser
page, each time at another moment. Three outcomes are good:

- **correct**: the result is right, and nothing else happened;
- **recovered**: the engine opened the same or another backend and says so in \`report.recoveries\`; the result is right;
- **rejected**: the promise was rejected with an error that says what cannot be done and why.

A wrong number, a promise that never settles, an unhandled rejection or an error without advice is bad.

${markdownTable(['fault', 'how it is induced', 'tries', ...good], rows.map(cellsOf))}

${rows.reduce((sum, { outcomes }) => sum + outcomes.length, 0)} tries, ${rows.reduce((sum, row) => sum + count(row, 'bad'), 0)} bad, on ${where}.

\`npm run faults\` tries all faults and writes this page. \`npm run faults -- --only "context lost" --tries 10\` tries some of them and
prints the outcomes. The faults are in \`tests/faults/faults\`.
`
}
