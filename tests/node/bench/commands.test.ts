// The benchmark's command line: help, wrong input, interruptions, and whole runs in Node with their tables and records. No test depends on
// speed.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { browserOrReason } from '../../../bench/src/commands/backends.ts'
import { execute, type Task } from '../../../bench/src/commands/execute.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { isMeasured } from '../../../bench/src/record.ts'
import type { Session } from '../../../bench/src/sessions/session.ts'
import { root } from '../../../tools/pnpm.mjs'
import { bundle } from '../../hardware/bundle.mjs'
import { measuredRow } from '../../support/sample-records.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ended, listened, told } from '../../support/told.ts'

const folder = temporaryFolder('bench')
const bench = (...args: string[]) =>
  ended(spawn(join(root, 'node_modules/.bin/tsx'), ['bench/src/commands/main.ts', ...args], { cwd: root }))

/** On the processor alone, with next to no sampling. */
const quick = '--environments node --backends cpu-wasm --duration 0.01'

mkdirSync(join(folder, 'folder.csv'))

/** The arguments of a line; `quick` stands for those above, and `./` for the folder. */
const argumentsOf = (line: string): readonly string[] =>
  line.replace('quick', quick).replaceAll(' ./', ` ${folder}/`).split(' ')

test('without arguments, the benchmark prints help', async () => {
  const { code, stdout } = await bench()
  expect(code).toBe(0)
  for (const command of 'compare sweep scale transfer workloads choice near rivals tree mesh'.split(' '))
    expect(stdout).toContain(`\n  ${command} [options]`)
})

test('the process prints one line for wrong input and exits with 2', async () => {
  const stderr = 'bench: --backends expected some of reference, cpu-wasm, webgpu, webgl, got "cuda"\n'
  expect(await bench('compare', '--backends', 'cuda')).toEqual({ code: 2, stdout: '', stderr })
})

test('so does the process on a graphics card, which needs none for that', async () => {
  const command = join(folder, 'gpu.mjs')
  await bundle(command)
  const stderr = "bench: unknown option '--bogus'; see --help\n"
  expect(await ended(spawn(process.execPath, [command, '--bogus']))).toEqual({ code: 2, stdout: '', stderr })
})

