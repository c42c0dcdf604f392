// Prints the models that choose plans, so that a diff shows every changed number. Below each row it prints how the row fared in its record.
// `-u` updates the file.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { blocksModel } from '../../../packages/backend-cpu-wasm/src/run/plans/blocks-model.ts'
import { onceModel as cpuOnceModel } from '../../../packages/backend-cpu-wasm/src/run/plans/once-model.ts'
import { treeModel } from '../../../packages/backend-cpu-wasm/src/run/plans/tree-model.ts'
import {
  treeModel as cardTreeModel,
  softwareTrees,
} from '../../../packages/backend-webgpu/src/compile/plans/tree-model.ts'
import { blocksModel as cardBlocksModel } from '../../../packages/backend-webgpu/src/plans/blocks-model.ts'
import type { PairCase } from '../../../packages/backend-webgpu/src/plans/pair-case.ts'
import { planModel, rowFor } from '../../../packages/backend-webgpu/src/plans/plan-model.ts'
import { onceModel, shareModel, turnModel } from '../../../packages/backend-webgpu/src/plans/thresholds.ts'
import { root } from '../../../tools/pnpm.mjs'
import { oftenFaster, type Standing, standings, timedPlans } from '../../support/plan-records.ts'

const isRecord = (record: string) => /^bench\/\S+\.json$/.test(record)
const rows = [...planModel, ...onceModel, ...turnModel]
const found = new Map(
  [...new Set(rows.map(({ record }) => record).filter(isRecord))].map((record) => [record, standings(record)]),
)
const standingsOf = (row: { readonly record: string }): readonly Standing[] =>
  (found.get(row.record) ?? []).filter((standing) => standing.row === row)

test('each row that names a record has its plan in it, and no other row has its plan in a record', () => {
  const unsupported = rows.filter((row) => isRecord(row.record) && standingsOf(row).length === 0)
  expect(unsupported).toEqual([])
  const supported = new Set([...found.values()].flat().map(({ row }) => row))
  expect(rows.filter((row) => !isRecord(row.record) && supported.has(row))).toEqual([])
})

test('a record that a row names with a remark is in the tree and has the plan of the row', () => {
  const remarked = planModel.filter(({ record }) => record.startsWith('bench/') && !isRecord(record))
  expect(remarked.length).toBeGreaterThan(0)
  for (const { record, variant, sizes } of remarked) {
    const { workgroup, targets, unroll, parts } = sizes
    const wanted = Object.entries({ workgroup, targets, unroll, parts })
    const timed = timedPlans(record.split(':')[0] ?? '').filter(
      (plan) => plan.variant === variant && wanted.every(([size, value]) => (plan.sizes?.[size] ?? 1) === value),
    )
    expect(timed.length, record).toBeGreaterThan(0)
  }
})

test('pages that rows name instead of a record exist', () => {
  for (const { record } of [...shareModel, ...Object.values(cardBlocksModel)])
    expect(existsSync(join(root, record)), record).toBe(true)
})

test('each row of the plan model applies to some device and fold', () => {
  const devices = [
    { kind: 'software', invocations: 256, memory: 16384 },
    { kind: 'hardware', invocations: 256, memory: 16384 },
    { kind: 'hardware', invocations: 1024, memory: 49152 },
  ] as const
  const folds = [
    { words: 3, registers: 6, neighbours: 0, sums: true },
    { words: 3, registers: 8, neighbours: 0, sums: true },
    { words: 1, registers: 1, neighbours: 0, sums: true, vectors: { numbers: 1, counts: [1, 1] } },
    { words: 2, registers: 1, neighbours: 0, sums: false, vectors: { numbers: 1, counts: [1, 1] } },
    { words: 2, registers: 5, neighbours: 0, sums: false },
    { words: 16, registers: 19, neighbours: 8, sums: false },
    { words: 64, registers: 67, neighbours: 32, sums: false },
  ]
  const reached = devices.flatMap((device) =>
    folds.flatMap((fold) =>
      [2048, 4096, 8192, 12000, 16384, 20000, 32768, 65536, 262144].map((targets) =>
        rowFor({ targets, sources: targets, sourceBytes: 16, bindingBytes: 2 ** 30, ...device, ...fold } as PairCase),
      ),
    ),
  )
  expect(planModel.filter((row) => !reached.includes(row))).toEqual([])
})

test('plan-model.txt shows the models row by row', async () => {
  const printed = [
    ...section('The plan of a pair loop on WebGPU: the first row that matches', planModel, findings),
    ...section('Each pair once on WebGPU', onceModel, findings),
    ...section(
      'How points go round a subgroup of it; fetching was timed in prototypes (docs/notes/webgpu.md)',
      turnModel,
      findings,
    ),
    ...section('Invocations that share a target in the selection of neighbours on WebGPU', shareModel),
    ...section('The cost of blocks on a graphics card, in pairs of the loop over all pairs', [cardBlocksModel]),
    ...section('Each pair once on the processor', cpuOnceModel, cpuFindings),
    ...section('The cost of blocks on the processor: a pair in pairs of all, a target in additions', [blocksModel]),
    ...section('The cost of a tree, in pairs of the loop over all pairs', [
      { cardTreeModel, softwareTrees, treeModel },
    ]),
  ]
  await expect(printed.join('\n')).toMatchFileSnapshot('./plan-model.txt')
})

/** A model: a line for each of its rows, or of the entries of its only row. */
function section<Row extends object>(
  title: string,
  model: readonly Row[],
  below: (row: Row) => readonly string[] = () => [],
): readonly string[] {
  const line = (value: unknown) => inspect(value, { breakLength: Infinity, depth: 9 })
  const lines = (row: Row) =>
    model.length > 1 ? [line(row)] : Object.entries(row).map(([name, value]) => `${name}: ${line(value)}`)
  return [`# ${title}`, ...model.flatMap((row) => [...lines(row), ...below(row).map((text) => `    ${text}`)]), '']
}

const findings = (row: { readonly record: string }): readonly string[] => standingsOf(row).map(({ text }) => text)

function cpuFindings({ record, from }: (typeof cpuOnceModel)[number]): readonly string[] {
  const next = Math.min(...cpuOnceModel.map((row) => row.from).filter((other) => other > from))
  return [256, 1024, 4096]
    .filter((points) => isRecord(record) && points >= from && points < next)
    .map((points) => `${points} points: pairs-once ${oftenFaster(record, ['pairs-once', 'simd'], [points])}`)
}
