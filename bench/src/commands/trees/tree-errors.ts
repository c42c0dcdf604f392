/** `tree-errors`: runs with a tolerance over all laws and sets of points, judged by all their targets. */

import { type Command, Option } from 'commander'
import { wholeFrom } from '../../arguments/options.ts'
import { beginRecord } from '../../node/rows-record.ts'
import { scientific } from '../../report/format.ts'
import { type CampaignRow, campaignRow } from '../../tree/campaign.ts'
import { spatial, treeLaws } from '../../tree/laws.ts'
import { treeSets } from '../../tree-points.ts'

interface Options {
  readonly runs: number
  readonly points: number
  readonly seed: number
  readonly json?: string
}

interface Run extends CampaignRow {
  readonly law: string
  readonly set: string
  readonly seed: number
  readonly tolerance: number
}

/** Every law is combined with every set of points. */
const tolerances = [1e-2, 3e-3, 1e-3]
/** A reported error is right if it is within this factor of the 99th percentile. */
const telling = 2.5

export function treeErrors(program: Command): Command {
  return program
    .command('tree-errors')
    .description(
      'runs with a tolerance, judged by the errors of all their targets; fails if one is beyond its tolerance',
    )
    .addOption(new Option('--runs <n>', 'number of runs').argParser(wholeFrom('runs', 1e5)).default(500))
    .addOption(new Option('--points <n>', 'number of points').argParser(wholeFrom('points', 1e5)).default(4000))
    .addOption(
      new Option('--seed <n>', 'seed of the first run, which decides on its law, set and tolerance')
        .argParser(wholeFrom('seed', 1e9))
        .default(1),
    )
    .option('--json <file>', 'writes all runs')
    .action(async ({ runs, points, seed: first, json }: Options) => {
      const write = beginRecord('tree-errors')
      const done: Run[] = []
      const cases = casesOf()
      for (let seed = first; seed < first + runs; seed++) {
        const n = seed - 1
        const [law, set] = cases[n % cases.length] as readonly [string, string]
        const tolerance = tolerances[(n + Math.floor(n / cases.length)) % tolerances.length] as number
        const [workload, place] = [treeLaws[law]?.(), treeSets[set]]
        if (!workload || !place) throw new Error(`no ${law} in ${set}`)
        const row = await campaignRow({ workload, set: place, count: points, seed, tolerance })
        done.push({ law, set, seed, tolerance, ...row })
        if (row.p99 > tolerance)
          console.log(`${law} in ${set}, seed ${seed}: ${scientific(row.p99)} beyond ${tolerance}; ${row.variant}`)
      }
      const summary = summaryOf(done)
      for (const line of summary) console.log(line)
      write(done, json, { points, summary })
      if (done.some(({ p99, tolerance }) => p99 > tolerance)) process.exitCode = 1
    })
}

function casesOf(): readonly (readonly [law: string, set: string])[] {
  return Object.keys(treeLaws).flatMap((law) =>
    Object.entries(treeSets).flatMap(([name, { dimension }]) =>
      dimension === 2 && spatial.includes(law) ? [] : [[law, name] as const],
    ),
  )
}

function summaryOf(runs: readonly Run[]): readonly string[] {
  const trees = runs.filter(({ variant }) => variant.startsWith('tree'))
  const within = runs.filter(({ p99, tolerance }) => p99 <= tolerance).length
  const told = trees.filter((run) => run.told <= telling * run.p99 && run.p99 <= telling * run.told).length
  const beyond = trees.map(({ largest, tolerance }) => largest / tolerance).sort((a, b) => a - b)
  const at = (share: number) => (beyond[Math.floor(share * (beyond.length - 1))] ?? 0).toPrecision(2)
  const sets = [...new Set(trees.map(({ set }) => set))].map((set) => {
    const own = trees.filter((run) => run.set === set).map(({ largest, tolerance }) => largest / tolerance)
    return `${set} ${own.toSorted((a, b) => a - b)[own.length >> 1]?.toPrecision(2)}, ${Math.max(...own).toPrecision(2)}`
  })
  return [
    `${within} of ${runs.length} runs have a 99th percentile within the tolerance; ${trees.length} of them by a tree`,
    `the reported error is within ${telling} times the 99th percentile in ${told} of ${trees.length}`,
    `largest error of all targets, by the tolerance: ${at(0.5)} in half of the runs, ${at(0.95)} at most in 95 %, ${at(1)} at most`,
    `by sets, in half of the runs and at most: ${sets.join('; ')}`,
  ]
}
