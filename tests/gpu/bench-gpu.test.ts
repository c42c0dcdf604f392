// `npm run bench:gpu` as its bundle on the software GPU: rows judged, CUDA's too, what wrong input gets, and what an
// interruption leaves. CUDA is played by a script; how fast anything is, no test decides.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../bench/gpu/bundle.mjs'
import { cases } from '../../bench/gpu/laws.ts'
import { judgedLines } from '../../bench/gpu/print-judged.ts'
import type { GpuRecord } from '../../bench/gpu/record.ts'

const folder = mkdtempSync(join(tmpdir(), 'manybody-bench-gpu-'))
afterAll(() => rmSync(folder, { recursive: true }))

const command = join(folder, 'gpu.mjs')
beforeAll(() => bundle(command))

/** Of the package, so that the bundle needs nothing around it. */
const dawn = join(
  dirname(createRequire(import.meta.url).resolve('webgpu')),
  `dist/${process.platform}-${process.arch}/dawn.node`,
)

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[], onOutput = (_text: string, _child: ChildProcess): void => {}): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => {
      text[name] += part
      onOutput(text[name], child)
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...text }))
  })
}

const recordOf = (name: string): GpuRecord => JSON.parse(readFileSync(join(folder, name), 'utf8')) as GpuRecord

const n = 256
const quick = [
  '--sizes',
  String(n),
  '--set',
  'chosen',
  '--rounds',
  '1',
  '--sample',
  '1',
  '--judge',
  'none',
  '--dawn',
  dawn,
]

/** A program that says what the CUDA rivals say: a kernel with these results, and one that is wrong. */
function played(results: readonly number[]): string {
  const file = join(folder, 'rivals')
  const kernel = (kernel: string, results: readonly number[]) =>
    JSON.stringify({ law: 'gravity', n, kernel, microseconds: 12.5, results })
  const lines = [
    kernel('right', results),
    kernel(
      'wrong',
      results.map((value) => value + 1),
    ),
  ]
  writeFileSync(file, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\n`)
  chmodSync(file, 0o755)
  return file
}

/** Softened gravity on the 64 targets that are judged, in doubles. */
function gravityOf(points: Readonly<Record<string, Float32Array>>): readonly number[] {
  const { position: p = new Float32Array(), mass = new Float32Array() } = points
  const at = (i: number, axis: number) => p[3 * i + axis] ?? 0
  return Array.from({ length: 64 }, (_, k) => Math.floor((k * n) / 64)).flatMap((i) => {
    const sums = [0, 0, 0]
    for (let j = 0; j < n; j++) {
      const d = sums.map((_, axis) => at(j, axis) - at(i, axis))
      const f = (mass[j] ?? 0) / (d.reduce((r2, x) => r2 + x * x, 0) + 0.05 ** 2) ** 1.5
      for (const [axis, x] of d.entries()) sums[axis] = (sums[axis] ?? 0) + f * x
    }
    return sums
  })
}

test('one run makes one record of WebGPU and CUDA, each answer judged', async () => {
  const points = cases.find(({ name }) => name === 'gravity')?.points(n) ?? {}
  const rivals = played(gravityOf(points))
  const json = join(folder, 'record.json')
  const { code, stdout } = await run([...quick, '--laws', 'gravity,nearest(8)', '--rivals', rivals, '--json', json])
  expect(code).toBe(0)
  expect(stdout).toContain('which is software')
  expect(stdout).toContain(`[2 of 2,`)
  const { command, partial, machine, rows, cuda } = recordOf('record.json')
  expect(command).toBe(
    "npm run bench:gpu -- --sizes 256 --set chosen --rounds 1 --sample 1 --judge none --laws 'gravity,nearest(8)' --json record.json",
  )
  expect(partial).toBeUndefined()
  expect(machine).toMatchObject({ kind: 'software', node: process.versions.node })
  expect(rows.map(({ law, n, chosen }) => [law, n, chosen])).toEqual([
    ['gravity', n, true],
    ['nearest(8)', n, true],
  ])
  for (const { outcome } of rows) {
    expect(outcome).toMatchObject({ wall: expect.any(Number), maxError: expect.any(Number) })
    if ('maxError' in outcome) expect(outcome.maxError).toBeLessThan(1e-6)
  }
  expect(cuda.compiler).toBe('compiled before')
  expect(cuda.rows).toMatchObject([
    { law: 'gravity', n, kernel: 'right', outcome: { gpu: 12.5 } },
    { law: 'gravity', n, kernel: 'wrong', outcome: { refused: expect.stringContaining('wrong answer: off by ') } },
  ])
})

test('what was judged is printed with its faults', () => {
  const found = { cases: 616, passed: 615, laws: { few: 300, many: 39 }, faults: ['masks: one: wrong'] }
  expect(judgedLines({ backend: 'webgl', device: 'a GPU', ...found })).toEqual([
    'webgl on a GPU: 615 of 616 cases of the suite, 339 random laws (39 over up to 33,000 points), 1 fault',
    '  masks: one: wrong',
  ])
  expect(judgedLines({ backend: 'webgl', refused: 'no driver' })).toEqual(['webgl is not judged: no driver'])
})

test('without a compiler it says so, and records WebGPU alone', async () => {
  const args = ['--laws', 'argmin', '--nvcc', join(folder, 'no-nvcc'), '--json', 'alone.json']
  const { code, stdout } = await run([...quick, ...args])
  expect(code).toBe(0)
  expect(stdout).toContain('No CUDA in this record: there is no CUDA compiler')
  const { rows, cuda } = recordOf('alone.json')
  expect(rows).toHaveLength(1)
  expect(cuda).toEqual({ compiler: 'none', refused: expect.stringContaining('there is no CUDA compiler'), rows: [] })
})

test('interrupted, it saves what there is and says that it is partial', async () => {
  const args = [...quick, '--nvcc', 'none', '--json', 'partial.json']
  const { code, stderr } = await run(args, (text, child) => {
    if (!child.killed && text.includes('[2 of')) child.kill('SIGINT')
  })
  expect(code).toBe(130)
  // Where the call under way takes long, it is said first that its end is awaited.
  expect(stderr.replace(/^\nbench: ending when the call under way is done; .*\n/, '')).toBe(
    'bench:gpu: interrupted: these results are partial, as partial.json says too\n',
  )
  const { partial, rows } = recordOf('partial.json')
  expect(partial).toBe('interrupted')
  expect(rows.some(({ law, chosen }) => law === 'gravity' && chosen)).toBe(true)
})

test.each([
  [['--laws', 'magnetism'], '--laws expected some of gravity, '],
  [['--sizes', '0'], '--sizes expected whole numbers from 1 to 2097152, got "0"'],
  [['--set', 'none'], '--set expected some of all, chosen, best, ladder, got "none"'],
  [['--judge', 'some'], '--judge expected some of all, none, only, got "some"'],
  [['--json', 'nowhere/record.json'], '--json cannot be written to "nowhere/record.json": there is no folder'],
  [['--dawn', 'nowhere.node'], '--dawn "nowhere.node": there is no such file'],
  [['--blocks', '3'], "Unknown option '--blocks'; see --help"],
])('%j is told in one line, with exit code 2', async (args, line) => {
  const { code, stdout, stderr } = await run(args)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(line)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
