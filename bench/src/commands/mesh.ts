/** `mesh`: sums through a mesh, in a box and in open space: their processor time and errors, beside LAMMPS, a tree and all pairs. */

import { writeFileSync } from 'node:fs'
import type { Precision } from '@manybody/core'
import { type Command, Option } from 'commander'
import { namesFrom, seedOf, sizesFrom, wholeFrom } from '../arguments/options.ts'
import { meshPlot } from '../mesh/plot.ts'
import { chargesIn, type MeshRow, meshRows } from '../mesh/rows.ts'
import { beginRecord } from '../node/rows-record.ts'
import { scientific, threeDigits } from '../report/format.ts'
import { textTable } from '../report/tables.ts'

interface Options {
  readonly sizes: readonly number[]
  readonly precision: readonly Precision[]
  readonly calls: number
  readonly threads: number
  readonly lammps: boolean
  readonly seed: number
  readonly json?: string
  readonly svg?: string
}

export function mesh(program: Command): Command {
  return program
    .command('mesh')
    .description(
      'sums of 1/r over all images and in open space: processor time and error, beside LAMMPS, a tree and all pairs',
    )
    .addOption(
      new Option('--sizes <n,...>', 'numbers of charges')
        .argParser(sizesFrom(1e7))
        .default([10_000, 100_000], '10000,100000'),
    )
    .addOption(
      new Option('--precision <name,...>', 'our precisions')
        .argParser(namesFrom('precision', ['f32', 'f64']))
        .default(['f32', 'f64'], 'f32,f64'),
    )
    .addOption(
      new Option('--calls <n>', 'calls of each sum; the fastest counts').argParser(wholeFrom('calls', 1e4)).default(10),
    )
    .addOption(new Option('--threads <n>', 'threads').argParser(wholeFrom('threads', 64)).default(1))
    .addOption(new Option('--seed <n>', 'seed of the charges').argParser(seedOf).default(1))
    .option('--no-lammps', 'leaves out LAMMPS')
    .option('--json <file>', 'writes all rows')
    .option('--svg <file>', 'draws the errors and times of sums over all images of the most charges')
    .action(async ({ sizes, json, svg, seed, ...options }: Options) => {
      const write = beginRecord('mesh')
      const rows: MeshRow[] = []
      for (const count of sizes) rows.push(...(await meshRows(chargesIn(count, seed), options)))
      console.log(tableFrom(rows))
      write(rows, json, { seed, ...options })
      if (svg !== undefined) writeFileSync(svg, meshPlot(rows))
    })
}

const head = ['charges', 'precision', 'method', 'tolerance', 'us a charge', 'rms error', 'setting']

const tableFrom = (rows: readonly MeshRow[]): string =>
  textTable(
    head,
    'rllrrrl',
    rows.map(({ count, precision, method, tolerance, microseconds, error, setting }) => [
      count,
      precision,
      method,
      tolerance ?? '',
      threeDigits(microseconds),
      error === undefined ? '' : scientific(error),
      setting,
    ]),
  )
