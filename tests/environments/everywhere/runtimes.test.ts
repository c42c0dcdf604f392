// The packed packages outside pages: in each JavaScript runtime, in a bundle for a server, and in a TypeScript project.

import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as vite } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'
import { packages } from '../../../scripts/packages.ts'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'
import { softwareGpuEnvironment } from '../../../tools/software-gpu.ts'
import { preparedApp } from '../prepared.ts'
import { runtimes as others } from '../runtimes.ts'
import { type Findings, program } from './program.ts'

const run = promisify(execFile)
const app = await preparedApp()
const here = [process.execPath] as const
const runtimes = { [`Node ${process.versions.node.split('.')[0]}`]: here, ...others }

const print = (from: string) => `import { findings } from '${from}'
console.log(JSON.stringify(await findings()))
process.exit()
`

beforeAll(async () => {
  await writeFile(join(app, 'program.js'), program)
  await writeFile(join(app, 'print.js'), print('./program.js'))
})

async function findingsOf(command: string, ...args: readonly string[]): Promise<Findings> {
  const { stdout } = await run(command, [...args], { cwd: app, timeout: patience })
  return JSON.parse(stdout)
}

/** Expects that `backends` were found and right; a runtime may have found more. */
function expectRight({ errors, compiled, chosen, ok, lacking }: Findings, backends: readonly string[]): void {
  expect(Object.keys(errors), JSON.stringify(lacking)).toEqual(expect.arrayContaining([...backends]))
  expect(Object.keys(compiled)).toEqual(Object.keys(errors))
  for (const error of [...Object.values(errors), ...Object.values(compiled)]) expect(error).toBeLessThan(1e-5)
  expect(chosen).toBe('cpu-wasm')
  expect(ok).toBe(true)
}

test.each(Object.entries(runtimes))('%s', async (_, [command, ...flags]) => {
  expectRight(await findingsOf(command, ...flags, 'print.js'), ['cpu-wasm'])
})

test('Deno with its own WebGPU, on a software GPU', async () => {
  const [command, ...flags] = others.Deno
  const env = { ...process.env, ...(await softwareGpuEnvironment()) }
  const { stdout } = await run(command, [...flags, 'print.js'], { cwd: app, timeout: patience, env })
  expectRight(JSON.parse(stdout), ['webgpu', 'cpu-wasm'])
})

test('Node with the webgpu package, on a software GPU', async () => {
  // The package of this repository, as `npm install webgpu` would bring it.
  await symlink(join(root, 'tests/node_modules/webgpu'), join(app, 'node_modules/webgpu'))
  try {
    const env = { ...process.env, ...(await softwareGpuEnvironment()) }
    const { stdout } = await run(process.execPath, ['print.js'], { cwd: app, timeout: patience, env })
    expectRight(JSON.parse(stdout), ['webgpu', 'cpu-wasm'])
  } finally {
    await rm(join(app, 'node_modules/webgpu'))
  }
})

test('a server, where no entry needs window, document or navigator to be imported', async () => {
  const names = packages.flatMap(({ entries }) => Object.keys(entries)).filter((name) => name !== '@manybody/cluster')
  const code = `for (const name of ['window', 'document', 'navigator', 'self']) delete globalThis[name]
for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)
`
  await writeFile(join(app, 'import-all.js'), code)
  const { stdout } = await run(process.execPath, ['import-all.js'], { cwd: app })
  expect(stdout.trim().split('\n')).toEqual(names.map((name) => `${name} true`))
})

test('a server bundle of Vite', async () => {
  const outDir = join(app, 'server')
  await vite({
    root: app,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: 'print.js', outDir, target: 'node20' },
  })
  expectRight(await findingsOf(process.execPath, join(outDir, 'print.js')), ['cpu-wasm'])
})

describe('TypeScript 5.9, strict, with exactOptionalPropertyTypes and isolatedModules', () => {
  const code = `import { type Engine, type Law, createEngine, forces, nearest, pairPotential } from 'manybody'
import { forceManyBody } from 'manybody/d3'
import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgpu } from '@manybody/backend-webgpu'
import { webgl } from '@manybody/backend-webgl'
import { type Backend, reference } from '@manybody/core'
import { workloadOf } from '@manybody/core/judge'

const spring: Law<'k'> = pairPotential('k*(r - 1)^2/2', { parameters: { k: 1 } })
const engine: Engine<'f64'> = await createEngine({ precision: 'f64' })
const { force } = await engine.run(forces(spring({ k: 2 })), { position: [0, 0, 0, 1, 0, 0] })
export const doubles: Float64Array = force
const { index } = await engine.run(nearest(2), { position: new Float32Array(9) })
export const first: number | undefined = index.at(0)
export const all: readonly Backend[] = [cpuWasm(), webgpu(), webgl(), reference()]
export const checked = workloadOf(forces(spring()))
export const charge = forceManyBody<{ x: number; y: number }>({ tolerance: 0 })
// @ts-expect-error no parameter of the law
spring({ strength: 1 })
// @ts-expect-error an option that is present must have a value
createEngine({ backend: undefined })
`
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    noUncheckedIndexedAccess: true,
  }
  const common = { ...strict, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] }
  test.each([
    ['bundler', { module: 'preserve', moduleResolution: 'bundler' }],
    ['bundler, and modules of 2022', { module: 'es2022', moduleResolution: 'bundler' }],
    ['node16', { module: 'node16', moduleResolution: 'node16' }],
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ])('with the resolution of %s', async (name, options) => {
    const folder = join(app, `typescript-${name.replaceAll(/\W+/g, '-')}`)
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'main.ts'), code)
    const compilerOptions = { ...common, ...options }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const version = JSON.parse(await readFile(join(root, 'node_modules/typescript/package.json'), 'utf8')).version
    expect(version).toMatch(/^5\.9\./)
    const { stdout } = await run(process.execPath, [compiler, '--project', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })
})
