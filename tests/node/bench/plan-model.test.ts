// Prints the models that choose plans, so that a diff shows every changed number. Below each row it prints how the row fared in its record.
// `-u` updates the file.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
import { type ModelRow, planModel, rowFor } from '../../../packages/backend-webgpu/src/plans/plan-model.ts'
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
    const timed = timedPlans(record.split(':')[0] ?? '').filter(
      (plan) =>
        plan.variant === variant &&
        Object.entries({ workgroup, targets, unroll, parts }).every(
          ([size, wanted]) => (plan.sizes?.[size] ?? 1) === wanted,
        ),
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
    { words: 2, registers: 5, neighbours: 0, sums: false },
    { words: 16, registers: 19, neighbours: 8, sums: false },
    { words: 64, registers: 67, neighbours: 32, sums: false },
  ]
  const reached = devices.flatMap((device) =>
    folds.flatMap((fold) =>
      [4096, 8192, 12000, 16384, 20000, 32768, 65536, 262144].map((targets) =>
        rowFor({ targets, sources: targets, sourceBytes: 16, bindingBytes: 2 ** 30, ...device, ...fold } as PairCase),
      ),
    ),
  )
  expect(planModel.filter((row) => !reached.includes(row))).toEqual([])
})

test('plan-model.txt shows the models row by row', async () => {
  await expect(printed()).toMatchFileSnapshot('./plan-model.txt')
})

function printed(): string {
  return [
    '# The plan of a pair loop on WebGPU: the first row that matches',
    ...table(
      ['fold', 'device', 'targets', 'registers', 'plan', 'record'],
      planModel,
      ({ fold, device, upTo, registers, record, ...row }) => [
        fold,
        device,
        upTo === Infinity ? 'more' : `up to ${upTo}`,
        registers === undefined ? 'any' : `up to ${registers}`,
        planText(row),
        record,
      ],
    ),
    '# Each pair once on WebGPU',
    ...table(
      ['points', 'registers', 'by itself', 'targets', 'record'],
      onceModel,
      ({ from, registers, pays, targets, record }) => [
        `from ${from}`,
        registers === Infinity ? 'any' : `up to ${registers}`,
        pays ? 'yes' : 'no',
        `${targets}`,
        record,
      ],
    ),
    '# How points go round a subgroup of it; fetching was timed in prototypes, see docs/notes/webgpu.md',
    ...table(['targets', 'points', 'unroll', 'record'], turnModel, ({ from, fetched, unroll, record }) => [
      `from ${from}`,
      fetched ? 'fetched' : 'handed on',
      `${unroll}`,
      record,
    ]),
    '# Invocations that share a target in the selection of neighbours on WebGPU',
    ...table(['targets', 'shares', 'record'], shareModel, ({ from, shares, record }) => [
      `from ${from}`,
      `${shares}`,
      record,
    ]),
    '# What blocks cost on a graphics card, in pairs of the loop over all pairs',
    ...table(
      ['all pairs', 'pair', 'point', 'run', 'idle', 'record'],
      Object.entries(cardBlocksModel).map(([loop, row]) => ({ loop, ...row })),
      ({ loop, pair, point, run, idle, record }) => [loop, `${pair}`, `${point}`, `${run}`, `${idle}`, record],
      () => [],
    ),
    '# Each pair once on the processor',
    ...table(
      ['points', 'threads', 'by itself', 'record'],
      cpuOnceModel,
      ({ from, threads, pays, record }) => [
        `from ${from}`,
        threads === Infinity ? 'any' : `up to ${threads}`,
        pays ? 'yes' : 'no',
        record,
      ],
      ({ from, record }) => (isRecord(record) ? cpuStandings(record, from) : []),
    ),
    '# What blocks cost on the processor: a pair in pairs of the loop over all pairs, a target in additions',
    ...table(
      ['precision', 'loop', 'pair', 'target'],
      Object.entries(blocksModel).flatMap(([precision, loops]) =>
        Object.entries(loops).map(([loop, [pair, target]]) => ({ precision, loop, pair, target, record: '' })),
      ),
      ({ precision, loop, pair, target }) => [precision, loop, `${pair}`, `${target}`],
      () => [],
    ),
    '# What a tree costs, in pairs of the loop over all pairs, and the share of all pairs on a software GPU',
    ...table(
      ['device', 'pair', 'point', 'run', 'each pair once', 'share', 'record'],
      [
        { device: 'graphics card', share: '', ...cardTreeModel },
        { device: 'software GPU', pair: '', point: '', run: '', once: '', ...softwareTrees },
        { device: 'processor', share: '', run: '', point: treeModel.target, ...treeModel },
      ],
      ({ device, pair, point, run, once, share, record }) => [
        device,
        ...[pair, point, run, once, share].map(String),
        record,
      ],
      () => [],
    ),
  ].join('\n')
}

/** Lines of a table. Below each row stand the findings of its record. */
function table<Row extends { readonly record: string }>(
  head: readonly string[],
  model: readonly Row[],
  cells: (row: Row) => readonly string[],
  below: (row: Row) => readonly string[] = (row) => standingsOf(row).map(({ text }) => text),
): readonly string[] {
  const texts = model.map(cells)
  const widths = head.map((name, c) => Math.max(...[head, ...texts].map((line) => (line[c] ?? name).length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => cell.padEnd(widths[c] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    line(head),
    ...model.flatMap((row, r) => [line(texts[r] ?? []), ...below(row).map((text) => `    ${text}`)]),
    '',
  ]
}

function planText({ variant, sizes }: Pick<ModelRow, 'variant' | 'sizes'>): string {
  const texts = Object.entries(sizes).map(([name, size]) => {
    if (typeof size !== 'object') return `${name} ${size}`
    return `${name} (${Object.entries(size).map(([rule, most]) => `${rule} ${most}`)})`
  })
  return `${variant} (${texts.join(', ')})`
}

function cpuStandings(record: string, from: number): readonly string[] {
  const next = Math.min(...cpuOnceModel.map((row) => row.from).filter((other) => other > from))
  return [256, 1024, 4096]
    .filter((points) => points >= from && points < next)
    .map((points) => `${points} points: pairs-once ${oftenFaster(record, ['pairs-once', 'simd'], [points])}`)
}
