// The benchmark's command line: help, wrong input, interruptions, and whole runs in Node with their tables and records. No test depends on
// speed.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { browserOrReason } from '../../../bench/src/commands/backends.ts'
import { execute } from '../../../bench/src/commands/execute.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { type BenchmarkRecord, isMeasured } from '../../../bench/src/record.ts'
import type { Session } from '../../../bench/src/sessions/session.ts'
import { root } from '../../../tools/pnpm.mjs'
import { type Ended, listened, told } from '../../support/told.ts'

const folder = mkdtempSync(join(tmpdir(), 'manybody-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, contents: string | Uint8Array): string => {
  writeFileSync(join(folder, name), contents)
  return join(folder, name)
}

const folderNamed = (name: string): string => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

function bench(...args: string[]): Promise<Ended> {
  const child = spawn(join(root, 'node_modules/.bin/tsx'), ['bench/src/commands/main.ts', ...args], { cwd: root })
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part) => {
      text[name] += part
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...text }))
  })
}

/** On the processor alone, with next to no sampling. */
const quick = ['--environments', 'node', '--backends', 'cpu-wasm', '--duration', '0.01']

test('without arguments, the benchmark prints help', async () => {
  const { code, stdout } = await bench()
  expect(code).toBe(0)
  for (const command of ['compare', 'sweep', 'scale', 'accuracy', 'transfer', 'workloads', 'rivals'])
    expect(stdout).toContain(`\n  ${command} [options]`)
})

test('the process prints one line for wrong input and exits with 2', async () => {
  expect(await bench('compare', '--backends', 'cuda')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'bench: --backends expected some of reference, cpu-wasm, webgpu, webgl, got "cuda"\n',
  })
})

const rows3 = 'x,y,z,mass\n0,0,0,1\n1,0,0,2\n0,1,2,3\n'

