// The rivals from packages, installed as on a user's first run: every answer is right, and a run leaves them in its record.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Contender } from '../../bench/src/contender.ts'
import { judgeOf } from '../../bench/src/judge.ts'
import { readRecord } from '../../bench/src/node/record-file.ts'
import { type ProblemSpec, problemOf } from '../../bench/src/problem.ts'
import { isMeasured } from '../../bench/src/record.ts'
import { gpuJs } from '../../bench/thirdparty/gpu-js.ts'
import { install } from '../../bench/thirdparty/packages.ts'
import { tensors } from '../../bench/thirdparty/tensors.ts'
import { d3Force, ngraph } from '../../bench/thirdparty/trees.ts'
import { root } from '../../tools/pnpm.mjs'

const folder = mkdtempSync(join(tmpdir(), 'manybody-rivals-'))
beforeAll(() => expect(install(() => {})).toBeUndefined())
afterAll(() => rmSync(folder, { recursive: true }))

async function errorOf(contender: Contender, what: ProblemSpec['what']) {
  const problem = problemOf({ what, count: 70, seed: 3 })
  const entry = await contender.prepare(problem)
  // Run twice: the first run must not affect the second.
  await entry.run()
  await entry.run()
  const { max, bound } = await judgeOf(problem).judge(entry)
  entry.dispose()
  return { max, bound }
}

const laws = ['gravity', 'coulomb', 'lennard-jones-box', 'gaussian'].map((law) => ({ law }))
const tasks = ['argmin', 'logsumexp', 'matrix'].map((task) => ({ task }))
const everything: ProblemSpec['what'][] = [...laws, ...tasks]

test.for(everything)('gpu.js computes the right result: %o', async (what) => {
  for (const mode of ['cpu', 'webasm'] as const) expect((await errorOf(gpuJs(mode), what)).max).toBeLessThan(1e-5)
})

test('gpu.js with threads computes the right result', async () => {
  expect((await errorOf(gpuJs('webasm, threads'), { task: 'matrix' })).max).toBeLessThan(1e-6)
})

test.for([...laws, { task: 'matrix' }])('TensorFlow.js computes the right result: %o', async (what) => {
  expect((await errorOf(tensors(), what)).max).toBeLessThan(1e-5)
})

test('trees approximate as theta allows, and are exact with theta 0', async () => {
  for (const [tree, law] of [
    [d3Force, 'planar-gravity'],
    [ngraph, 'point-gravity'],
  ] as const) {
    expect(await errorOf(tree(0), { law })).toMatchObject({ bound: 1e-13, max: expect.closeTo(0, 12) })
    const { max, bound } = await errorOf(tree(0.8), { law })
    expect(bound).toBeNull()
    expect(max).toBeGreaterThan(1e-4)
    expect(max).toBeLessThan(0.2)
  }
})

test('a run records every rival', () => {
  const file = join(folder, 'record.json')
  const options = {
    sizes: 64,
    duration: 0.1,
    problems: 'matrix,planar-gravity',
    json: file,
  }
  const args = ['rivals', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])]
  const tsx = join(root, 'node_modules/.bin/tsx')
  const { status, stdout } = spawnSync(tsx, ['bench/src/commands/main.ts', ...args], { cwd: root, encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout).toContain('matrix of exp(-r2), N = 64')
  const { kind, rows } = readRecord(file)
  expect(kind).toBe('rivals')
  // C compilers are not available everywhere; other tests cover C.
  const everywhere = rows.filter(({ contender: { name } }) => !name.startsWith('C, '))
  expect(everywhere.filter(({ outcome }) => !isMeasured(outcome))).toEqual([])
  expect([...new Set(everywhere.map(({ contender }) => contender.name))].sort()).toEqual([
    'JavaScript',
    'TensorFlow.js wasm',
    'cpu-wasm',
    'cpu-wasm, threads',
    'd3-force',
    'gpu.js cpu',
    'gpu.js webasm',
    'gpu.js webasm, threads',
  ])
})
