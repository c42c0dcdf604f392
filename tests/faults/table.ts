// Writes docs/reliability.md from the outcomes of all attempts.

import { markdownTable } from '../../bench/src/report/markdown-table.ts'
import { type Fault, good, type Outcome } from './fault.ts'

export interface Row {
  readonly fault: Pick<Fault, 'name' | 'how'>
  readonly outcomes: readonly Outcome[]
  /** Milliseconds that one try took. */
  readonly time: number
}

/** The number of first tries, which tell how long one takes. */
const first = 100
const quick = 100

/** The median of the first tries, in milliseconds: the first try compiles, and a busy machine delays some. */
export function timeOf(times: readonly number[]): number {
  const counted = times.slice(0, first).sort((a, b) => a - b)
  return counted[counted.length >> 1] ?? 0
}

/** How often a fault is tried: more often if one try takes less than 0.1 s. */
export const triesFor = (times: readonly number[]): number =>
  times.length >= first && timeOf(times) < quick ? 1000 : first

const count = ({ outcomes }: Row, kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length

/** The cells of a row: the fault, the time of a try, the number of tries, and how many ended in each of the good ways. */
export const cellsOf = (row: Row): readonly string[] => [
  row.fault.name,
  row.fault.how,
  time(row.time),
  String(row.outcomes.length),
  ...good.map((kind) => String(count(row, kind))),
]

const time = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 1 : 0)

/** A line to print while faults are tried. */
export const lineOf = (row: Row): string => `| ${cellsOf(row).join(' | ')} |`

/** The cells of a previous page, by the name of the fault. */
export function cellsIn(page: string): ReadonlyMap<string, readonly string[]> {
  const [before = ''] = page.split(clusterHead)
  const lines = before.split('\n').filter((line) => line.startsWith('| '))
  return new Map(
    lines
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => {
        const [name = '', ...rest] = cells.map((cell) => cell.trim())
        return [name, [name, ...rest]]
      }),
  )
}

const clusterHead = '## A cluster under attack'

/** The part of a previous page about a cluster, which `npm run cluster -- attacks` tries. */
export const clusterIn = (page: string): string => page.slice(page.indexOf(clusterHead))

/** @param cluster the part of the page about a cluster */
export function pageOf(rows: readonly (readonly string[])[], where: string, cluster: string): string {
  const [tries = 0, ...ends] = [3, 4, 5, 6].map((column) => rows.reduce((sum, cells) => sum + Number(cells[column]), 0))
  const bad = ends.reduce((left, ended) => left - ended, tries)
  return `# Reliability

This page shows how runs and simulations end when something beneath them breaks. \`npm run faults\` induces each fault in a browser
page, each time at another moment, and asserts that what it breaks was in use. Three outcomes are good:

- **correct**: the result is right, and nothing else happened;
- **recovered**: the engine opened the same or another backend and says so in \`report.recoveries\`; the result is right;
- **rejected**: the promise was rejected with an error that says what cannot be done and why.

A wrong number, a promise that never settles, an unhandled rejection or an error without advice is bad. So is a result more than 2 s after
workers were killed, and a file that takes more than 5 s. Each fault is tried 1000
times if one try takes less than 100 ms, else 100 times, if it does not ask for another number; the column \`ms\` gives the median of the
first 100. A row without it was tried before we took times.

\`another WebGPU engine in Node\` runs in a process of its own, on a software GPU: 12 threads and 131 MiB after the first engine, 12 and
155 MiB after 25, and no more threads after 200. An engine that leaves its device behind leaves a thread: 37 after 25. With the settings
of glibc as they are, the process has 375 MiB after 50 engines and 387 after 200, because it keeps what its threads have freed.

${markdownTable(['fault', 'how it is induced', 'ms', 'tries', ...good], rows)}

${tries} tries, ${bad} bad, on ${where}.

\`npm run faults\` tries all faults and writes this page. \`npm run faults -- --only "context lost" --tries 10\` tries some of them and
prints the outcomes; without \`--tries\`, it replaces their rows. The faults are in \`tests/faults/faults\`.

${cluster}`
}