test.for<[args: string[], line: RegExp]>([
  [['nonsense'], /^bench: unknown command 'nonsense'; see --help\n$/],
  [['Compare'], /^bench: unknown command 'Compare' \(Did you mean compare\?\); see --help\n$/],
  [['help', 'nonsense'], /^bench: unknown command 'help'; see --help\n$/],
  [['compare', '--bogus'], /^bench: unknown option '--bogus'; see --help\n$/],
  [['compare', '--sizes', '12,x'], /^bench: --sizes expected whole numbers from 1 to \d+, got "x"\n$/],
  [['compare', '--sizes', '0'], /^bench: --sizes expected whole numbers .*, got "0"\n$/],
  [['compare', '--duration', '-1'], /^bench: --duration expected seconds above 0 and up to 86400, got "-1"\n$/],
  [['compare', '--seed', '1.5'], /^bench: --seed expected a whole number below 1e9, got "1.5"\n$/],
  [['compare', '--laws', 'gravitas'], /^bench: --laws expected some of gravity, .*, got "gravitas"\n$/],
  [['workloads', ...quick, '--tasks', 'nearest(8)', '--sizes', '4'], /^bench: N = 4: "k" expected at most 3, .*\n$/],
  [['tree', '--tolerances', '0'], /^bench: --tolerances expected numbers of at least 1e-6 and below 1, got "0"\n$/],
  [['workloads', '--tasks', 'sort'], /^bench: --tasks expected some of matrix, .*, got "sort"\n$/],
  [['compare', '--backends', 'webgl', '--environments', 'node'], /^bench: webgl runs in none of node\n$/],
  [
    ['compare', ...quick, '--browser', '/no/such'],
    /^bench: --browser "\/no\/such" has nothing to run: --environments expected chromium too\n$/,
  ],
  [
    ['compare', '--backends', 'webgl', '--browser', process.execPath],
    /^bench: --browser ".*" is not a Chromium that can be started: it ended at once\n$/,
  ],
  [['compare', ...quick, '--expression', '1/(r'], /^bench: Cannot parse expression: .* \(line 1, column 5\)\n$/],
  [['compare', ...quick, '--expression', 'foo*r'], /^bench: Cannot parse expression: unknown name "foo"; .*\n$/],
  [['compare', ...quick, '--json', '/no/such/x.json'], /^bench: --json cannot be written .* no folder "\/no\/such"\n$/],
  [['compare', ...quick, '--json', ''], /^bench: --json cannot be written to "": expected the name of a file\n$/],
  [['compare', ...quick, '--json', '/dev/null'], /^bench: --json cannot be written .*: it is not an ordinary file\n$/],
  [
    ['compare', ...quick, '--json', join(folder, 'same'), '--html', join(folder, '.', 'same')],
    /^bench: --json and --html expected two files, got ".*same" for both\n$/,
  ],
  [['compare', ...quick, '--html', folder], /^bench: --html cannot be written .*: it is a folder\n$/],
  [['compare', ...quick, '--input', '/no/such.csv'], /^bench: --input .* there is no such file\n$/],
  [['compare', ...quick, '--input', folderNamed('folder.csv')], /^bench: --input .* cannot be read: it is a folder\n$/],
  [['compare', ...quick, '--input', 'x.csv', '--sizes', '9'], /^bench: option '--input <file>' cannot be used with/],
  [['compare', ...quick, '--laws', 'morse', '--expression', 'r'], /^bench: option '--expression <energy>' cannot be/],
  [['compare', ...quick, '--expression', 'r+'.repeat(2000)], /^bench: Cannot parse expression: expected at most 2048/],
  [['compare', ...quick, '--input', 'x.fits'], /^bench: --input expected a file that ends in .csv, .tipsy, .bin, got/],
  [
    ['compare', ...quick, '--input', file('text.bin', rows3)],
    /^bench: --input .* Malformed TIPSY file, byte 12: expected 3/,
  ],
  [
    ['compare', ...quick, '--input', file('b.csv', new Uint8Array(99))],
    /^bench: --input .*, line 1: the column "x" is/,
  ],
  [
    ['compare', ...quick, '--input', file('c.csv', 'x,y,z\n1,2\n')],
    /^bench: --input .* line 2: expected 3 fields, got 2\n$/,
  ],
  [
    ['compare', ...quick, '--input', file('d.csv', 'x,y,z\n1,2,red\n')],
    /^bench: --input .* expected a number, got "red"\n$/,
  ],
  [
    ['compare', ...quick, '--input', file('g.csv', 'x,y,z,mass\n1,2,3,red\n')],
    /^bench: --input .* expected a number, got "red"; write numbers in this column, or leave it out\n$/,
  ],
  [
    ['compare', ...quick, '--input', file('i.csv', 'x,y,z,mass\n1,2,3,NaN\n')],
    /^bench: --input .* expected a number, got "NaN"; write a number there, or leave out this column\n$/,
  ],
  [
    ['compare', ...quick, '--input', file('f.csv', 'x,y,z\n1,2,1e39\n')],
    /^bench: --input .*: expected numbers below 3.4e38 in position, got 1e\+39\n$/,
  ],
  [
    ['compare', ...quick, '--input', file('h.csv', 'x,y\n')],
    /^bench: --input .* expected at least one point, got none\n$/,
  ],
  [
    ['compare', ...quick, '--laws', 'coulomb', '--input', file('e.csv', rows3)],
    /^bench: "e.csv" lacks "charge", which coulomb reads; it holds mass, position; .*\n$/,
  ],
  [
    ['compare', ...quick, '--sizes', '67108864'],
    /^bench: N = 67108864 exceeds every device asked for: cpu-wasm: .*\n$/,
  ],
  [
    ['workloads', ...quick, '--tasks', 'matrix', '--sizes', '60000'],
    /^bench: N = 60000 exceeds .* "value" takes 14400000000 bytes, and one array here at most 268435456\n$/,
  ],
])('wrong input is reported in one line, with exit code 2: %s', async ([args, line]) => {
  const { code, stdout, stderr } = await told(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(line)
  expect(stderr.split('\n')).toHaveLength(2)
})

test('compare prints a table, and writes a complete record', async () => {
  const json = join(folder, 'record.json')
  const args = ['--environments', 'node', '--backends', 'reference,cpu-wasm', '--duration', '0.01', '--sizes', '64,100']
  const { code, stdout, stderr } = await bench('compare', ...args, '--json', json)
  // Without a terminal there is no progress bar.
  expect({ code, stderr }).toEqual({ code: 0, stderr: `bench: wrote ${json}\n` })
  expect(stdout).toMatch(/accelerations of gravity, N = 64, 3-D\n.*\n│ contender/)
  const record = readRecord(json)
  expect(record).toMatchObject({
    kind: 'compare',
    command: expect.stringMatching(/^npm run bench -- compare/),
  })
  expect(record.partial).toBeUndefined()
  expect(record.machine).toMatchObject({ cores: expect.any(Number), cpu: expect.any(String) })
  expect(record.environments).toMatchObject([{ name: `Node ${process.versions.node}`, isolated: true }])
  expect(record.environments[0]?.timerResolution).toBeGreaterThan(0)
  expect(record.rows.map(({ contender, problem }) => [contender.name, problem.targets])).toEqual([
    ['reference', 64],
    ['cpu-wasm', 64],
    ['reference', 100],
    ['cpu-wasm', 100],
  ])
  for (const { outcome, interactions, problem } of record.rows) {
    if (!isMeasured(outcome)) throw new Error(outcome.refused)
    expect(interactions).toBe(problem.targets ** 2)
    expect(outcome.call.samples).toBeGreaterThanOrEqual(3)
    expect(outcome.error.max).toBeLessThanOrEqual(outcome.error.bound ?? 0)
  }
})

test.for<[args: string[], text: RegExp]>([
  [['sweep', '--sizes', '64'], /│ registers │.*simd .*│[\s\S]*\nBest: .* pairs\/s/],
  [
    ['scale', '--sizes', '128,64'],
    /│ +64 │.*\n│ +128 │.*[\s\S]*(No lead changes by more than the quartiles|is faster than)/,
  ],
  [['accuracy', '--sizes', '64', '--laws', 'morse'], /│ cpu-wasm, f64 │ f64 +│ .* of 1.0e-13 │/],
  [['transfer', '--sizes', '64'], /│ JavaScript │ Node │ CPU [\s\S]*x JavaScript: times the plain JavaScript loop/],
  [
    ['workloads', '--sizes', '64', '--tasks', 'nearest(8),gradient'],
    /nearest\(8\) of r2[\s\S]*gradient of 4 cells an axis/,
  ],
  [['compare', '--sizes', '64', '--expression', 'exp(-r2)*weight_i*weight_j'], /forces of exp\(-r2\)\*weight_i/],
  [['compare', '--input', file('points.csv', rows3)], /accelerations of gravity, N = 3, 3-D/],
  [['compare', '--input', file('plane.csv', 'y,x,mass\n0,1,1\n1,0,2\n')], /accelerations of gravity, N = 2, 2-D/],
  [['compare', '--input', file('two.tipsy', tipsy(true))], /accelerations of gravity, N = 2, 3-D/],
  [['compare', '--input', file('big-endian.bin', tipsy(false))], /accelerations of gravity, N = 2, 3-D/],
])('%s', async ([args, text]) => {
  const { code, stdout, stderr } = await told(...args, ...quick)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(text)
})

test('compare has all backends of Node and of the browser in one table, and marks software GPUs', async () => {
  const json = join(folder, 'all.json')
  const { code, stdout, stderr } = await bench('compare', '--sizes', '64', '--duration', '0.01', '--json', json)
  expect({ code, stderr }).toEqual({ code: 0, stderr: `bench: wrote ${json}\n` })
  const { environments, rows } = readRecord(json)
  const [node, chromium] = [`Node ${process.versions.node}`, expect.stringMatching(/^Chromium \d+ \(headless\)$/)]
  expect(environments).toMatchObject([
    { name: node, isolated: true },
    { name: chromium, isolated: true },
  ])
  expect(rows.map(({ environment, contender, outcome }) => [environment, contender.name, isMeasured(outcome)])).toEqual(
    [
      [node, 'reference', true],
      [node, 'cpu-wasm', true],
      [node, 'webgpu', true],
      [chromium, 'cpu-wasm', true],
      [chromium, 'webgpu', true],
      [chromium, 'webgl', true],
    ],
  )
  const software = rows.filter(({ contender }) => contender.kind === 'software')
  for (const { contender, environment } of software) {
    expect(contender.device).toMatch(/swiftshader/i)
    expect(stdout).toContain(`${contender.name} in ${environment.split(' ')[0]}: ${contender.device}, is software`)
  }
  expect(stdout.match(/software GPU/g)?.length).toBe(software.length)
})

test('steps shows a step of a simulation beside its forces', async () => {
  const html = join(folder, 'steps.html')
  const { code, stdout } = await told('steps', '--sizes', '64', '--duration', '0.01', '--html', html)
  expect(code).toBe(0)
  expect(readFileSync(html, 'utf8')).toContain('<h1>A step beside the forces that it needs</h1>')
  for (const name of ['forces alone', 'simulate']) expect(stdout).toMatch(new RegExp(`│ cpu-wasm, ${name} +│ Node`))
})

test('choice shows both loops side by side, and which of them ran', async () => {
  // Among 64 points, none has 64 neighbours.
  const args = ['--problems', 'count,nearest(64)', '--near', '20', '--duration', '0.01']
  const json = join(folder, 'choice.json')
  const { code, stdout } = await told('choice', '--sizes', '4096,64', ...args, '--json', json)
  expect(code).toBe(0)
  expect(stdout.replaceAll(/ +/g, ' ')).toMatch(/\n│ count near 20 │ 64 │ f32 │.* │ all pairs │/)
  expect(stdout.replaceAll(/ +/g, ' ')).toMatch(/\n│ count near 20 │ 4096 │ f64 │.* │ blocks │/)
  expect(stdout.replaceAll(/ +/g, ' ')).toMatch(/\n│ all │ │ 6 │ [0-6] │/)
  const variants = readRecord(json).rows.map(({ contender }) => contender.variant?.split(/[ ,]/)[0])
  const both = (chosen: string) => ['simd', 'blocks', chosen, 'simd', 'blocks', chosen]
  expect(variants).toEqual([...both('blocks'), ...both('simd'), ...both('blocks')])
})

test('ladder times each kernel on both versions of WebGL', async () => {
  const json = join(folder, 'ladder.json')
  const { code, stderr } = await told('ladder', '--sizes', '64', '--duration', '0.01', '--json', json)
  expect({ code, stderr }).toEqual({ code: 0, stderr: `bench: wrote ${json}\n` })
  const { kind, rows } = readRecord(json)
  const found = rows.map(({ contender, outcome }) => [contender.name, contender.variant, isMeasured(outcome)])
  const rungs = (version: string) => [
    [`webgl, ${version}`, 'naive', true],
    [`gpu.js by hand, ${version}`, 'expert', true],
    [`webgl, ${version}`, 'texture-loop', true],
  ]
  expect({ kind, found }).toEqual({ kind: 'ladder', found: [...rungs('WebGL2'), ...rungs('WebGL1')] })
})

test('a problem that would take days is refused before its points are made', async () => {
  const args = ['--environments', 'node', '--backends', 'reference', '--sizes', '20000000', '--duration', '0.5']
  const made = vi.spyOn(Float32Array, 'from')
  const { code, stdout } = await told('compare', ...args)
  const lengths = made.mock.calls.map(([numbers]) => (numbers as unknown as ArrayLike<number>).length)
  made.mockRestore()
  expect(Math.max(...lengths)).toBeLessThan(1e6)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /No figure for reference in Node .*: one call would take about \d+ days, and there are 0.5 s for this problem; take/,
  )
})

