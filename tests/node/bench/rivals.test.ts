// The rivals that need no package: plain JavaScript in each of its forms, and C if there is a compiler. Their answers are right, wrong
// answers are rejected, and missing tools are named. No test depends on speed.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Contender, Problem } from '../../../bench/src/contender.ts'
import { judgeOf } from '../../../bench/src/judge.ts'
import { type ProblemSpec, problemOf } from '../../../bench/src/problem.ts'
import type { Row } from '../../../bench/src/record.ts'
import { comparison } from '../../../bench/src/report/tables.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { gpuJs } from '../../../bench/thirdparty/gpu-js/gpu-js.ts'
import { javascript } from '../../../bench/thirdparty/javascript.ts'
import { Native, widths } from '../../../bench/thirdparty/native.ts'
import { install } from '../../../bench/thirdparty/packages.ts'
import { root } from '../../../tools/pnpm.mjs'
import { deep } from '../../support/share.ts'

const folder = mkdtempSync(join(tmpdir(), 'manybody-rivals-'))
// Full optimisation would spend most of the time compiling. The benchmark checks the loops that it times.
const native = new Native(undefined, deep ? '-O3' : '-O0')
afterAll(() => {
  native.dispose()
  rmSync(folder, { recursive: true })
})

/** A count just above the blocks of 256 in sums. */
const problem = (what: ProblemSpec['what'], count = 300): Problem => problemOf({ what, count, seed: 3 })

async function errorOf(contender: Contender, given: Problem): Promise<number> {
  const entry = await contender.prepare(given)
  await entry.run()
  const { max } = await judgeOf(given).judge(entry)
  entry.dispose()
  return max
}

const sums = ['gravity', 'coulomb', 'lennard-jones-box', 'gaussian']
const plain: ProblemSpec['what'][] = [
  ...[...sums, 'point-gravity', 'planar-gravity'].map((law) => ({ law })),
  ...['argmin', 'logsumexp', 'nearest(8)', 'matrix'].map((task) => ({ task })),
]

test.for(plain)('plain JavaScript computes the right result: %o', async (what) => {
  await expect(errorOf(javascript('plain', 'f32'), problem(what))).resolves.toBeLessThan(3e-7)
  await expect(errorOf(javascript('plain', 'f64'), problem(what))).resolves.toBeLessThan(1e-13)
})

test.for(sums)('JavaScript by other authors computes the right result: %s', async (law) => {
  await expect(errorOf(javascript('once', 'f32'), problem({ law }))).resolves.toBeLessThan(3e-6)
  await expect(errorOf(javascript('once', 'f64'), problem({ law }))).resolves.toBeLessThan(1e-13)
})

// Each takes seconds to compile: every width with one of the laws, and in a deep run with all of them. 256 bits without FMA are the loops
// for 128 bits, compiled for wider registers.
const inTurn = <T>(list: readonly T[], n: number) => list.filter((_, k) => deep || k === n % list.length)
const summing = Object.values(widths).filter((width) => width !== widths.avx2)
const cases = summing.flatMap((width, n) => inTurn(sums, n).map((law) => ({ width, law })))

test.for(cases)('C computes the right result, or says what is missing: $width.name, $law', async ({ width, law }) => {
  for (const count of [300, 512])
    for (const once of [false, true]) await rightInC(native.contender(width, { once }), problem({ law }, count), 5e-6)
})

test.for([false, true])('C computes the right result in float64: once %s', async (once) => {
  await rightInC(native.contender(widths.fma, { once, precision: 'f64' }), problem({ law: 'gravity' }), 1e-13)
})

const others = [widths.sse, widths.fma, widths.threads, widths.avx512].flatMap((width, n) =>
  inTurn(['argmin', 'logsumexp', 'nearest(8)', 'matrix'], n).map((task) => ({ width, task })),
)

test.for(others)('C computes other results than sums right: $width.name, $task', async ({ width, task }) => {
  for (const count of [9, 300, 512]) await rightInC(native.contender(width), problem({ task }, count), 5e-7)
})

async function rightInC(contender: Contender, given: Problem, bound: number): Promise<void> {
  const error = errorOf(contender, given)
  if (native.version === undefined) await expect(error).rejects.toThrow('there is no C compiler')
  else if (process.arch !== 'x64') await expect(error).rejects.toThrow('is written for x64')
  else expect(await error.catch(lacking)).toBeLessThan(bound)
}

/** A processor may lack the wider instructions; any other failure fails the test. */
function lacking(error: Error): number {
  expect(error.message).toMatch(/^this processor has no AVX/)
  return 0
}

test('a rival with a wrong answer gets no figure', async () => {
  const other = problem({ law: 'point-gravity' })
  const wrong: Contender = { name: 'wrong', rival: true, prepare: () => javascript('plain', 'f32').prepare(other) }
  const [row] = await measure(problem({ law: 'gravity' }), [wrong], { environment: 'here', seconds: 0.01, span: 0.1 })
  expect(row?.outcome).toEqual({ refused: expect.stringMatching(/^wrong answer: acceleration is off by/) })
})

