/**
 * The overhead of a cluster, its survival of kills, and the gain from a second GPU, from the records of `npm run cluster` and of
 * `tests/cluster/gpus`.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from '../src/report/markdown-table.ts'

/** Each record has some of these parts. */
interface ClusterRecord {
  readonly figures?: readonly {
    readonly what: string
    readonly measured: number
    readonly goal: number
    readonly unit: string
  }[]
  readonly killed?: Readonly<Record<'workers' | 'coordinators' | 'servers', number>>
  readonly steps?: number
  readonly wrong?: number
  readonly notCountedOnce?: number
  readonly missing?: number
  /** Times of one GPU divided by the times of two. */
  readonly ratios?: readonly { readonly what: string; readonly measured: number }[]
}

/** The least gains required of two GPUs. */
const gains: Readonly<Record<string, number>> = {
  '262144 points, each pair once': 1.6,
  '262144 points, through a server, the same points again': 1.6,
  '262144 points, through a server, a step': 1.6,
  '262144 points, through a server that may be declined, other points': 0.95,
  '262144 points, through a server that may be declined, a step': 0.95,
  '1000000 points, the same loop': 1.9,
  '1000000 points, through a server, the same points again': 1.9,
  '1000000 points, through a server, a step': 1.9,
}

/** @param linkTo the link to a file of the folder */
export function clusterFigures(folder: string, linkTo: (file: string) => string): string {
  // A later measurement replaces an earlier one.
  const rows = new Map<string, readonly string[]>()
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json')) continue
    const record = JSON.parse(readFileSync(join(folder, name), 'utf8')) as ClusterRecord
    for (const [what = '', ...row] of rowsOf(record)) rows.set(what, [what, ...row, `[record](${linkTo(name)})`])
  }
  return markdownTable(['what', 'measured', 'goal', ''], [...rows.values()])
}

function rowsOf({ figures = [], ratios = [], ...kills }: ClusterRecord): readonly (readonly string[])[] {
  return [
    ...figures.map(({ what, measured, goal, unit }) => [what, `${rounded(measured)}${unit}`, `at most ${goal}${unit}`]),
    ...(kills.killed ? [killsRow(kills)] : []),
    ...ratios.flatMap(({ what, measured }) =>
      gains[what] ? [[`two GPUs over one, ${what}`, rounded(measured), `at least ${gains[what]}`]] : [],
    ),
  ]
}

function killsRow({ killed, steps, wrong = 0, notCountedOnce = 0, missing = 0 }: ClusterRecord): readonly string[] {
  const { workers = 0, coordinators = 0, servers = 0 } = killed ?? {}
  const all = workers + coordinators + servers
  const what = `${all} kills (${workers} workers, ${coordinators} coordinators, ${servers} servers) in ${steps} steps`
  return [`${what}: steps that are missing, wrong or counted twice`, `${wrong + notCountedOnce + missing}`, '0']
}

const rounded = (number: number): string => String(Number(number.toPrecision(3)))