test('a browser that cannot start, or ends, loses only its own rows, with the reason', async () => {
  const webgl = [{ backend: 'webgl' }]
  const spec = { what: { law: 'gravity' }, count: 9, seed: 1 }
  const absent = await browserOrReason(webgl, () => Promise.reject(new Error('browserType.launch: none\nat all')))
  expect(await absent.measure(spec, { seconds: 1 })).toMatchObject([
    {
      environment: 'Chromium',
      contender: { name: 'webgl' },
      outcome: { refused: 'no browser could be started: none' },
    },
  ])
  const ending = await browserOrReason(webgl, async () => ({
    ...absent,
    measure: () => Promise.reject(new Error('Target crashed')),
  }))
  expect(await ending.measure(spec, { seconds: 1 })).toMatchObject([
    { environment: 'Chromium', outcome: { refused: 'the page ended: Target crashed' } },
  ])
})

test('Ctrl-C keeps the measured results, marks them as partial, and ends all sessions', async () => {
  const json = join(folder, 'partial.json')
  const asked: string[] = []
  const session = (name: string): Session => ({
    environment: { name, isolated: true, threads: 1, timerResolution: 1, versions: {} },
    async measure() {
      asked.push(name)
      process.emit('SIGINT')
      return [complete]
    },
  })
  const { code, stderr } = await listened(() =>
    execute({
      kind: 'compare',
      options: { duration: 1, json },
      problems: [{ what: { law: 'gravity' }, count: 1, seed: 1 }],
      open: async () => [session('first'), session('second')],
      table: () => '',
    }),
  )
  expect(code).toBe(130)
  expect(asked).toEqual(['first'])
  expect(stderr).toBe(`bench: wrote ${json}\nbench: interrupted: these results are partial, as ${json} says too\n`)
  expect(readRecord(json)).toMatchObject({ partial: 'interrupted', rows: [complete] })
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
  const { code } = await listened(() =>
    execute({ kind: 'gpu', options: { json }, problems: [], judge, open: async () => [], table: () => '' }),
  )
  expect(code ?? 0).toBe(expected)
  expect(readRecord(json)).toMatchObject({ kind: 'gpu', judged: [judged], rows: [] })
})

