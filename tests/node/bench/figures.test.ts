// The figures in README and docs must come from the committed records: none is typed by hand, none outlives its record.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { filled } from '../../../bench/figures/blocks.ts'
import type { BenchmarkRecord, Kind, Measured, Row } from '../../../bench/src/record.ts'
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
  writeFileSync(join(folder, 'bench/records/a-newer.json'), textOf({ ...compare, ...newer }))
  expect(fill('compare gravity')).toContain('2026-12-24')
  rmSync(join(folder, 'bench/records/a-newer.json'))
})

test('a problem of rivals that the newest record lacks comes from an older one, which comes last', () => {
  const rivals = sampleRecords().find(({ kind }) => kind === 'rivals')
  if (!rivals) throw new Error('expected a sample of rivals')
  const rows = rivals.rows.map((row) => ({ ...row, problem: { ...row.problem, name: 'coulomb', workload: 'forces' } }))
  writeFileSync(join(folder, 'bench/records/newer.json'), textOf({ ...rivals, ...newer, rows }))
  const text = fill('rivals')
  const order = ['records/newer.json)', 'records/rivals.json)', '| forces of coulomb, ', '| accelerations of gravity, ']
  expectOrder(text, order)
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

/** A row of a record, of one contender over `n` points. */
function rowOf(contender: Partial<Row['contender']>, n: number, ms: number, more: Partial<Measured> = {}): Row {
  return {
    environment: 'Node 20',
    problem: { name: 'gravity', workload: 'accelerations', targets: n, sources: n, dimension: 3, seed: 1 },
    contender: { name: '', rival: false, device: 'a card', kind: 'hardware', precision: 'f32', ...contender },
    interactions: n * n,
    outcome: {
      call: times(ms),
      interactionsPerSecond: 1e12,
      error: { max: 1e-7, accumulation: 'running', bound: 1e-6, sampled: 64 },
      ...more,
    },
  }
}

/** Writes a record with these rows. */
function put(file: string, kind: Kind, rows: readonly Row[], more: Partial<BenchmarkRecord> = {}): void {
  const [example] = sampleRecords() as [BenchmarkRecord]
  const environments = [{ name: 'Node 20', isolated: true, threads: 8, timerResolution: 0.005, versions: {} }]
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), textOf({ ...example, kind, environments, rows, ...more }))
}

const newer = { date: '2026-12-24T00:00:00.000Z' }

function expectLines(text: string, lines: readonly (readonly string[])[]): void {
  for (const cells of lines) expect(text).toMatch(new RegExp(cells.join(' +\\| *').replaceAll('.', '\\.')))
}

function expectOrder(text: string, parts: readonly string[]): void {
  const places = parts.map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
}

test('sums with a tolerance on a graphics card stand beside all pairs, from the newest record that has them', () => {
  expect(fill('h200-trees')).toContain('`npm run bench:gpu -- --laws tolerance --judge trees --json bench/gpu/records/')
  const sum = (name: string, n: number, ms: number, variant: string, p99: number): Row => {
    const error = { max: 2 * p99, p99, accumulation: 'running', bound: 2e-3, sampled: 2048 } as const
    const row = rowOf({ name, variant }, n, 5 * ms, { device: times(ms), error })
    return { ...row, problem: { ...row.problem, name: 'point-gravity' } }
  }
  const rows = [
    sum('webgpu', 1e6, 400, 'naive', 1e-7),
    sum('webgpu, tolerance 0.002', 1e6, 4.5, 'tree (simplex, opening 0.45), workgroup 64', 1e-3),
    sum('webgpu, tolerance 0.002', 1e7, 80, 'tree (simplex, opening 0.4), workgroup 64', 1.5e-3),
    sum('webgpu, tolerance 0.0001', 1e6, 400, 'naive', 1e-7),
  ]
  const verdict = { backend: 'webgpu', device: 'a card', cases: 0, passed: 0, laws: { few: 0, many: 0 }, faults: [] }
  put('bench/gpu/records/trees.json', 'gpu', rows, { judged: [{ ...verdict, tolerances: { sums: 51, trees: 40 } }] })
  put('bench/gpu/records/newer.json', 'gpu', [rowOf({ name: 'webgpu' }, 1e6, 400)], newer)
  const text = fill('h200-trees')
  expect(text).toContain('[the record](../bench/gpu/records/trees.json)')
  expect(text).toContain('51 other sums were judged, 40 of them by a tree, with 0 faults.')
  expect(fill('h200')).toContain('[the record](../bench/gpu/records/newer.json)')
  expectLines(text, [
    ['1000000', '0.002', 'simplex, opening 0.45', '4.50', '22.5', '400', '1.0e-3', '2.0e-3'],
    // A hundred times as many pairs.
    ['10000000', '0.002', 'simplex, opening 0.4', '80.0', '400', '40000', '1.5e-3', '3.0e-3'],
    ['1000000', '0.0001', 'all pairs', '400', '2000', '400', '1.0e-7', '2.0e-7'],
  ])
})

