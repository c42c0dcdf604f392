/**
 * Records of commands with rows of their own: sums with a tolerance and through a mesh. Comparisons of contenders have the records of
 * `record.ts`.
 */

import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { announce } from './output.ts'
import { typedCommand } from './typed-command.ts'

export interface RowsRecord<Row> {
  /** The command that made it. */
  readonly kind: string
  readonly date: string
  readonly command: string
  /** The processor, and how busy it was: the mean load of a minute before and after. */
  readonly device: string
  readonly threads: number
  readonly load: readonly [before: number, after: number]
  readonly rows: readonly Row[]
}

/**
 * Begins a record. Returns a function that writes it to a file, if one is given, a row in a line.
 *
 * @param about more members, or other values of the usual ones
 */
export function beginRecord(kind: string) {
  const [before] = loadavg() as [number]
  return <Row>(rows: readonly Row[], file: string | undefined, about: object = {}): void => {
    if (file === undefined) return
    const [after] = loadavg() as [number]
    const usual: Omit<RowsRecord<Row>, 'rows'> = {
      kind,
      date: new Date().toISOString(),
      command: typedCommand('npm run bench --', process.argv.slice(2)),
      device: cpus()[0]?.model.trim() ?? 'unknown processor',
      threads: availableParallelism(),
      load: [before, after],
    }
    const [head, lines] = [JSON.stringify({ ...usual, ...about }, null, 1), rows.map((row) => JSON.stringify(row))]
    writeFileSync(file, `${head.slice(0, -2)},\n "rows": [\n${lines.join(',\n')}\n]}\n`)
    announce(file)
  }
}
