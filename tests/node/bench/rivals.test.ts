// The rivals that need no package: plain JavaScript in each of its forms, and C if there is a compiler. Their answers are right, wrong
// answers are rejected, and missing tools are named. No test depends on speed.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Contender, Problem } from '../../../bench/src/contender.ts'
import { judgeOf } from '../../../bench/src/judge.ts'
import { type ProblemSpec, problemOf } from '../../../bench/src/problem.ts'
import type { Row } from '../../../bench/src/record.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { gpuJs } from '../../../bench/thirdparty/gpu-js.ts'
import { javascript } from '../../../bench/thirdparty/javascript.ts'
import { Native, widths } from '../../../bench/thirdparty/native.ts'
import { install } from '../../../bench/thirdparty/packages.ts'
import { root } from '../../../tools/pnpm.mjs'
import { deep } from '../../support/share.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder('rivals')
// Full optimisation would spend most of the time compiling. The benchmark checks the loops that it times.
const native = new Native(undefined, deep ? '-O3' : '-O0')
afterAll(() => native.dispose())

/** A count just above the blocks of 256 in sums. */
const problem = (what: ProblemSpec['what'], count = 300): Problem => problemOf({ what, count, seed: 3 })
const gravity = problem({ law: 'gravity' })

async function errorOf(contender: Contender, given: Problem): Promise<number> {
  const entry = await contender.prepare(given)
  await entry.run()
  const { max } = await judgeOf(given).judge(entry)
  entry.dispose()
  return max
}

const rowOf = async (contender: Contender): Promise<Row | undefined> =>
  (await measure(gravity, [contender], { environment: 'here', seconds: 0.01, span: 0.1 }))[0]

const [sums, tasks] = [
  ['gravity', 'coulomb', 'lennard-jones-box', 'gaussian'],
  ['argmin', 'logsumexp', 'nearest(8)', 'matrix'],
]
const laws = [...sums, 'point-gravity', 'planar-gravity'].map((law) => ({ law }))
const plain = [...laws, ...tasks.map((task) => ({ task }))]

test.for([
  ...plain.map((what) => ['plain', what, 3e-7] as const),
  ...sums.map((law) => ['once', { law }, 3e-6] as const),
])('JavaScript computes the right result: %s, %o', async ([style, what, bound]) => {
  await expect(errorOf(javascript(style, 'f32'), problem(what))).resolves.toBeLessThan(bound)
  await expect(errorOf(javascript(style, 'f64'), problem(what))).resolves.toBeLessThan(1e-13)
})

// Each takes seconds to compile: every width with one of the laws, and in a deep run with all of them. 256 bits without FMA are the loops
// for 128 bits, compiled for wider registers.
const { avx2: _, ...summing } = widths
const inTurn = (list: readonly string[], n: number) => list.filter((_, k) => deep || k === n % list.length)
const cases = [
  ...Object.values(summing).flatMap((width, n) =>
    inTurn(sums, n).flatMap((law) => [false, true].map((once) => ({ width, once, law, bound: 5e-6 }))),
  ),
  ...[widths.sse, widths.fma, widths.threads, widths.avx512].flatMap((width, n) =>
    inTurn(tasks, n).map((task) => ({ width, once: false, task, bound: 5e-7 })),
  ),
  ...[false, true].map((once) => ({ width: widths.fma, once, law: 'gravity', bound: 1e-13 })),
]

test.for(cases)('C computes the right result, or says what is missing: %o', async ({ width, once, bound, ...what }) => {
  const precision = bound < 1e-9 ? 'f64' : 'f32'
  for (const count of 'task' in what ? [9, 300, 512] : [300, 512]) {
    const error = errorOf(native.contender(width, { once, precision }), problem(what, count))
    if (native.version === undefined) await expect(error).rejects.toThrow('there is no C compiler')
    else if (process.arch !== 'x64') await expect(error).rejects.toThrow('is written for x64')
    else expect(await error.catch(lacking)).toBeLessThan(bound)
  }
})

/** A processor may lack the wider instructions; any other failure fails the test. */
function lacking(error: Error): number {
  expect(error.message).toMatch(/^this processor has no AVX/)
  return 0
}

test('gpu.js is refused if it runs in another mode than requested', async () => {
  const run = Object.assign(() => [], { kernel: { fallbackReason: 'no threads', constructor: { mode: 'cpu' } } })
  class FallsBack {
    createKernel = () => run
    destroy = async () => {}
  }
  const contender = gpuJs('webasm', async () => FallsBack)
  await expect(errorOf(contender, gravity)).rejects.toThrow('gpu.js ran cpu in place of webasm: no threads')
})

test('a separate process is timed by its own clock, and the record says so', async () => {
  const contender: Contender = {
    name: 'process',
    async prepare(given) {
      const entry = await javascript('plain', 'f32').prepare(given)
      const run = async () => {
        await entry.run()
        return { upload: 0, compute: 7, readback: 0 }
      }
      return { ...entry, ownClock: true, run }
    },
  }
  const interactionsPerSecond = (1000 * 300 ** 2) / 7
  expect((await rowOf(contender))?.outcome).toMatchObject({
    ownClock: true,
    call: { median: 7 },
    interactionsPerSecond,
  })
})

test('the row says that there is no compiler', async () => {
  expect(await rowOf(new Native([]).contender(widths.sse))).toMatchObject({
    contender: { name: 'C, 128 bits', precision: 'f32', variant: 'every ordered pair', rival: true },
    outcome: { refused: 'there is no C compiler: install gcc or clang' },
  })
})

test('the installation is announced, and reports a missing registry', () => {
  for (const name of ['package.json', 'package-lock.json', 'absent'])
    cpSync(join(root, 'bench/thirdparty', name), join(folder, name), { recursive: true })
  const before = { ...process.env }
  const [registry, cache] = ['http://127.0.0.1:9', join(folder, 'cache')]
  const settings = { npm_config_registry: registry, npm_config_cache: cache, npm_config_fetch_retries: '0' }
  Object.assign(process.env, settings)
  const told: string[] = []
  const reason = install((line) => told.push(line), folder)
  process.env = before
  expect(told).toEqual([expect.stringMatching(/^Installing the rivals/)])
  expect(reason).toMatch(/^npm ci in bench\/thirdparty failed: .*(127\.0\.0\.1|ECONNREFUSED)/)
})