test.each([
  ['tree', 'wrong answer: 99 % of the targets are off by 2.0e-2, allowed is 1.0e-2', 1],
  ['tree', 'ngraph is not installed', 0],
  ['rivals', 'wrong answer: acceleration is off by 2.0e-2', 0],
] as const)('beside a right row, %s with "%s" gives exit code %i', async (kind, refused, expected) => {
  const environment = { name: 'first', isolated: true, threads: 1, timerResolution: 1, versions: {} }
  const measure = async () => [complete, { ...complete, outcome: { refused } }]
  const { code } = await listened(() =>
    execute({
      kind,
      options: { duration: 1 },
      problems: [{ what: { law: 'gravity' }, count: 1, seed: 1 }],
      open: async () => [{ environment, measure }],
      table: () => '',
    }),
  )
  expect(code).toBe(expected)
})

const times = { samples: 1, median: 1, lowerQuartile: 1, upperQuartile: 1 }
const complete: BenchmarkRecord['rows'][number] = {
  environment: 'first',
  problem: { name: 'gravity', workload: 'accelerations', targets: 1, sources: 1, dimension: 3, seed: 1 },
  contender: { name: 'one', rival: false, device: 'here', kind: 'cpu', precision: 'f32' },
  interactions: 1,
  outcome: {
    call: times,
    interactionsPerSecond: 1000,
    error: { max: 0, median: 0, p99: 0, accumulation: 'block', bound: 1e-6, sampled: 1 },
  },
}

/** Two dark particles in TIPSY's format, of either byte order. */
function tipsy(littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(32 + 2 * 36))
  for (const [index, value] of [2, 3, 0, 2, 0].entries()) view.setInt32(8 + 4 * index, value, littleEndian)
  for (const [index, value] of [1, 0, 0, 0].entries()) view.setFloat32(32 + 4 * index, value, littleEndian)
  for (const [index, value] of [2, 1, 2, 3].entries()) view.setFloat32(68 + 4 * index, value, littleEndian)
  return new Uint8Array(view.buffer)
}

test('tree prints what each tolerance costs, and the errors within it', async () => {
  const json = join(folder, 'tree.json')
  const problem = ['--sizes', '4000', '--laws', 'layout', '--sets', 'square', '--tolerances', '1e-2,1e-6']
  const { code, stdout } = await told('tree', ...problem, '--no-rivals', '--duration', '0.01', '--json', json)
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
  const args = ['--sizes', '1000', '--tolerances', '1e-3,1e-5', '--threads', '1', '--duration', '0.01']
  vi.stubEnv('PATH', folder)
  const { code, stdout } = await told('mesh', ...args, '--json', json, '--html', html)
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