test('sums with a tolerance on the processor stand beside all pairs, and the newest record of each counts', () => {
  const sum = (name: string, n: number, ms: number, more: Partial<Measured> = {}, variant = 'simd'): Row => {
    const row = rowOf({ name, variant, rival: name === 'ngraph' }, n, ms, more)
    return { ...row, problem: { ...row.problem, name: 'cube', workload: 'gravity in cube' } }
  }
  const found = {
    first: 300,
    evaluated: 5e8,
    error: { max: 8e-3, p99: 4e-3, told: 6e-3, accumulation: 'block', bound: 1e-2, sampled: 9 },
  } as const
  const rows = [
    sum('all pairs', 32768, 100),
    sum('cpu-wasm, tolerance 0.01', 1e6, 800, found, 'tree (simplex, opening 0.4), 2 threads'),
    sum('ngraph', 32768, 200, {}, 'tree, theta 0.5'),
  ]
  put('bench/tree/records/sums.json', 'tree', rows)
  put(
    'bench/tree/records/newer.json',
    'tree',
    [sum('all pairs', 32768, 50), sum('ngraph', 32768, 400, {}, 'tree, theta 0.5')],
    newer,
  )
  expectLines(fill('tree'), [
    ['gravity, cube, 32768', 'ngraph', 'theta 0.5', '400', '', '0.125x'],
    ['gravity, cube, 1000000', '0.01', 'simplex, opening 0.4', '800', '300', '116x', '500', '4.0e-3', '8.0e-3'],
  ])
  expectLines(fill('tree-short'), [['gravity, cube, 1000000', '0.01', '0.800', '116']])
})

test('errors of all targets come from a record that judged all of them', () => {
  expect(fill('tree-errors')).toContain(
    '`npm run bench -- tree --sizes 4000 --targets 4000 --precision f64 --tolerances 1e-2,3e-3,1e-3 --no-rivals --json bench/tree/errors/',
  )
  const judged = (sampled: number): readonly Row[] => {
    const error = { max: 8e-3, p99: 4e-3, told: 6e-3, accumulation: 'block', bound: 1e-2, sampled } as const
    const variant = 'tree (simplex, opening 0.4), 2 threads'
    const row = rowOf({ name: 'cpu-wasm, tolerance 0.01', variant }, 4000, 8, { error })
    return [{ ...row, problem: { ...row.problem, name: 'cube', workload: 'gravity in cube' } }]
  }
  put('bench/tree/errors/errors.json', 'tree', judged(512))
  expect(() => fill('tree-errors')).toThrow(
    'expected the errors of all 4000 targets of gravity in cube, got 512; make it with --targets 4000',
  )
  put('bench/tree/errors/errors.json', 'tree', judged(4000))
  const errors = fill('tree-errors')
  expect(errors).toContain(
    'In all 1 runs, the 99th percentile is within the tolerance. A tree computes 1 of them; in 1 of these',
  )
  expectLines(errors, [['cube', '0.80', '0.80']])
})

test('what a caller waits for stands beside CUDA with copies', () => {
  expect(fill('gpu-calls')).toContain('`npm run bench:gpu -- calls --json bench/gpu/records/')
  const parts = { upload: times(0.125), compute: times(1.44), readback: times(0.25) }
  const callsOf = (n: number) => [
    rowOf({ name: 'webgpu, whole call' }, n, 1.8, { parts }),
    rowOf({ name: 'CUDA, whole call', rival: true }, n, 1.6),
    rowOf({ name: 'webgpu, simulate' }, n, 1.5),
    rowOf({ name: 'webgpu, first call, cold' }, n, 200),
  ]
  put('bench/gpu/records/calls.json', 'calls', callsOf(65536))
  expectLines(fill('gpu-calls'), [
    ['gravity, 65536', '1800', '1440', '1600', '1.13'],
    ['gravity, a step of a simulation, 65536', '1500', '', '', ''],
    ['gravity, the first call of a process, 65536', '200000', '', '', ''],
  ])
  // Calls that a newer record lacks stay, in a table below its own.
  put('bench/gpu/records/part.json', 'calls', callsOf(1024), newer)
  expectOrder(fill('gpu-calls'), [
    'records/part.json)',
    'a step of a simulation, 1024',
    'records/calls.json)',
    'a step of a simulation, 65536',
  ])
})

test('the ladder of WebGL shows the newest record of each renderer side by side', () => {
  expect(fill('webgl-ladder')).toContain(
    'No record is committed yet; `npm run bench -- ladder --json bench/webgl/records/',
  )
  const parts = { upload: times(0.5), compute: times(39), readback: times(0.25) }
  const rungs = (device: string) => [
    rowOf({ name: 'webgl, WebGL1', variant: 'naive', device }, 4096, 120, { parts }),
    rowOf({ name: 'gpu.js by hand, WebGL1', variant: 'expert', device }, 4096, 44, { parts }),
    rowOf({ name: 'webgl, WebGL1', variant: 'texture-loop', device }, 4096, 40, { parts }),
  ]
  const machine = { cpu: 'Example CPU 3000', cores: 8, platform: 'linux x64', load: 9 }
  const about = { machine, command: 'npm run bench -- ladder' }
  put('bench/webgl/records/older.json', 'ladder', rungs('a rasteriser'), { date: '2026-11-19T00:00:00.000Z' })
  put('bench/webgl/records/newer.json', 'ladder', rungs('a rasteriser'), about)
  put('bench/webgl/records/other.json', 'ladder', rungs('another'), about)
  const text = fill('webgl-ladder')
  expect(text).toContain(
    'a rasteriser; Example CPU 3000, 8 cores, Node 20, 2026-11-20: `npm run bench -- ladder`, in [the record](../bench/webgl/records/newer.json). The machine was busy: load 9.',
  )
  expect(text).toContain('another; Example CPU 3000')
  expect(text).not.toContain('older')
  expectLines(text, [['WebGL1, 4096', '120', '44.0', '40.0', '0.500, 39.0, 0.250', '3.00', '1.10']])
  put('bench/webgl/records/newer.json', 'ladder', rungs('a rasteriser').slice(1), about)
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
