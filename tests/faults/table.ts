// docs/reliability.md, from what the attempts gave.

import { type Fault, good, type Outcome } from './fault.ts'

export interface Row {
  readonly fault: Pick<Fault, 'name' | 'how'>
  readonly outcomes: readonly Outcome[]
}

const count = ({ outcomes }: Row, kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length

/** One line: the fault, how often it was tried, and how often it ended in each of the good ways. */
export function lineOf(row: Row): string {
  const { fault, outcomes } = row
  return `| ${[fault.name, fault.how, outcomes.length, ...good.map((kind) => count(row, kind))].join(' | ')} |`
}

export function pageOf(rows: readonly Row[], where: string): string {
  return `# Reliability

What becomes of a run or a simulation when something breaks beneath it. Every fault is induced in a page of a browser, at
moments that differ from try to try, and may end in three ways only: the result is **correct**, as if nothing had been; it is
correct after the engine **recovered** with the same or another backend, which \`report.recoveries\` tells; or the promise is
**rejected** with an error that says what cannot be done and why. A wrong number, a promise that never settles, a rejection
that nobody hears of or an error that says nothing would be told here as bad.

| fault | how it is induced | tries | ${good.join(' | ')} |
|---|---|---:|---:|---:|---:|
${rows.map(lineOf).join('\n')}

${rows.reduce((sum, { outcomes }) => sum + outcomes.length, 0)} tries, ${rows.reduce((sum, row) => sum + count(row, 'bad'), 0)} bad, on ${where}.

\`npm run faults\` tries all of it and writes this page; \`npm run faults -- --only "context lost" --tries 10\` tries a part and
prints it. A fault is one file in \`tests/faults/faults\`.
`
}
