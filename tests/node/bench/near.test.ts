// The rivals of `near` and `mesh` of `npm run bench`: their answers are right, or they name the missing package. Our rows are compared with
// older ones. No test depends on speed.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Contender, Problem } from '../../../bench/src/contender.ts'
import { Devices } from '../../../bench/src/contenders/backend.ts'
import { allPairs, liquidSteps, newPoints, type OurOptions } from '../../../bench/src/near/ours.ts'
import { nearTaskNames } from '../../../bench/src/near-tasks.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { type ProblemSpec, problemOf } from '../../../bench/src/problem.ts'
import type { Who } from '../../../bench/src/record.ts'
import { difference } from '../../../bench/src/report/difference.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { sumsJudge } from '../../../bench/src/tree/judge.ts'
import { lammpsSums } from '../../../bench/thirdparty/mesh/lammps.ts'
import { lammps } from '../../../bench/thirdparty/near/lammps.ts'
import { scipy } from '../../../bench/thirdparty/near/scipy.ts'
import { kdbush, staticKdtree } from '../../../bench/thirdparty/near/trees.ts'
import { root } from '../../../tools/pnpm.mjs'

const specOf = (task: string, count = 864): ProblemSpec => ({ what: { task }, count, seed: 3 })
const problem = (task: string, count?: number): Problem => problemOf(specOf(task, count))

/** One sample. */
const one = { environment: 'here', seconds: 0.001, rounds: 1, warm: 0, span: 0.001 }

/** The judgement of one call, or the reason why it cannot run. */
async function outcomeOf(contender: Contender, given: Problem): Promise<string> {
  const [row] = await measure(given, [contender], one)
  return row && 'refused' in row.outcome ? row.outcome.refused : 'right'
}

const [single, double] = (['f32', 'f64'] as const).map((precision) => ({ precision, threads: 1 })) as [
  OurOptions,
  OurOptions,
]
const devices = new Devices()
const oursFor = (task: string) => [newPoints(single, specOf(task), devices), allPairs(double, devices, false)]
const queries = nearTaskNames.filter((name) => name !== 'steps of a liquid')
const cases: readonly (readonly [task: string, ours: readonly Contender[], rivals: readonly Contender[]])[] = [
  ...queries.map((task) => [task, oursFor(task), [scipy(1)]] as const),
  ['nearest(8) in a cube', [], [staticKdtree()]],
  ['neighbours in the plane', [], [kdbush()]],
  ['steps of a liquid', [liquidSteps(single), liquidSteps(double)], [lammps(1)]],
]

test.each(cases)('%s: our answers are right, and rivals are right or not installed', async (task, ours, rivals) => {
  const given = problem(task)
  expect(given.targets).toBe(864)
  for (const contender of ours) expect(await outcomeOf(contender, given)).toBe('right')
  for (const rival of rivals) expect(await outcomeOf(rival, given)).toMatch(/^(right|.* is not installed: .*)$/)
  await devices.dispose()
})

test('a tree refuses a task that nobody wrote with it', async () => {
  const reason = 'nobody wrote cube, nearest(8) in a cube with kdbush'
  expect(await outcomeOf(kdbush(), problem('nearest(8) in a cube'))).toBe(reason)
})

test('steps of a liquid are compared with those of a committed record', async () => {
  const record = readRecord(join(root, 'bench/records/2026-11-27-near-liquid.json'))
  const [row] = await measure(problem('steps of a liquid', 4000), [liquidSteps(single)], one)
  if (!row || 'refused' in row.outcome) throw new Error(`expected a figure, got ${JSON.stringify(row?.outcome)}`)
  const isSame = ({ name, precision, threads }: Who) => name === 'manybody' && precision === 'f32' && threads === 1
  const rows = record.rows.map((old) => (isSame(old.contender) ? { ...old, contender: row.contender } : old))
  const notes = difference(record, { ...record, rows }).flatMap(({ notes = [] }) => notes)
  expect(notes.join()).toContain(`of ${rows.length} rows.`)
  expect(notes.join()).not.toContain('Only in')
})

test.for(['pppm', 'ewald'] as const)('LAMMPS has the forces of a mesh by %s, or it is not installed', async (style) => {
  const given = problem('charges in box', 200)
  const [row] = await measure(given, [lammpsSums(style, 1e-4, 1)], one, sumsJudge(given, 200, 'sums'))
  const outcome = row?.outcome ?? { refused: 'no row' }
  if ('refused' in outcome) return expect(outcome.refused).toMatch(/^LAMMPS is not installed: .*$/)
  expect(outcome.error.max).toBeLessThan(1e-3)
  expect(row?.contender.variant).toMatch(/^.*, cutoff 0\.\d+, (grid \d+ x \d+ x \d+|\d+ vectors)$/)
})
