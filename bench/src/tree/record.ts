/** The records of the costs of tolerances, as files in `bench/tree/records`. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowsRecord } from '../node/rows-record.ts'
import type { CostRow } from './cost.ts'

/** A record with the name of its file. */
export interface NamedCosts extends RowsRecord<CostRow> {
  readonly file: string
}

/** The records of a folder, the newest first. A row is left out if a newer record has its law and set. */
export function costRecords(folder: string): readonly NamedCosts[] {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as RowsRecord<CostRow>), file: name }))
    .filter(({ kind }) => kind === 'tree')
    .sort((a, b) => b.date.localeCompare(a.date))
  const met = new Set<string>()
  return all.flatMap((record) => {
    const rows = record.rows.filter((row) => !met.has(keyOf(row)))
    for (const row of rows) met.add(keyOf(row))
    return rows.length > 0 ? [{ ...record, rows }] : []
  })
}

const keyOf = ({ law, set, points }: CostRow): string => `${law} ${set} ${points}`
