// The rivals of `near` and `mesh` of `npm run bench`: their answers are right, or they name the missing package. No test depends on speed.

import { expect, test } from 'vitest'
import { nearLines } from '../../../bench/figures/near-blocks.ts'
import type { Contender, Problem } from '../../../bench/src/contender.ts'
import { Devices } from '../../../bench/src/contenders/backend.ts'
import { judgeOf } from '../../../bench/src/judge.ts'
import { allPairs, liquidSteps, newPoints } from '../../../bench/src/near/ours.ts'
import { nearTaskNames } from '../../../bench/src/near-tasks.ts'
import { problemOf } from '../../../bench/src/problem.ts'
import type { BenchmarkRecord, Row } from '../../../bench/src/record.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { sumsJudge } from '../../../bench/src/tree/judge.ts'
import { lammpsSums } from '../../../bench/thirdparty/mesh/lammps.ts'
import { lammps } from '../../../bench/thirdparty/near/lammps.ts'
import { scipy } from '../../../bench/thirdparty/near/scipy.ts'
import { kdbush, staticKdtree } from '../../../bench/thirdparty/near/trees.ts'
import { times } from '../../support/sample-records.ts'

const problem = (task: string, count = 864): Problem => problemOf({ what: { task }, count, seed: 3 })

/** One sample. */
const one = { environment: 'here', seconds: 0.001, rounds: 1, warm: 0, span: 0.001 }

/** The judgement of one call, or the reason why it cannot run. */
async function outcomeOf(contender: Contender, given: Problem): Promise<string> {
  const [row] = await measure(given, [contender], one)
  return row && 'refused' in row.outcome ? row.outcome.refused : 'right'
}

const queries = nearTaskNames.filter((name) => name !== 'steps of a liquid')

test.for(queries)('blocks and SciPy find the right neighbours, or SciPy is not installed: %s', async (task) => {
  const devices = new Devices()
  const given = problem(task)
  expect(await outcomeOf(newPoints({ precision: 'f32', threads: 1 }, devices), given)).toBe('right')
  expect(await outcomeOf(allPairs({ precision: 'f64', threads: 1 }, devices, false), given)).toBe('right')
  expect(await outcomeOf(scipy(1), given)).toMatch(/^(right|SciPy is not installed: .*)$/)
  await devices.dispose()
})

test('trees in JavaScript find the right neighbours, or are not installed', async () => {
  expect(await outcomeOf(staticKdtree(), problem('nearest(8) in a cube'))).toMatch(/^(right|.* is not installed: .*)$/)
  expect(await outcomeOf(kdbush(), problem('neighbours in the plane'))).toMatch(/^(right|.* is not installed: .*)$/)
  expect(await outcomeOf(kdbush(), problem('nearest(8) in a cube'))).toBe(
    'nobody wrote nearest(8) in a cube with kdbush',
  )
})

test('steps of a liquid start with the right forces here and in LAMMPS, or it is not installed', async () => {
  const given = problem('steps of a liquid')
  expect(given.targets).toBe(864)
  expect(await outcomeOf(liquidSteps({ precision: 'f64', threads: 1 }), given)).toBe('right')
  expect(await outcomeOf(lammps(1), given)).toMatch(/^(right|LAMMPS is not installed: .*)$/)
})

test.for(['pppm', 'ewald'] as const)('LAMMPS has the forces of a mesh by %s, or it is not installed', async (style) => {
  const given = problem('charges in box', 200)
  const [row] = await measure(given, [lammpsSums(style, 1e-4, 1)], one, sumsJudge(given, 200, 'sums'))
  const outcome = row?.outcome ?? { refused: 'no row' }
  if ('refused' in outcome) return expect(outcome.refused).toMatch(/^LAMMPS is not installed: .*$/)
  expect(outcome.error.max).toBeLessThan(1e-3)
  expect(row?.contender.variant).toMatch(/^.*, cutoff 0\.\d+, (grid \d+ x \d+ x \d+|\d+ vectors)$/)
})

test('a list that lacks a neighbour is wrong', async () => {
  const given = problem('neighbours within a radius')
  const devices = new Devices()
  const entry = await newPoints({ precision: 'f32', threads: 1 }, devices).prepare(given)
  const judge = judgeOf(given)
  await expect(judge.judge(entry)).resolves.toMatchObject({ max: 0 })
  const { offsets, index } = (await entry.results()) as { offsets: Uint32Array; index: Int32Array }
  const results = async () => ({ offsets: offsets.map((n) => Math.max(0, n - 1)), index: index.subarray(1) })
  await expect(judge.judge({ ...entry, accuracy: entry.accuracy, results })).rejects.toThrow(
    /^wrong answer: the list of target 0 expected \d+/,
  )
  await devices.dispose()
})

test('the table compares contenders with as many threads', () => {
  const rowOf = (name: string, threads: number, precision: 'f32' | 'f64', median: number): Row => ({
    environment: 'here',
    problem: { name: 'cube', workload: 'nearest', targets: 100, sources: 100, dimension: 3, seed: 1 },
    contender: { name, rival: name !== 'manybody', device: 'cpu', kind: 'cpu', precision, threads },
    interactions: 10_000,
    outcome: {
      call: times(median),
      interactionsPerSecond: 1,
      error: { max: 0, accumulation: 'none', bound: 0, sampled: 1 },
    },
  })
  const rows = [
    rowOf('manybody', 1, 'f32', 10),
    rowOf('manybody', 2, 'f32', 6),
    rowOf('manybody', 1, 'f64', 20),
    rowOf('cKDTree', 1, 'f64', 40),
    rowOf('cKDTree', 2, 'f64', 24),
  ]
  expect(nearLines({ rows } as unknown as BenchmarkRecord)).toEqual([
    ['nearest', '100', 'cKDTree', '1', '40.0 ms', '10.0 ms', '4.00', '20.0 ms', '2.00'],
    ['nearest', '100', 'cKDTree', '2', '24.0 ms', '6.00 ms', '4.00', '', ''],
  ])
})
