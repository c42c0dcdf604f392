/** `compare-records a.json b.json`: the changes from one record to another. */

import type { Command } from 'commander'
import { readRecord } from '../node/record-file.ts'
import { difference } from '../report/difference.ts'
import { textOf } from '../report/print.ts'

export function compareRecords(program: Command): Command {
  return program
    .command('compare-records')
    .description('two records row by row, with a verdict where the difference is more than the spread')
    .argument('<first>', 'a record, as --json writes it')
    .argument('<second>', 'another, later one')
    .action((first: string, second: string) =>
      console.log(
        difference(readRecord(first), readRecord(second))
          .map(textOf)
          .filter((part) => part !== '')
          .join('\n\n'),
      ),
    )
}
