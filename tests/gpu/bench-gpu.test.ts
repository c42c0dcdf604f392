// `npm run bench:gpu` as a bundle on the software GPU: it judges rows, CUDA's too, rejects wrong input, and survives interruptions. A
// script plays CUDA. No test depends on speed.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createEngine, type PairWorkload, type ParticleSet, reference } from '@manybody/core'
import { beforeAll, expect, test } from 'vitest'
import { gpuCommand } from '../../bench/gpu/command.ts'
import { runCommand } from '../../bench/src/arguments/command-errors.ts'
import { readRecord } from '../../bench/src/node/record-file.ts'
import { problemOf } from '../../bench/src/problem.ts'
import { type BenchmarkRecord, isMeasured } from '../../bench/src/record.ts'
import { bundle } from '../hardware/bundle.mjs'
import { judge, judgedLines } from '../hardware/judge-backends.ts'
import { quickFeatures } from '../support/gpu/quick-features.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ended, listened } from '../support/told.ts'

const folder = temporaryFolder('bench-gpu')
const command = join(folder, 'gpu.mjs')

/** The package's own file, so that the bundle needs nothing around it; it compiles quickly. */
const dawn = join(folder, 'dawn.cjs')
const packaged = join(
  dirname(createRequire(import.meta.url).resolve('webgpu')),
  `dist/${process.platform}-${process.arch}/dawn.node`,
)
writeFileSync(
  dawn,
  `const dawn = require(${JSON.stringify(packaged)})
exports.create = (flags) => dawn.create([${JSON.stringify(quickFeatures)}, ...flags])
`,
)

const run = (...args: readonly string[]) => spawn(process.execPath, [command, ...args], { cwd: folder })
const recordOf = (name: string): BenchmarkRecord => readRecord(join(folder, name))

const n = 256
const brief = ['--sizes', String(n), '--rounds', '1', '--sample', '1', '--dawn', dawn]
const quick = [...brief, '--set', 'chosen', '--judge', 'none']

/**
 * A program that answers like the CUDA rivals: a kernel with the right results of gravity, and a wrong one. Gaussians of features and the
 * nearest it computes from the points in its file.
 */
const rivals = join(folder, 'rivals')
beforeAll(async () => {
  await bundle(command)
  const { workload, particles } = problemOf({ what: { law: 'gravity' }, count: n, seed: n })
  await using engine = await createEngine({ backends: [reference()] })
  const { report: _, ...results } = await engine.run(workload as PairWorkload, particles as ParticleSet)
  const [right] = Object.values(results) as unknown as readonly Float64Array[]
  writeFileSync(
    rivals,
    `#!${process.execPath}
const { createInterface } = require('node:readline')
const { readFileSync, writeFileSync } = require('node:fs')
const [law, n, points, answers] = process.argv.slice(2)
const features = Number(/^kernel\\((\\d+)\\)$/.exec(law)?.[1] ?? 0)
const file = readFileSync(points)
if (file.length !== (features ? 4 * n * (features + 1) : 24 * n) || (!features && !['gravity', 'nearest(8)'].includes(law))) throw new Error('other points')
console.log(JSON.stringify({ device: 'a GPU', kernels: ['right', 'wrong'] }))
const numbers = new Float32Array(new Uint8Array(file).buffer)
const gaussian = (i, j) => {
  let square = 0
  for (let k = 0; k < features; k++) square += (numbers[i * features + k] - numbers[j * features + k]) ** 2
  return i === j ? 0 : Math.exp(-square) * numbers[n * features + j]
}
const each = Array.from({ length: n }, (_, i) => i)
const squareTo = (i, j) => [0, 1, 2].reduce((sum, axis) => sum + (numbers[4 * i + axis] - numbers[4 * j + axis]) ** 2, 0)
const nearest = (i) =>
  each.filter((j) => j !== i).sort((a, b) => squareTo(i, a) - squareTo(i, b)).slice(0, 8)
const results = law === 'nearest(8)' ? each.flatMap(nearest) : features
  ? each.map((i) => each.reduce((sum, j) => sum + gaussian(i, j), 0))
  : ${JSON.stringify(Array.from(right ?? []))}
createInterface(process.stdin).on('line', (line) => {
  const [request, kernel] = line.split(' ')
  if (request === 'time') return console.log('0.0125')
  if (request === 'call') return console.log('0.25')
  if (request === 'fastest') return console.log('right')
  writeFileSync(answers, new Uint8Array(Float32Array.from(results, (x) => x + Number(kernel ?? 0)).buffer))
  console.log('written')
})
`,
    { mode: 0o755 },
  )
})

