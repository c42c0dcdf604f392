// Writes docs/reliability.md from the outcomes of all attempts.

import { markdownTable } from '../../bench/figures/markdown.ts'
import { type Fault, good, type Outcome } from './fault.ts'

export interface Row {
  readonly fault: Pick<Fault, 'name' | 'how'>
  readonly outcomes: readonly Outcome[]
}

const count = ({ outcomes }: Row, kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length

/** The fault, how often it was tried, and how often it ended in each of the good ways. */
export const cellsOf = (row: Row): readonly string[] => [
  row.fault.name,
  row.fault.how,
  String(row.outcomes.length),
  ...good.map((kind) => String(count(row, kind))),
]

/** One line of what is printed while faults are tried. */
export const lineOf = (row: Row): string => `| ${cellsOf(row).join(' | ')} |`

/** The cells of a page that was written earlier, by the name of the fault. */
export function cellsIn(page: string): ReadonlyMap<string, readonly string[]> {
  const lines = page.split('\n').filter((line) => line.startsWith('| '))
  return new Map(
    lines
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => {
        const [name = '', ...rest] = cells.map((cell) => cell.trim())
        return [name, [name, ...rest]]
      }),
  )
}

export function pageOf(rows: readonly (readonly string[])[], where: string): string {
  const [tries = 0, ...ends] = [2, 3, 4, 5].map((column) => rows.reduce((sum, cells) => sum + Number(cells[column]), 0))
  const bad = ends.reduce((left, ended) => left - ended, tries)
  return `# Reliability

This page shows how runs and simulations end when something beneath them breaks. \`npm run faults\` induces each fault in a browser
page, each time at another moment. Three outcomes are good:

- **correct**: the result is right, and nothing else happened;
- **recovered**: the engine opened the same or another backend and says so in \`report.recoveries\`; the result is right;
- **rejected**: the promise was rejected with an error that says what cannot be done and why.

A wrong number, a promise that never settles, an unhandled rejection or an error without advice is bad.

${markdownTable(['fault', 'how it is induced', 'tries', ...good], rows)}

${tries} tries, ${bad} bad, on ${where}.

\`npm run faults\` tries all faults and writes this page. \`npm run faults -- --only "context lost" --tries 10\` tries some of them and
prints the outcomes; without \`--tries\`, it replaces their rows. The faults are in \`tests/faults/faults\`.
`
}
