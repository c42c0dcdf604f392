/** The sections of each kind of record. The terminal has the short ones; Markdown and HTML have every contender and column. */

import { type BenchmarkRecord, isMeasured, type Kind, type Row } from '../record.ts'
import { choices } from './choices.ts'
import { contenders } from './contenders.ts'
import { scaling } from './scaling.ts'
import type { Section } from './section.ts'
import { groups, problemKey, ranked } from './series.ts'
import { tolerances } from './tolerances.ts'

type Sections = (record: BenchmarkRecord) => readonly Section[]

const full: Readonly<Partial<Record<Kind, Sections>>> = { tree: tolerances, mesh: tolerances }
const short: Readonly<Partial<Record<Kind, Sections>>> = { ...full, scale: scaling, choice: choices, sweep: bestPlans }

export const sectionsOf: Sections = (record) => (full[record.kind] ?? contenders)(record)
export const summaryOf: Sections = (record) => (short[record.kind] ?? contenders)(record)

/** Each loop in its best sizes. */
function bestPlans({ rows, ...record }: BenchmarkRecord): readonly Section[] {
  const keyOf = (row: Row) =>
    JSON.stringify([problemKey(row), row.environment, row.contender.name, row.contender.variant?.split(' (')[0]])
  const best = [...groups(ranked(rows), keyOf).values()].flatMap(([best]) => best ?? [])
  const refused = rows.filter(({ outcome }) => !isMeasured(outcome))
  const note = 'Each loop in its best sizes; --markdown and --html show all.'
  return [...contenders({ ...record, rows: [...best, ...refused] }), { notes: [note] }]
}
