/** `d3`: the repulsion of graph layouts by manybody/d3, next to d3-force. */

import { type Command, Option } from 'commander'
import { install } from '../../../thirdparty/packages.ts'
import { seedOf } from '../../arguments/options.ts'
import { BadInputError } from '../../errors.ts'
import { beginRecord } from '../../node/rows-record.ts'
import { lineOfCells, scientific, threeDigits } from '../../report/format.ts'
import { type D3Row, d3CostOf } from '../../tree/d3-cost.ts'

interface Options {
  readonly nodes: readonly number[]
  readonly seed: number
  readonly json?: string
}

const tolerances = [1e-2, 1e-3]

export function d3(program: Command): Command {
  return program
    .command('d3')
    .description('time of the repulsion of a graph layout within a tick, next to d3-force, with the errors of both')
    .addOption(
      new Option('--nodes <n,...>', 'numbers of nodes').argParser(nodesFrom).default([1e4, 1e5], '10000,100000'),
    )
    .addOption(new Option('--seed <n>', 'seed of the nodes').argParser(seedOf).default(1))
    .option('--json <file>', 'writes a record')
    .action(async ({ nodes, seed, json }: Options) => {
      const missing = install((line) => console.error(line))
      if (missing) throw new BadInputError(missing)
      const write = beginRecord('d3')
      const rows: D3Row[] = []
      console.log(heading)
      for (const count of nodes)
        for await (const row of d3CostOf(count, tolerances, seed)) {
          rows.push(row)
          console.log(lineOf(row))
        }
      write(rows, json)
    })
}

const line = lineOfCells([8, 18, 30, 8, 8, 8, 8])
const heading = line(['nodes', 'who', 'setting', 'ms', 'first', 'faster', 'p99', 'largest'])

function lineOf({ nodes, who, tolerance, variant, time, first, faster, p99, largest }: D3Row): string {
  const name = tolerance === undefined ? who : `${who} ${tolerance}`
  const times = [threeDigits(time), threeDigits(first), `${threeDigits(faster)}x`]
  return line([String(nodes), name, variant, ...times, scientific(p99), scientific(largest)])
}

function nodesFrom(text: string): readonly number[] {
  return text.split(',').map((item) => {
    const value = Number(item)
    if (!(Number.isInteger(value) && value >= 10 && value <= 1e7))
      throw new BadInputError(`--nodes expected whole numbers from 10 to 10000000, got "${item}"`)
    return value
  })
}