test('gpu.js is refused if it runs in another mode than requested', async () => {
  const run = Object.assign(() => [], { kernel: { fallbackReason: 'no threads', constructor: { mode: 'cpu' } } })
  class FallsBack {
    createKernel = () => run
    destroy = async () => {}
  }
  const device = { device: 'here', kind: 'cpu' } as const
  const contender = gpuJs('webasm', { load: async () => FallsBack, threads: 1, deviceOf: async () => device })
  await expect(errorOf(contender, problem({ law: 'gravity' }))).rejects.toThrow(
    'gpu.js ran cpu in place of webasm: no threads',
  )
})

test('a separate process is timed by its own clock, and the record says so', async () => {
  const plain = javascript('plain', 'f32')
  const contender: Contender = {
    name: 'process',
    async prepare(given) {
      const entry = await plain.prepare(given)
      const run = async () => {
        await entry.run()
        return { upload: 0, compute: 7, readback: 0 }
      }
      return { ...entry, ownClock: true, run }
    },
  }
  const [row] = await measure(problem({ law: 'gravity' }), [contender], {
    environment: 'here',
    seconds: 0.01,
    span: 0.1,
  })
  expect(row?.outcome).toMatchObject({
    ownClock: true,
    call: { median: 7 },
    interactionsPerSecond: (1000 * 300 ** 2) / 7,
  })
})

test('the row says that there is no compiler', async () => {
  const contender = new Native([]).contender(widths.sse)
  const [row] = await measure(problem({ law: 'gravity' }), [contender], { environment: 'here', seconds: 0.01 })
  expect(row).toMatchObject({
    contender: { name: 'C, 128 bits', precision: 'f32', variant: 'every ordered pair', rival: true },
    outcome: { refused: 'there is no C compiler: install gcc or clang' },
  })
})

test('the installation is announced, and reports a missing registry', () => {
  for (const name of ['package.json', 'package-lock.json', 'absent'])
    cpSync(join(root, 'bench/thirdparty', name), join(folder, name), { recursive: true })
  const before = { ...process.env }
  Object.assign(process.env, {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  })
  const told: string[] = []
  const reason = install((line) => told.push(line), folder)
  process.env = before
  expect(told).toEqual([expect.stringMatching(/^Installing the rivals/)])
  expect(reason).toMatch(/^npm ci in bench\/thirdparty failed: .*(127\.0\.0\.1|ECONNREFUSED)/)
})

test('the table has ratios to the best of each family of rivals, and says which are faster', () => {
  const rows = [
    row({ name: 'cpu-wasm', variant: 'simd, 1 thread' }, 2),
    row({ name: 'JavaScript', variant: 'every ordered pair', rival: true }, 10),
    row({ name: 'gpu.js cpu', variant: 'every ordered pair', rival: true }, 20),
    row({ name: 'gpu.js webasm', variant: 'every ordered pair', rival: true }, 5),
    row({ name: 'C, 128 bits', variant: 'every ordered pair', rival: true }, 1),
    row({ name: 'ngraph', rival: true, precision: 'f64' }, 4, 'far points are taken together'),
  ]
  const table = comparison(record(rows))
  expect(cellsOf(table, 'contender').slice(-6)).toEqual([
    'x C',
    'x ngraph',
    'x gpu.js',
    'x JavaScript',
    'error',
    'allowed',
  ])
  expect(cellsOf(table, 'cpu-wasm').slice(-7)).toEqual(['100%', '0.500', '2.00', '2.50', '5.00', '1.0e-7', '1.0e-6'])
  expect(table).toContain('We lose: C, 128 bits is 2.00 times as fast as our best, cpu-wasm.')
  expect(table).toContain('ngraph, f64 is approximate, off by up to 1.0e-7: far points are taken together.')
  expect(comparison(record(rows.slice(0, 3)))).not.toContain('We lose')
})

function cellsOf(table: string, name: string): readonly string[] {
  const line = table.split('\n').find((one) => one.startsWith(`│ ${name} `)) ?? ''
  return line.split('│').flatMap((cell) => cell.trim() || [])
}

/** A row of 1e6 pairs with this time. */
function row(contender: Partial<Row['contender']>, milliseconds: number, approximate?: string): Row {
  const call = {
    samples: 1,
    median: milliseconds,
    lowerQuartile: milliseconds,
    upperQuartile: milliseconds,
  }
  const accumulation = 'block' as const
  const error = { max: 1e-7, median: 1e-8, p99: 1e-7, accumulation, bound: approximate ? null : 1e-6, sampled: 8 }
  return {
    environment: 'here',
    problem: { name: 'gravity', workload: 'accelerations', targets: 1000, sources: 1000, dimension: 3, seed: 1 },
    contender: { name: '', rival: false, device: '', kind: 'cpu', precision: 'f32', threads: 1, ...contender },
    interactions: 1e6,
    outcome: {
      call,
      interactionsPerSecond: 1e9 / milliseconds,
      error: approximate ? { ...error, approximate } : error,
    },
  }
}

const record = (rows: readonly Row[]) => ({
  command: '',
  kind: 'rivals' as const,
  date: '',
  machine: { cpu: '', cores: 1, platform: '' },
  environments: [],
  rows,
})
