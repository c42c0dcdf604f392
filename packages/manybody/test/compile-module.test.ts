// The command and the plugin: modules of workloads become modules of compiled workloads.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createEngine } from 'manybody/run'
import { afterAll, expect, it } from 'vitest'
import { compiled } from '../src/compile/vite.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'laws-'))
const laws = join(folder, 'laws.mjs')
const index = pathToFileURL(join(root, 'packages/manybody/src/index.ts')).href
writeFileSync(
  laws,
  `import { accelerations, gravity, nearest } from ${JSON.stringify(index)}
export const pull = accelerations(gravity({ softening: 0.1 }))
export default nearest(4)
export const count = 4`,
)
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'packages/manybody/src/cli.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  })

const points = {
  position: Float32Array.from({ length: 300 }, (_, n) => Math.sin(n)),
  mass: new Float32Array(100).fill(1),
}

async function expectRuns(file: string): Promise<void> {
  const { pull, default: near } = await import(pathToFileURL(file).href)
  await using engine = await createEngine({ backend: 'cpu-wasm', threads: 1 })
  expect((await engine.run(pull, points)).acceleration).toHaveLength(300)
  expect((await engine.run(near, { position: points.position })).index).toHaveLength(400)
}

it('the command writes a module that runs, and its types', async () => {
  const output = join(folder, 'laws.programs.mjs')
  const { stdout, stderr, status } = run('compile', laws, '-o', output)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toMatch(/laws\.programs\.mjs: default, pull, \d+ KB\n$/)
  expect(readFileSync(output.replace('.mjs', '.d.mts'), 'utf8')).toBe(
    `import type { CompiledWorkload } from 'manybody/run'

declare const workload: CompiledWorkload<(typeof import("./laws.mjs"))['default']>
export default workload
export declare const pull: CompiledWorkload<(typeof import("./laws.mjs"))['pull']>
`,
  )
  await expectRuns(output)
})

it.each([
  [[], 0, ''],
  [['--help'], 0, ''],
  [['run'], 2, 'manybody: unknown command "run"; expected compile; see --help\n'],
  [['compile'], 2, 'manybody: "compile" expected a module, got nothing; see --help\n'],
  [['compile', laws], 2, 'manybody: "--output" expected a file to write, got nothing; see --help\n'],
  [
    ['compile', laws, '-o', 'x.txt'],
    2,
    'manybody: "--output" expected a file that ends in .js or .mjs, got "x.txt"; see --help\n',
  ],
  [['compile', laws, 'more', '-o', 'x.js'], 2, 'manybody: unexpected argument "more"; see --help\n'],
  [
    ['compile', laws, '-o', 'x.js', '--dimension', '5'],
    2,
    'manybody: default: "dimension" expected 1, 2 or 3, got 5; see --help\n',
  ],
  [
    ['compile', '/none.js', '-o', 'x.js'],
    2,
    'manybody: "/none.js" expected a module that can be loaded: Cannot find module',
  ],
] as const)('wrong arguments: %j', (args, status, message) => {
  const ran = run(...args)
  expect(ran.status).toBe(status)
  expect(ran.stderr.slice(0, message.length)).toBe(message)
  if (status === 0) expect(ran.stdout).toContain('Usage: npx manybody compile')
})

it('the plugin resolves and loads modules with ?compiled, and no others', async () => {
  const watched: string[] = []
  const context = {
    resolve: async (source: string) => (source === './laws.mjs' ? { id: laws } : null),
    addWatchFile: (file: string) => void watched.push(file),
  }
  const { resolveId, load } = compiled()
  expect(await resolveId.call(context, './laws.mjs', 'main.js')).toBeUndefined()
  expect(await resolveId.call(context, './none.mjs?compiled', 'main.js')).toBeUndefined()
  expect(await resolveId.call(context, './laws.mjs?compiled', 'main.js')).toBe(`${laws}?compiled`)
  expect(await load.call(context, laws)).toBeUndefined()
  const output = join(folder, 'bundled.mjs')
  writeFileSync(output, (await load.call(context, `${laws}?compiled`)) ?? '')
  expect(watched).toEqual([laws])
  await expectRuns(output)
  const empty = join(folder, 'empty.mjs')
  writeFileSync(empty, 'export const count = 4')
  await expect(load.call(context, `${empty}?compiled`)).rejects.toThrow('expected exports that are workloads')
})