test('a run makes one record of WebGPU and CUDA with judged answers', async () => {
  const args = '--trees 500 --laws gravity,nearest(8),tolerance --json record.json'.split(' ')
  const { code, stdout } = await ended(run(...quick, ...args, '--rivals', rivals))
  expect(code).toBe(0)
  expect(stdout).toContain('is software, it computes on the processor')
  expect(stdout).toContain('[33 %, ')
  const { kind, command, partial, environments, rows } = recordOf('record.json')
  expect({ kind, command, partial }).toEqual({
    kind: 'gpu',
    command:
      "npm run bench:gpu -- --sizes 256 --rounds 1 --sample 1 --set chosen --judge none --trees 500 --laws 'gravity,nearest(8),tolerance' --json record.json",
    partial: undefined,
  })
  expect(environments).toMatchObject([{ versions: { node: process.versions.node, nvcc: 'compiled before' } }])
  expect(rows.map(({ problem, contender }) => [problem.workload, contender.name, contender.kind])).toEqual([
    ['accelerations', 'webgpu', 'software'],
    ['accelerations', 'webgpu, typed law', 'software'],
    ['accelerations', 'CUDA', 'hardware'],
    ['accelerations', 'CUDA', 'cpu'],
    ['nearest(8)', 'webgpu', 'software'],
    ['nearest(8)', 'CUDA', 'hardware'],
    ['nearest(8)', 'CUDA', 'cpu'],
    ['accelerations', 'webgpu', 'software'],
    ['accelerations', 'webgpu, tolerance 0.01', 'software'],
    ['accelerations', 'webgpu, tolerance 0.002', 'software'],
    ['accelerations', 'webgpu, tolerance 0.0001', 'software'],
    ['accelerations', 'webgpu mesh, tolerance 0.0001', 'software'],
  ])
  for (const [place, { outcome, problem, contender }] of rows.entries()) {
    if (place === 3 || place === 6) continue
    if (!isMeasured(outcome)) throw new Error(outcome.refused)
    const points = problem.name === 'point-gravity' ? 500 : n
    expect(problem).toMatchObject({ targets: points, seed: points })
    expect(outcome).toMatchObject({ call: { samples: 1 } })
    // Of so few points, trees take all pairs.
    expect(outcome.error.max).toBeLessThan(contender.name.includes('mesh') ? 1e-4 : 1e-6)
    expect(outcome.resident === true).toBe(!contender.name.includes('tolerance'))
  }
  expect(rows[2]).toMatchObject({ contender: { rival: true, variant: 'right' }, outcome: { call: { median: 0.0125 } } })
  expect(rows[3]?.outcome).toEqual({ refused: expect.stringContaining('wrong answer: acceleration is off by ') })
  expect(rows[6]?.outcome).toEqual({ refused: expect.stringContaining('wrong answer: index ') })
})

test('near points are timed as a problem of their own, with steps of a liquid', async () => {
  const args = ['near', ...brief, '--nvcc', 'none', '--json', 'near.json']
  const { code } = await ended(run(...args))
  expect(code).toBe(0)
  const { rows } = recordOf('near.json')
  expect(
    rows
      .filter(({ contender }) => !contender.rival)
      .map(({ problem, outcome }) => [problem.workload, isMeasured(outcome)]),
  ).toEqual(
    ['forces', 'nearest(8)', 'nearest(32)', 'count within a radius', 'steps of a liquid'].map((workload) => [
      workload,
      true,
    ]),
  )
})

test('sums over features stand beside CUDA, and their matrix alone', async () => {
  const args = ['--laws', 'kernel(10),kernel matrix(100)', '--json', 'features.json', '--rivals', rivals]
  const { code, stdout } = await ended(run(...quick, ...args))
  expect(code).toBe(0)
  expect(stdout).toContain('kernel(10) of a Gaussian of features, N = 256, 10 features')
  const { rows } = recordOf('features.json')
  expect(rows.map(({ problem, contender }) => [problem.workload, problem.features, contender.name])).toEqual([
    ['kernel(10)', 10, 'webgpu'],
    ['kernel(10)', 10, 'CUDA'],
    ['kernel(10)', 10, 'CUDA'],
    ['kernel matrix(100)', 100, 'webgpu'],
  ])
  const errors = rows.map(({ outcome }) => (isMeasured(outcome) ? outcome.error.max : outcome.refused))
  expect(errors[0]).toBeLessThan(1e-6)
  expect(errors[1]).toBeLessThan(1e-6)
  expect(errors[2]).toContain('wrong answer: value is off by ')
  expect(errors[3]).toBeLessThan(1e-6)
})

test('judged results are printed with their faults, without the parts that were left out', () => {
  const all = { cases: 616, passed: 615, laws: { few: 300, many: 39 }, simulations: 30, faults: ['masks: one: wrong'] }
  const nothing = { cases: 0, passed: 0, laws: { few: 0, many: 0 }, simulations: 0, faults: [], blocks: 2790 }
  const about = { backend: 'webgl', device: 'a GPU' }
  expect(judgedLines({ ...about, ...all, tolerances: { sums: 51, trees: 40 } })).toEqual([
    'webgl on a GPU: 615 of 616 cases of the suite, 339 random laws (39 over up to 33,000 points), 30 simulations, 51 sums with a tolerance (40 by a tree), 1 fault',
    '  masks: one: wrong',
  ])
  expect(judgedLines({ ...about, ...nothing })).toEqual(['webgl on a GPU: 2790 problems by blocks, 0 faults'])
  expect(judgedLines({ backend: 'webgl', refused: 'no driver' })).toEqual(['webgl is not judged: no driver'])
})

