// The figures in README and docs must come from the committed records: none is typed by hand, none outlives its record.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { filled } from '../../../bench/figures/blocks.ts'
import type { BenchmarkRecord, Row } from '../../../bench/src/record.ts'
import { textOf } from '../../../bench/src/record-text.ts'
import { markdownTable } from '../../../bench/src/report/markdown-table.ts'
import { pages } from '../../../scripts/pages/pages.ts'
import { root } from '../../../tools/pnpm.mjs'
import { sampleRecords, times } from '../../support/sample-records.ts'

describe('the figures of the records, which `npm run figures` inserts, are in', () => {
  test.for(pages)('%s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    expect(filled(text, page, root)).toBe(text)
  })
})

test('all pages that quote figures have blocks', () => {
  const withBlocks = pages.filter((page) => readFileSync(join(root, page), 'utf8').includes('<!-- figures: '))
  expect(withBlocks).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/benchmarks.md',
      'docs/backends/webgpu.md',
      'docs/backends/cpu-wasm.md',
      'docs/backends/webgl.md',
    ]),
  )
})

const folder = mkdtempSync(join(tmpdir(), 'manybody-figures-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'bench/records'), { recursive: true })
mkdirSync(join(folder, 'bench/gpu/records'), { recursive: true })

const fill = (what: string): string =>
  filled(`a\n<!-- figures: ${what} -->\nold\n<!-- /figures -->\nb`, 'docs/page.md', folder)

test('a block without a record says so, and has no figures', () => {
  const text = fill('scale gravity')
  expect(text).toContain('No record is committed yet; `npm run bench -- scale --json')
  expect(text).not.toContain('old')
  for (const what of ['h200', 'tree-errors']) expect(fill(what)).toContain('No record is committed yet')
})

test('a block has rates by size, crossovers, workloads and rivals from the records, with source and link', () => {
  for (const record of sampleRecords())
    writeFileSync(join(folder, 'bench/records', `${record.kind}.json`), textOf(record))
  const scale = fill('scale gravity')
  expect(scale).toContain(
    'Example CPU 3000, 8 cores, 32 GiB, Node 20.20.2 and Chromium 147 (headless), 2026-11-20: `npm run bench -- scale`, in [the record](../bench/records/scale.json).',
  )
  expect(scale).toContain('From about 2000 points webgpu, Node is faster than cpu-wasm, f32.')
  expect(scale).toMatch(/\| webgl \(software GPU\) +\| 6\.18 M +\|/)
  expect(fill('workloads')).toMatch(/\| argmin, 2048 +\|/)
  const rivals = fill('rivals')
  expect(rivals).toMatch(
    /^Whole calls in float32: .+ Below 1 we lose\. .+ \d+ cores.*, Node .+, \d{4}-\d\d-\d\d: records \[1\]\(\S+\)\.$/m,
  )
  expect(rivals).toMatch(/\| accelerations of gravity, 4096 +\| webgpu: 33\.7 G +\|/)
  expect(rivals).toMatch(
    /\| times JavaScript +\| times gpu\.js +\| times TensorFlow\.js +\| times d3-force +\| times C +\|/,
  )
  expect(scale.startsWith('a\n<!-- figures: scale gravity -->\n\n')).toBe(true)
  expect(scale.endsWith('\n\n<!-- /figures -->\nb')).toBe(true)
})

test('an incomplete record, or one of a busy machine, is quoted as such', () => {
  const sweep = sampleRecords().find(({ kind }) => kind === 'sweep')
  if (!sweep) throw new Error('expected a sample of a sweep')
  const busy = { ...sweep, machine: { ...sweep.machine, load: 9 } }
  writeFileSync(join(folder, 'bench/records/sweep.json'), textOf(busy))
  expect(fill('sweep gravity')).toContain('Incomplete: interrupted. The machine was busy: load 9.')
})

test('the newest record of a kind is used', () => {
  const [compare] = sampleRecords() as [BenchmarkRecord]
  const newer = { ...compare, date: '2026-12-24T00:00:00.000Z' }
  writeFileSync(join(folder, 'bench/records/a-newer.json'), textOf(newer))
  expect(fill('compare gravity')).toContain('2026-12-24')
  rmSync(join(folder, 'bench/records/a-newer.json'))
})

test('a problem of rivals that the newest record lacks comes from an older one, which comes last', () => {
  const rivals = sampleRecords().find(({ kind }) => kind === 'rivals')
  if (!rivals) throw new Error('expected a sample of rivals')
  const rows = rivals.rows.map((row) => ({ ...row, problem: { ...row.problem, name: 'coulomb', workload: 'forces' } }))
  const newer = { ...rivals, date: '2026-12-24T00:00:00.000Z', rows }
  writeFileSync(join(folder, 'bench/records/newer.json'), textOf(newer))
  const text = fill('rivals')
  const order = ['records/newer.json)', 'records/rivals.json)', '| forces of coulomb, ', '| accelerations of gravity, ']
  const places = order.map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  rmSync(join(folder, 'bench/records/newer.json'))
})

test.each([
  [
    'nonsense',
    'expected h200, h200-short, h200-ladder, h200-workloads, h200-trees, gpu-calls, tree, tree-short, tree-errors, cluster, webgl-ladder or one of compare, ',
  ],
  ['scale magnetism', 'has no figure of "magnetism"'],
])('a block that asks for %s is refused', (what, reason) => {
  expect(() => fill(what)).toThrow(reason)
  expect(() => fill(what)).toThrow(`docs/page.md: cannot fill "${what}"`)
})

test('sums with a tolerance on a graphics card stand beside all pairs, from the newest record that has them', () => {
  expect(fill('h200-trees')).toContain('`npm run bench:gpu -- --laws tolerance --judge trees --json bench/gpu/records/')
  const [example] = sampleRecords()
  const row = (name: string, n: number, ms: number, variant: string, p99: number): Row => ({
    environment: 'Node 20',
    problem: { name: 'point-gravity', workload: 'accelerations', targets: n, sources: n, dimension: 3, seed: n },
    contender: { name, rival: false, device: 'a card', kind: 'hardware', precision: 'f32', variant },
    interactions: n * n,
    outcome: {
      call: times(5 * ms),
      device: times(ms),
      interactionsPerSecond: 1e12,
      error: { max: 2 * p99, p99, accumulation: 'running', bound: 2e-3, sampled: 2048 },
    },
  })
  const record = {
    ...(example as BenchmarkRecord),
    kind: 'gpu',
    command: 'npm run bench:gpu',
    environments: [{ name: 'Node 20', isolated: true, threads: 8, timerResolution: 0.005, versions: {} }],
    judged: [
      {
        ...{ backend: 'webgpu', device: 'a card', cases: 0, passed: 0, laws: { few: 0, many: 0 }, faults: [] },
        tolerances: { sums: 51, trees: 40 },
      },
    ],
    rows: [
      row('webgpu', 1e6, 400, 'naive', 1e-7),
      row('webgpu, tolerance 0.002', 1e6, 4.5, 'tree (simplex, opening 0.45), workgroup 64', 1e-3),
      row('webgpu, tolerance 0.002', 1e7, 80, 'tree (simplex, opening 0.4), workgroup 64', 1.5e-3),
      row('webgpu, tolerance 0.0001', 1e6, 400, 'naive', 1e-7),
    ],
  } as const satisfies BenchmarkRecord
  const write = (name: string, change: Partial<BenchmarkRecord>) =>
    writeFileSync(join(folder, 'bench/gpu/records', name), textOf({ ...record, ...change }))
  write('trees.json', {})
  const rows = record.rows.map((one) => ({ ...one, problem: { ...one.problem, name: 'gravity' } }))
  write('newer.json', { date: '2026-12-24T00:00:00.000Z', rows })
  const text = fill('h200-trees')
  expect(text).toContain('[the record](../bench/gpu/records/trees.json)')
  expect(text).toContain('51 other sums were judged, 40 of them by a tree, with 0 faults.')
  expect(fill('h200')).toContain('[the record](../bench/gpu/records/newer.json)')
  for (const cells of [
    ['1000000', '0.002', 'simplex, opening 0.45', '4.50', '22.5', '400', '1.0e-3', '2.0e-3'],
    // A hundred times as many pairs.
    ['10000000', '0.002', 'simplex, opening 0.4', '80.0', '400', '40000', '1.5e-3', '3.0e-3'],
    ['1000000', '0.0001', 'all pairs', '400', '2000', '400', '1.0e-7', '2.0e-7'],
  ])
    expect(text).toMatch(new RegExp(cells.join(' +\\| +').replaceAll('.', '\\.')))
})

test('what a caller waits for stands beside CUDA with copies', () => {
  expect(fill('gpu-calls')).toContain('`npm run bench:gpu -- calls --json bench/gpu/records/')
  const [example] = sampleRecords()
  const row = (name: string, ms: number, parts?: number): Row => ({
    environment: 'Node 20',
    problem: { name: 'gravity', workload: 'accelerations', targets: 65536, sources: 65536, dimension: 3, seed: 1 },
    contender: { name, rival: name.startsWith('CUDA'), device: 'a card', kind: 'hardware', precision: 'f32' },
    interactions: 2 ** 32,
    outcome: {
      call: times(ms),
      ...(parts && { parts: { upload: times(0.125), compute: times(parts), readback: times(0.25) } }),
      interactionsPerSecond: 1e12,
      error: { max: 1e-7, accumulation: 'running', bound: 1e-6, sampled: 64 },
    },
  })
  const record = {
    ...(example as BenchmarkRecord),
    kind: 'calls',
    command: 'npm run bench:gpu -- calls',
    environments: [{ name: 'Node 20', isolated: true, threads: 8, timerResolution: 0.005, versions: {} }],
    rows: [
      row('webgpu, whole call', 1.8, 1.44),
      row('CUDA, whole call', 1.6),
      row('webgpu, simulate', 1.5),
      row('webgpu, first call, cold', 200),
    ],
  } as const satisfies BenchmarkRecord
  writeFileSync(join(folder, 'bench/gpu/records/calls.json'), textOf(record))
  const text = fill('gpu-calls')
  for (const cells of [
    ['gravity, 65536', '1800', '1440', '1600', '1.13'],
    ['gravity, a step of a simulation, 65536', '1500', '', '', ''],
    ['gravity, the first call of a process, 65536', '200000', '', '', ''],
  ])
    expect(text).toMatch(new RegExp(cells.join(' +\\| *').replaceAll('.', '\\.')))

  // Calls that a newer record lacks stay, in a table below its own.
  const rows = record.rows.map((row) => ({ ...row, problem: { ...row.problem, targets: 1024, sources: 1024 } }))
  const newer = { ...record, date: '2026-12-24T00:00:00.000Z', rows }
  writeFileSync(join(folder, 'bench/gpu/records/part.json'), textOf(newer))
  const both = fill('gpu-calls')
  const order = [
    'records/part.json)',
    'a step of a simulation, 1024',
    'records/calls.json)',
    'a step of a simulation, 65536',
  ]
  const places = order.map((part) => both.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  rmSync(join(folder, 'bench/gpu/records/part.json'))
})

test('the ladder of WebGL shows the newest record of each renderer side by side', () => {
  expect(fill('webgl-ladder')).toContain(
    'No record is committed yet; `npm run bench -- ladder --json bench/webgl/records/',
  )
  mkdirSync(join(folder, 'bench/webgl/records'), { recursive: true })
  const rung = (variant: string, name: string, ms: number, max: number): Row => ({
    environment: 'Chromium 147',
    problem: { name: 'gravity', workload: 'accelerations', targets: 4096, sources: 4096, dimension: 3, seed: 1 },
    contender: { name, rival: false, device: 'a rasteriser', kind: 'software', precision: 'f32', variant },
    interactions: 4096 ** 2,
    outcome: {
      call: times(ms),
      parts: { upload: times(0.5), compute: times(39), readback: times(0.25) },
      interactionsPerSecond: 1e9,
      error: { max, accumulation: 'block', bound: 3.4e-6, sampled: 64 },
    },
  })
  const [example] = sampleRecords()
  const record = {
    ...(example as BenchmarkRecord),
    kind: 'ladder',
    command: 'npm run bench -- ladder',
    machine: { cpu: 'Example CPU 3000', cores: 8, platform: 'linux x64', load: 9 },
    environments: [{ name: 'Chromium 147', isolated: true, threads: 8, timerResolution: 0.005, versions: {} }],
    rows: [
      rung('naive', 'webgl, WebGL1', 120, 1.2e-6),
      rung('expert', 'gpu.js by hand, WebGL1', 44, 1.1e-6),
      rung('texture-loop', 'webgl, WebGL1', 40, 1e-7),
    ],
  } as const satisfies BenchmarkRecord
  const write = (name: string, change: Partial<BenchmarkRecord>) =>
    writeFileSync(join(folder, 'bench/webgl/records', name), textOf({ ...record, ...change }))
  const other = record.rows.map((row) => ({ ...row, contender: { ...row.contender, device: 'another' } }))
  write('older.json', { date: '2026-11-19T00:00:00.000Z', command: 'older' })
  write('newer.json', {})
  write('other.json', { rows: other })
  const text = fill('webgl-ladder')
  expect(text).toContain(
    'a rasteriser; Example CPU 3000, 8 cores, Chromium 147, 2026-11-20: `npm run bench -- ladder`, in [the record](../bench/webgl/records/newer.json). The machine was busy: load 9.',
  )
  expect(text).toContain('another; Example CPU 3000')
  expect(text).not.toContain('older')
  const cells = ['WebGL1, 4096', '120', '44.0', '40.0', '0.500, 39.0, 0.250', '3.00', '1.10']
  expect(text).toMatch(new RegExp(cells.join(' +\\| +').replaceAll('.', '\\.')))
  write('newer.json', { rows: record.rows.slice(1) })
  expect(() => fill('webgl-ladder')).toThrow('the ladder expected a figure of naive for WebGL1, 4096')
})

test('a block without an end is refused', () => {
  expect(() => filled('<!-- figures: h200 -->\ntext', 'docs/page.md', folder)).toThrow('has no end')
})

test('a file that is not a record is refused, not ignored', () => {
  writeFileSync(join(folder, 'bench/records/broken.json'), '{}')
  expect(() => fill('scale gravity')).toThrow('is not a record of this benchmark')
  rmSync(join(folder, 'bench/records/broken.json'))
})

test('tables have the layout of the formatter', () => {
  expect(
    markdownTable(
      ['a', 'long head'],
      [
        ['1', 'µ'],
        ['22222', ''],
      ],
    ),
  ).toBe('| a     | long head |\n| ----- | --------- |\n| 1     | µ         |\n| 22222 |           |')
})
