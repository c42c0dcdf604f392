/**
 * The overhead of a cluster, its survival of kills, and the gain from a second GPU, from the records of `npm run cluster` and of
 * `tests/cluster/gpus`.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from '../src/report/markdown-table.ts'

interface ClusterRecord {
  readonly figures: readonly {
    readonly what: string
    readonly measured: number
    readonly goal: number
    readonly unit: string
    /** The goal is the least, not the most. */
    readonly least?: true
  }[]
}

/** @param linkTo the link to a file of the folder */
export function clusterFigures(folder: string, linkTo: (file: string) => string): string {
  // A later measurement replaces an earlier one.
  const rows = new Map<string, readonly string[]>()
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json')) continue
    const { figures } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as ClusterRecord
    for (const { what, measured, goal, unit, least } of figures) {
      const cells = [`${Number(measured.toPrecision(3))}${unit}`, `${least ? 'at least' : 'at most'} ${goal}${unit}`]
      rows.set(what, [what, ...cells, `[record](${linkTo(name)})`])
    }
  }
  return markdownTable(['what', 'measured', 'goal', ''], [...rows.values()])
}
