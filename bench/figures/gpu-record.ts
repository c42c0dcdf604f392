/** The newest record of `npm run bench:gpu`, as blocks need it: only what has a figure. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CudaRow, GpuOutcome, GpuRecord, GpuRow, Refused } from '../gpu/record.ts'

/** A row with its figures beside what it is about. */
export type GpuFigure = Omit<GpuRow, 'outcome'> & GpuOutcome
export type CudaFigure = Omit<CudaRow, 'outcome'> & { readonly gpu: number }

export interface GpuFigures {
  readonly file: string
  readonly record: GpuRecord
  readonly rows: readonly GpuFigure[]
  readonly cuda: readonly CudaFigure[]
}

/** Of a folder, by the date that names begin with; undefined if there is none. @throws TypeError if it is no such record */
export function newestGpuFigures(folder: string): GpuFigures | undefined {
  const [file] = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
  if (file === undefined) return undefined
  const record = JSON.parse(readFileSync(join(folder, file), 'utf8')) as GpuRecord
  if (record.schema !== 2 || !Array.isArray(record.rows))
    throw new TypeError(`${file} is no record of npm run bench:gpu: expected schema 2 with rows`)
  return { file, record, rows: record.rows.flatMap(figureOf), cuda: record.cuda.rows.flatMap(figureOf) }
}

function figureOf<Row extends GpuRow | CudaRow>({ outcome, ...row }: Row) {
  return 'refused' in outcome ? [] : [{ ...row, ...(outcome as Exclude<Row['outcome'], Refused>) }]
}
