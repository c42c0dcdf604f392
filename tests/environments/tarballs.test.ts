// A new user's first steps: npm installs the packed packages into an empty project without any GPU driver package. There the README's
// example runs in plain Node and prints the README's answer, and a bundler bundles it for the browser.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, transform } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'
import { preparedApp } from './prepared.ts'
import { readmeExample } from './readme-example.ts'

const run = promisify(execFile)
const readme = join(root, 'README.md')
const app = await preparedApp()

test('the package can be imported in plain Node', async () => {
  await writeFile(join(app, 'import.js'), "import * as manybody from 'manybody'\nconsole.log(typeof manybody)\n")
  expect((await run('node', ['import.js'], { cwd: app })).stdout).toBe('object\n')
})

// Some bundlers refuse a page that imports a Node module, even in code that runs only in Node.
test('a bundler bundles the package for the browser without the two optional drivers', async () => {
  await writeFile(join(app, 'page.js'), "export * from 'manybody'\n")
  const options = { bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022' } as const
  const { metafile } = await build({
    ...options,
    absWorkingDir: app,
    entryPoints: ['page.js'],
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const external = imports.filter((entry) => entry.external).map(({ path }) => path)
  expect([...new Set(external)].sort()).toEqual(['gpu.js', 'webgpu'])
})

test('its types compile with the libraries of 2022 and of the page, and know names and shapes', async () => {
  const code = `import { wasmText } from '@manybody/backend-cpu-wasm/text'
    import { glslText } from '@manybody/backend-webgl/text'
    import { wgslText } from '@manybody/backend-webgpu/text'
    import { createEngine, gravity, nearest } from 'manybody'
    export const texts = [wasmText, glslText, wgslText]
    const engine = await createEngine({ precision: 'f64' })
    const { index, distance } = await engine.run(nearest(2), { position: new Float32Array(9) })
    export const first: number | undefined = index.at(0)
    export const doubles: Float64Array = distance
    const single = await createEngine()
    const near = await single.run(nearest(2), { position: new Float32Array(9) })
    export const total: number = near.distance.map((r) => r * r).reduce((sum, r) => sum + r)
    // @ts-expect-error no parameter of gravity
    gravity({ soft: 1 })`
  await writeFile(join(app, 'typed.ts'), code)
  expect(await complaintsOfStrictTypes('typed.ts')).toBe('')
})

/** The compiler's complaints about a file of the app, under `strict`. */
async function complaintsOfStrictTypes(file: string): Promise<string> {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
  const compiler = join(root, 'node_modules/.bin/tsc')
  // The compiler ends with a status other than 0 if it complains.
  return run(compiler, [...options, file], { cwd: app }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  )
}

if (existsSync(readme)) {
  test("the README's example prints the README's answer", async () => {
    const { code, answer } = readmeExample(readFileSync(readme, 'utf8'))
    await writeFile(join(app, 'example.js'), (await transform(code, { loader: 'ts', target: 'node20' })).code)
    expect((await run('node', ['example.js'], { cwd: app })).stdout.trim()).toBe(answer.trim())
  })

  test("the README's example is strict TypeScript, too", async () => {
    await writeFile(join(app, 'example.ts'), readmeExample(readFileSync(readme, 'utf8')).code)
    expect(await complaintsOfStrictTypes('example.ts')).toBe('')
  })
}
