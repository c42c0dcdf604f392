/** `tree`: the cost of a tolerance on the processor, for laws and sets of points, next to all pairs and to trees in JavaScript. */

import { type Command, Option } from 'commander'
import { install } from '../../../thirdparty/packages.ts'
import { namesFrom, seedOf, toleranceFrom, wholeFrom } from '../../arguments/options.ts'
import { beginRecord } from '../../node/rows-record.ts'
import { lineOfCells, scientific, threeDigits } from '../../report/format.ts'
import { type CostRow, costOf } from '../../tree/cost.ts'
import { spatial, treeLaws } from '../../tree/laws.ts'
import { treeSets } from '../../tree-points.ts'

interface TreeOptions {
  readonly laws: readonly string[]
  readonly sets: readonly string[]
  readonly tolerances: readonly number[]
  readonly points: number
  readonly seed: number
  readonly threads?: number
  readonly rivals: boolean
  readonly json?: string
}

export function tree(program: Command): Command {
  const [laws, sets] = [Object.keys(treeLaws), Object.keys(treeSets)]
  return program
    .command('tree')
    .description('time of a sum with a tolerance, and its errors, next to all pairs and to trees in JavaScript')
    .addOption(
      new Option('--laws <name,...>', `laws: ${laws.join(', ')}`)
        .argParser(namesFrom('laws', laws))
        .default(laws, 'all'),
    )
    .addOption(
      new Option('--sets <name,...>', `sets of points: ${sets.join(', ')}`)
        .argParser(namesFrom('sets', sets))
        .default(sets, 'all'),
    )
    .addOption(
      new Option('--tolerances <n,...>', 'errors relative to the sum of the sizes of terms')
        .argParser(tolerancesFrom)
        .default([1e-2, 1e-3, 1e-4, 1e-5], '1e-2,1e-3,1e-4,1e-5'),
    )
    .addOption(new Option('--points <n>', 'number of points').argParser(wholeFrom('points', 2e7)).default(20000))
    .addOption(new Option('--seed <n>', 'seed of the points').argParser(seedOf).default(1))
    .addOption(new Option('--threads <n>', 'threads; all by default').argParser(wholeFrom('threads', 1024)))
    .option('--no-rivals', 'leaves out d3-force and ngraph')
    .option('--json <file>', 'writes a record')
    .action(async (options: TreeOptions) => {
      const { points, seed, tolerances, threads, json } = options
      const without = options.rivals ? install((line) => console.error(line)) : 'left out'
      if (options.rivals && without) console.error(`Without rivals: ${without}`)
      const write = beginRecord('tree')
      const rows: CostRow[] = []
      console.log(heading)
      for (const law of options.laws)
        for (const set of options.sets) {
          const [workload, place] = [treeLaws[law]?.(), treeSets[set]]
          if (!workload || !place || (place.dimension === 2 && spatial.includes(law))) continue
          const rivals = without === undefined
          for await (const row of costOf({ law, workload, set, place, points, seed, tolerances, threads, rivals })) {
            rows.push(row)
            console.log(lineOf(row))
          }
        }
      write(rows, json, threads === undefined ? {} : { threads })
    })
}

const line = lineOfCells([14, 11, 9, 22, 8, 8, 7, 8, 8])
const heading = line(['law', 'points', 'tolerance', 'setting', 'ms', 'faster', 'pairs', 'p99', 'largest'])

function lineOf(row: CostRow): string {
  const { law, set, who, tolerance, variant, time, faster, pairs } = row
  const asked = tolerance === undefined ? who : String(tolerance)
  const times = [threeDigits(time), `${threeDigits(faster)}x`, pairs?.toFixed(0) ?? '']
  return line([law, set, asked, variant, ...times, scientific(row.p99), scientific(row.largest)])
}

const tolerancesFrom = (text: string): readonly number[] => text.split(',').map(toleranceFrom('tolerances'))
