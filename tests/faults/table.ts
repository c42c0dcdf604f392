// docs/reliability.md, from what the attempts gave.

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

This page shows how runs and simulations end when something breaks beneath them. \`npm run faults\` induces each fault in a
browser page, at moments that differ from try to try. Three outcomes are good: the result is **correct**, as if nothing had
happened; the engine **recovered** with the same or another backend, says so in \`report.recoveries\`, and the result is correct;
or the promise is **rejected** with an error that says what cannot be done and why. A wrong number, a promise that never
settles, an unhandled rejection or an error without advice counts as bad.

${markdownTable(['fault', 'how it is induced', 'tries', ...good], rows.map(cellsOf))}

${rows.reduce((sum, { outcomes }) => sum + outcomes.length, 0)} tries, ${rows.reduce((sum, row) => sum + count(row, 'bad'), 0)} bad, on ${where}.

\`npm run faults\` tries all of them and writes this page; \`npm run faults -- --only "context lost" --tries 10\` prints the
outcomes of a part. A fault is one file in \`tests/faults/faults\`.
`
}
