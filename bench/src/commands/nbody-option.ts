/** The option of commands that compute gravity to print their figures in the words of CUDA's nbody sample as well. */

import type { Command } from 'commander'
import type { BenchmarkRecord } from '../record.ts'
import { nbodyLines } from '../report/nbody-lines.ts'

export interface NbodyOption {
  readonly nbodyLines?: true
}

export const addNbodyOption = (command: Command): Command =>
  command.option('--nbody-lines', "figures for gravity also in the words of CUDA's nbody sample")

/** A table, followed by the lines of the sample if they were requested. */
export function withNbodyLines(
  table: (record: BenchmarkRecord) => string,
  options: NbodyOption,
): (record: BenchmarkRecord) => string {
  return options.nbodyLines ? (record) => [table(record), nbodyLines(record)].join('\n\n') : table
}
