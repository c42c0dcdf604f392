/** `tree`: what a tolerance costs, in pairs computed for a target, for laws and sets of points. It counts, so the machine does not matter. */

import { type Command, Option } from 'commander'
import { namesFrom, seedOf, wholeFrom } from '../arguments/options.ts'
import { BadInputError } from '../errors.ts'
import { scientific } from '../report/format.ts'
import { spatial, treeLaws } from '../tree/laws.ts'
import { treeSets } from '../tree/points.ts'
import { studyTree, type TreeRow } from '../tree/study.ts'

interface TreeOptions {
  readonly laws: readonly string[]
  readonly sets: readonly string[]
  readonly tolerances: readonly number[]
  readonly points: number
  readonly seed: number
}

export function tree(program: Command): Command {
  const [laws, sets] = [Object.keys(treeLaws), Object.keys(treeSets)]
  return program
    .command('tree')
    .description('pairs that a tree computes for each target to meet a tolerance, and the errors it then has')
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
    .addOption(new Option('--points <n>', 'number of points').argParser(wholeFrom('points', 1e6)).default(20000))
    .addOption(new Option('--seed <n>', 'seed of the points').argParser(seedOf).default(1))
    .action((options: TreeOptions) => {
      console.log(heading)
      for (const law of options.laws)
        for (const name of options.sets) {
          const set = treeSets[name]
          const workload = treeLaws[law]?.()
          if (!set || !workload || (set.dimension === 2 && spatial.includes(law))) continue
          const rows = studyTree({ workload, set, count: options.points, ...options })
          for (const row of rows) console.log(lineOf(law, name, row, options.points))
        }
    })
}

const columns = [12, 11, 10, 24, 9, 7, 8, 8]
const line = (cells: readonly string[]) =>
  cells
    .map((cell, n) => cell.padEnd(columns[n] ?? 0))
    .join('  ')
    .trimEnd()
const heading = line(['law', 'points', 'tolerance', 'setting', 'pairs', 'fewer', 'p99', 'largest'])

function lineOf(law: string, set: string, { tolerance, found }: TreeRow, count: number): string {
  const start = [law, set, String(tolerance)]
  if (!found) return line([...start, 'all pairs', String(count), '1x'])
  const { proxies, opening } = found.setting
  const setting = `${proxies === 'simplex' ? 'simplex' : `grid ${proxies}`}, opening ${opening}`
  const fewer = `${(count / found.pairs).toPrecision(2)}x`
  return line([...start, setting, found.pairs.toFixed(0), fewer, scientific(found.p99), scientific(found.largest)])
}

function tolerancesFrom(text: string): readonly number[] {
  return text.split(',').map((item) => {
    const value = Number(item)
    if (!(value > 0 && value < 1))
      throw new BadInputError(`--tolerances expected numbers between 0 and 1, got "${item}"`)
    return value
  })
}