test('without a compiler, the benchmark says so and records only WebGPU', async () => {
  const args = ['--laws', 'coulomb', '--nvcc', join(folder, 'no-nvcc'), '--json', 'alone.json']
  const { code, stdout } = await ended(run(...quick, ...args))
  expect(code).toBe(0)
  expect(stdout).toMatch(/No figure for CUDA in Node .*: there is no CUDA compiler/)
  expect(recordOf('alone.json').rows.map(({ contender, outcome }) => [contender.name, isMeasured(outcome)])).toEqual([
    ['webgpu', true],
    ['CUDA', false],
  ])
})

test('the waiting times of a caller have a record with calls, steps and the first call of a process', async () => {
  const args = [...brief, '--first', String(n), '--rivals', rivals, '--json', 'calls.json']
  expect((await ended(run('calls', ...args))).code).toBe(0)
  const { kind, command, rows } = recordOf('calls.json')
  expect({ kind, command }).toEqual({
    kind: 'calls',
    command: 'npm run bench:gpu -- calls --sizes 256 --rounds 1 --sample 1 --first 256 --json calls.json',
  })
  // Some machines lack a GLES driver of their own, and the script that plays CUDA knows only gravity.
  const webgl = rows.find(({ contender }) => contender.name.startsWith('webgl'))
  if (webgl && !isMeasured(webgl.outcome))
    expect(webgl.outcome).toEqual({ refused: expect.stringContaining('no candidate backend can be used') })
  const timed = rows.filter((row) => row !== webgl)
  expect(timed.map(({ problem, contender, outcome }) => [problem.name, contender.name, isMeasured(outcome)])).toEqual([
    ['gravity', 'webgpu, whole call', true],
    ['gravity', 'CUDA, whole call', true],
    ['gravity', 'webgpu, simulate', true],
    ...['cold', 'warm'].flatMap((cache) =>
      ['createEngine()', 'first call'].map((which) => ['gravity', `webgpu, ${which}, ${cache}`, true]),
    ),
    ...['coulomb', 'lennard-jones-box'].flatMap((law) => [
      [law, 'webgpu, whole call', true],
      [law, 'CUDA', false],
    ]),
    ['lennard-jones-box', 'webgpu, simulate', true],
  ])
  expect(timed[1]).toMatchObject({ contender: { rival: true, variant: 'right' }, outcome: { call: { median: 0.25 } } })
})

test('frames of test particles, and of points that come and go, are timed', async () => {
  const args = ['--particles', '64', '--points', '100', '--frames', '3', '--dawn', dawn]
  const { code, stdout } = await ended(run('frames', ...args))
  expect(code).toBe(0)
  expect(
    stdout
      .replace(/\d+\.\d{3} ms/g, '... ms')
      .split('\n')
      .slice(1),
  ).toEqual([
    '64 test particles around 10 bodies: ... ms a step',
    '100 points, without changes: ... ms a frame',
    '100 points, 10 leave and 10 come: ... ms a frame',
    '100 points, their number changes, too: ... ms a frame',
    '',
  ])
})

test('an interrupted benchmark saves its results and marks them as partial', async () => {
  const child = run(...quick, '--nvcc', 'none', '--json', 'partial.json')
  const { code, stderr } = await ended(child, (text) => {
    if (!child.killed && /\[\d+ %.* coulomb/.test(text)) child.kill('SIGINT')
  })
  expect(code).toBe(130)
  // If the current call takes long, the program first says that it waits for the call's end.
  expect(stderr.replace(/^\nbench: ending when the call under way is done; .*\n/, '')).toBe(
    `bench: wrote ${join(folder, 'partial.json')}\nbench: interrupted: these results are partial, as partial.json says too\n`,
  )
  const { partial, rows } = recordOf('partial.json')
  expect(partial).toBe('interrupted')
  expect(rows.some(({ problem, outcome }) => problem.name === 'gravity' && isMeasured(outcome))).toBe(true)
})

test.each([
  ['--laws magnetism', '--laws expected some of gravity, '],
  ['--sizes 0', '--sizes expected whole numbers from 1 to 2097152, got "0"'],
  ['--set none', '--set expected some of all, chosen, best, ladder, got "none"'],
  ['--json nowhere/record.json', '--json cannot be written to "nowhere/record.json": there is no folder'],
  ['--dawn nowhere.node', '--dawn "nowhere.node": there is no such file'],
  ['calls --set all', "unknown option '--set'; see --help"],
  ['--rounds 1 calls', '"--rounds" has no effect on "calls" here: give options after the name of the command'],
  ['first-call gravity answers', 'first-call expected a problem as JSON, got "gravity"'],
])('%s is reported in one line, with exit code 2', async (args, line) => {
  const { code, stdout, stderr } = await listened(() => runCommand(gpuCommand(judge), args.split(' ')))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(line)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