test.each([
  ['nonsense', "unknown command 'nonsense'; see --help"],
  ['Compare', "unknown command 'Compare' \\(Did you mean compare\\?\\); see --help"],
  ['help nonsense', "unknown command 'help'; see --help"],
  ['compare --bogus', "unknown option '--bogus'; see --help"],
  ['compare --sizes 12,0', '--sizes expected whole numbers from 1 to \\d+, got "0"'],
  ['compare --duration -1', '--duration expected seconds above 0 and up to 86400, got "-1"'],
  ['compare --seed 1.5', '--seed expected a whole number below 1e9, got "1.5"'],
  ['compare --laws gravitas', '--laws expected some of gravity, .*, got "gravitas"'],
  ['workloads quick --tasks nearest(8) --sizes 4', 'N = 4: "k" expected at most 3, .*'],
  ['tree --tolerances 0', '--tolerances expected numbers of at least 1e-6 and below 1, got "0"'],
  ['workloads --tasks sort', '--tasks expected some of matrix, .*, got "sort"'],
  ['compare --backends webgl --environments node', 'webgl runs in none of node'],
  ['compare quick --browser /no', '--browser "/no" has nothing to run: --environments expected chromium too'],
  [`compare --backends webgl --browser ${process.execPath}`, '--browser ".*" is not a Chromium .*: it ended at once'],
  ['compare quick --expression 1/(r', 'Cannot parse expression: .* \\(line 1, column 5\\)'],
  [`compare quick --expression ${'r+'.repeat(2000)}`, 'Cannot parse expression: expected at most 2048.*'],
  ['compare quick --laws morse --expression r', "option '--expression <energy>' cannot be used with.*"],
  ['compare quick --json /no/such/x.json', '--json cannot be written .* no folder "/no/such"'],
  ['compare quick --json=', '--json cannot be written to "": expected the name of a file'],
  ['compare quick --json /dev/null', '--json cannot be written .*: it is not an ordinary file'],
  [
    'compare quick --json ./same --html ./folder.csv/../same',
    '--json and --html expected two files, got ".*same" for both',
  ],
  ['compare quick --html ./folder.csv', '--html cannot be written .*: it is a folder'],
  ['compare quick --sizes 67108864', 'N = 67108864 exceeds every device asked for: cpu-wasm: .*'],
  [
    'workloads quick --tasks matrix --sizes 60000',
    'N = 60000 exceeds .* "value" takes 14400000000 bytes, .* 268435456',
  ],
])('%s is reported in one line, with exit code 2', async (line, fault) => {
  const { code, stdout, stderr } = await told(...argumentsOf(line))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^bench: ${fault}\n$`))
})

test.each([
  ['sweep --sizes 64', /│ loop +│[\s\S]*│ simd \((registers|tile) \d+\)[\s\S]*Each loop in its best sizes/],
  ['scale --sizes 128,64', /│ +64 │.*\n│ +128 │.*[\s\S]*(No lead changes by more than the quartiles|is faster than)/],
  ['transfer --sizes 64', /│ JavaScript │ Node │ CPU [\s\S]*x JavaScript: times the plain JavaScript loop/],
  ['workloads --sizes 125', /^(?![\s\S]*No figure)[\s\S]*nearest\(8\) of r2[\s\S]*gradient of 5 cells an axis/],
  ['compare --sizes 64 --markdown --expression exp(-r2)*weight_i*weight_j', /\*\*forces of exp\(-r2\)\*weight_i/],
])('%s', async (line, text) => {
  const { code, stdout, stderr } = await told(...argumentsOf(`${line} quick`))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(text)
})

test('compare has all backends of Node and of the browser in one table and a complete record, and marks software GPUs', async () => {
  const json = join(folder, 'all.json')
  const { code, stdout, stderr } = await bench('compare', '--sizes', '64', '--duration', '0.01', '--json', json)
  // Without a terminal there is no progress bar.
  expect({ code, stderr }).toEqual({ code: 0, stderr: `bench: wrote ${json}\n` })
  expect(stdout).toMatch(/accelerations of gravity, N = 64, 3-D\n.*\n│ contender/)
  const { environments, rows, ...record } = readRecord(json)
  const [node, chromium] = [`Node ${process.versions.node}`, expect.stringMatching(/^Chromium \d+ \(headless\)$/)]
  const machine = { cores: expect.any(Number), cpu: expect.any(String) }
  expect(record).toMatchObject({
    kind: 'compare',
    command: expect.stringMatching(/^npm run bench -- compare/),
    machine,
  })
  expect(record.partial).toBeUndefined()
  expect(environments).toMatchObject([
    { name: node, isolated: true },
    { name: chromium, isolated: true },
  ])
  for (const { timerResolution } of environments) expect(timerResolution).toBeGreaterThan(0)
  expect(rows.map(({ environment, contender }) => [environment, contender.name])).toEqual([
    ...['reference', 'cpu-wasm', 'webgpu'].map((name) => [node, name]),
    ...['cpu-wasm', 'webgpu', 'webgl'].map((name) => [chromium, name]),
  ])
  for (const { outcome, interactions } of rows) {
    if (!isMeasured(outcome)) throw new Error(outcome.refused)
    expect(interactions).toBe(64 ** 2)
    expect(outcome.call.samples).toBeGreaterThanOrEqual(3)
    expect(outcome.error.max).toBeLessThanOrEqual(outcome.error.bound ?? 0)
  }
  const software = rows.filter(({ contender }) => contender.kind === 'software')
  for (const { contender, environment } of software) {
    expect(contender.device).toMatch(/swiftshader/i)
    expect(stdout).toContain(`${contender.name} in ${environment.split(' ')[0]}: ${contender.device}, is software`)
  }
  expect(stdout.match(/software GPU/g)?.length).toBe(software.length)
})

test('choice shows both loops side by side, and which of them ran', async () => {
  // Among 64 points, none has 64 neighbours.
  const json = join(folder, 'choice.json')
  const args = 'choice --sizes 4096,64 --problems count,lists,nearest(64) --near 20 --duration 0.01 --json'.split(' ')
  const { code, stdout } = await told(...args, json)
  expect(code).toBe(0)
  for (const line of [
    /count near 20 │ 64 │ f32 │.* │ all pairs/,
    /count near 20 │ 4096 │ f64 │.* │ blocks/,
    /all │ │ 10 │ \d+/,
  ])
    expect(stdout.replaceAll(/ +/g, ' ')).toMatch(new RegExp(`\n│ ${line.source} │`))
  const variants = readRecord(json).rows.map(({ contender }) => contender.variant?.split(/[ ,]/)[0])
  const both = (chosen: string) => ['simd', 'blocks', chosen, 'simd', 'blocks', chosen]
  expect(variants).toHaveLength(30)
  expect([...variants.slice(0, 12), ...variants.slice(24)]).toEqual([
    ...both('blocks'),
    ...both('simd'),
    ...both('blocks'),
  ])
})

test('tree prints what each tolerance costs, and the errors within it', async () => {
  const json = join(folder, 'tree.json')
  const args = 'tree --sizes 4000 --laws layout --sets square --tolerances 1e-2,1e-6 --no-rivals --duration 0.01 --json'
  const { code, stdout } = await told(...args.split(' '), json)
  expect(code).toBe(0)
  expect(stdout.replaceAll(/ +/g, ' ')).toMatch(
    /│ layout, square, 4000 │ 0.01 │ simplex, opening 0\.\d+ │.*\n│ layout, square, 4000 │ 0.000001 │ all pairs │/,
  )
  const { kind, rows } = readRecord(json)
  expect(kind).toBe('tree')
  const sums = rows.map(({ contender: { name }, outcome }) => {
    if (!isMeasured(outcome)) throw new Error(outcome.refused)
    const { error, first = 0, evaluated = 0 } = outcome
    expect(first).toBeGreaterThan(0)
    return { name, pairs: evaluated / 4000, ...error }
  })
  expect(sums).toMatchObject([
    { name: 'all pairs' },
    { name: 'cpu-wasm, tolerance 0.01', bound: 1e-2, sampled: 512 },
    { name: 'cpu-wasm, tolerance 0.000001', bound: 1e-6, pairs: 4000, told: 0 },
  ])
  const [, { pairs, p99 = 1, max, told: largest = 0 }] = sums as [unknown, (typeof sums)[number]]
  expect(pairs).toBeLessThan(1500)
  expect(p99).toBeLessThanOrEqual(1e-2)
  expect(max).toBeGreaterThanOrEqual(p99)
  expect(largest).toBeGreaterThan(p99 / 2.5)
})

test('mesh has errors and costs of each method, a plot of them, and says that LAMMPS is missing', async () => {
  const [json, html] = [join(folder, 'mesh.json'), join(folder, 'mesh.html')]
  const args = 'mesh --sizes 1000 --tolerances 1e-3,1e-5 --threads 1 --duration 0.01'.split(' ')
  vi.stubEnv('PATH', folder)
  const { code, stdout } = await told(...args, '--json', json, '--html', html)
  vi.unstubAllEnvs()
  expect(code).toBe(0)
  expect(stdout).toMatch(/│ charges, box, 1000 +│ 0.001 +│ mesh, reach /)
  expect(stdout).toMatch(/No figure for LAMMPS .*: LAMMPS is not installed: install the Debian package lammps/)
  const { kind, rows } = readRecord(json)
  expect(kind).toBe('mesh')
  const errors = rows.flatMap(({ problem, contender: { name }, outcome }) =>
    isMeasured(outcome) ? [[`${problem.name}: ${name}`, outcome.error.max] as const] : [],
  )
  const ways = ['box: cpu-wasm, mesh', 'cube: cpu-wasm, mesh', 'cube: cpu-wasm, tree']
  const expected = ways.flatMap((way) => [1e-3, 1e-5].map((tolerance) => [`${way}, tolerance ${tolerance}`, tolerance]))
  expect(errors.map(([name]) => name).sort()).toEqual(['cube: all pairs', ...expected.map(([name]) => name)].sort())
  // A tolerance is a part of the sizes of all terms, which are many times the sum of charges of both signs.
  for (const [name, tolerance] of expected) {
    const error = Object.fromEntries(errors)[name as string] ?? 1
    expect(error).toBeLessThan(30 * Number(tolerance))
    expect(error).toBeGreaterThan(0)
  }
  const page = readFileSync(html, 'utf8')
  for (const text of ['Time by error: charges, N = 1000', 'mesh, box', 'mesh, cube']) expect(page).toContain(text)
})

test('a problem that would take days is refused before its points are made', async () => {
  const args = 'compare --environments node --backends reference --sizes 20000000 --duration 0.5'.split(' ')
  const made = vi.spyOn(Float32Array, 'from')
  const { code, stdout } = await told(...args)
  const lengths = made.mock.calls.map(([numbers]) => (numbers as unknown as ArrayLike<number>).length)
  made.mockRestore()
  expect(Math.max(...lengths)).toBeLessThan(1e6)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /No figure for reference in Node .*: one call would take about \d+ days, and there are 0.5 s for this problem; take/,
  )
})

const spec = { what: { law: 'gravity' }, count: 9, seed: 1 }

test('a browser that cannot start, or ends, loses only its own rows, with the reason', async () => {
  const webgl = [{ backend: 'webgl' }]
  const absent = await browserOrReason(webgl, () => Promise.reject(new Error('browserType.launch: none\nat all')))
  const measure = () => Promise.reject(new Error('Target crashed'))
  const ending = await browserOrReason(webgl, async () => ({ ...absent, measure }))
  for (const [session, refused] of [
    [absent, 'no browser could be started: none'],
    [ending, 'the page ended: Target crashed'],
  ] as const)
    expect(await session.measure(spec, { seconds: 1 })).toMatchObject([
      { environment: 'Chromium', contender: { name: 'webgl' }, outcome: { refused } },
    ])
})

const right = measuredRow({}, { interactionsPerSecond: 1e9 })

/** The end of a command with made-up sessions. */
const executed = (measures: readonly Session['measure'][], task: Partial<Task>) => {
  const environment = { name: right.environment, isolated: true, threads: 1, timerResolution: 1, versions: {} }
  const open = async () => measures.map((measure) => ({ environment, measure }))
  return listened(() => execute({ kind: 'compare', options: { duration: 1 }, problems: [spec], open, ...task }))
}

test('Ctrl-C keeps the measured results, marks them as partial, and ends all sessions', async () => {
  const json = join(folder, 'partial.json')
  const asked: string[] = []
  const measure = (name: string) => async () => {
    asked.push(name)
    process.emit('SIGINT')
    return [right]
  }
  const { code, stderr } = await executed([measure('first'), measure('second')], { options: { duration: 1, json } })
  expect(code).toBe(130)
  expect(asked).toEqual(['first'])
  expect(stderr).toBe(`bench: wrote ${json}\nbench: interrupted: these results are partial, as ${json} says too\n`)
  expect(readRecord(json)).toMatchObject({ partial: 'interrupted', rows: [right] })
})

test.each([
  [[], 0],
  [['masks: one: wrong'], 1],
])('judged results are recorded, and faults %j give exit code %i', async (faults, expected) => {
  const json = join(folder, 'judged.json')
  const judged = { backend: 'webgl', device: 'a GPU', cases: 2, passed: 1, laws: { few: 3, many: 4 }, faults }
  async function* judge() {
    yield judged
  }
  const { code } = await executed([], { kind: 'gpu', options: { json }, problems: [], judge })
  expect(code ?? 0).toBe(expected)
  expect(readRecord(json)).toMatchObject({ kind: 'gpu', judged: [judged], rows: [] })
})

test.each([
  ['tree', 'wrong answer: 99 % of the targets are off by 2.0e-2, allowed is 1.0e-2', 1],
  ['tree', 'ngraph is not installed', 0],
  ['rivals', 'wrong answer: acceleration is off by 2.0e-2', 0],
] as const)('beside a right row, %s with "%s" gives exit code %i', async (kind, refused, expected) => {
  const { code } = await executed([async () => [right, { ...right, outcome: { refused } }]], { kind })
  expect(code).toBe(expected)
})
