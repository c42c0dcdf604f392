/** Every contender's row, problem by problem, the fastest first; then those without a figure, with the reason. */

import type { BenchmarkRecord } from '../record.ts'
import { factColumns, figureColumns } from './columns.ts'
import { refusals } from './refusals.ts'
import { remarks } from './remarks.ts'
import type { Section } from './section.ts'
import { groups, problemKey, ranked } from './series.ts'
import { titleOf } from './subject.ts'

export function contenders(record: BenchmarkRecord): readonly Section[] {
  const note = notes[record.kind]
  const sections = [...groups(record.rows, problemKey).values()].map((rows): Section => {
    const among = ranked(rows)
    const columns = [...factColumns(among), ...figureColumns(record, among)]
    const table = {
      head: columns.map(({ head }) => head),
      aligns: columns.map(({ number }) => (number ? 'r' : 'l')).join(''),
      lines: among.map((row) => columns.map(({ cell }) => cell(row, among))),
      // The rows of a sweep differ in their loops alone.
      spare: record.kind === 'sweep' ? spare.slice(1) : spare,
    }
    return { title: titleOf(rows), remarks: remarks(rows), table, notes: refusals(rows) }
  })
  return note === undefined ? sections : [...sections, { notes: [note] }]
}

const spare = ['loop', 'quartiles', 'allowed', 'of our best', 'threads', 'compile']

const notes: Readonly<Partial<Record<BenchmarkRecord['kind'], string>>> = {
  transfer: `upload, compute, readback: medians by the program's own account; what a device cannot tell apart is in compute.
x JavaScript: times the plain JavaScript loop, whole calls and computation alone. Compiling came before, once.`,
  rivals: 'C is timed inside its own process, the loop alone. Where nothing else is said, numbers are float32.',
}
