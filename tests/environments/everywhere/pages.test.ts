// The packed packages in pages of a browser with a software GPU: built by each bundler, without one, in a module worker, under a strict
// Content-Security-Policy, and without isolation. Every backend of each page must give the forces of the reference.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright'
import { build as vite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumLaunch } from '../../../tools/chromium.ts'
import { patience } from '../../../tools/patience.ts'
import { type Conditions, isolation, servePages } from '../pages.ts'
import { preparedApp } from '../prepared.ts'
import { bundlers, installBundlers } from './bundlers.ts'
import { type Findings, program } from './program.ts'

const app = join(await preparedApp(), '.')
const built = join(app, 'built')
let browser: Browser
let server: Server
let address: string

const strict = (scripts: string) => ({
  ...isolation,
  'Content-Security-Policy': `default-src 'none'; script-src ${scripts}; worker-src 'self'`,
})
const conditions = {
  isolated: isolation,
  open: {},
  strict: strict("'self' 'wasm-unsafe-eval'"),
  'without-wasm': strict("'self'"),
} as const satisfies Conditions

beforeAll(async () => {
  await installBundlers()
  await writeFile(join(app, 'program.js'), program)
  const start = "import { findings } from './program.js'\nglobalThis.findings = findings\n"
  await writeFile(join(app, 'page.js'), start)
  await writeFile(
    join(app, 'index.html'),
    '<!doctype html><title>page</title><script type="module" src="./page.js"></script>',
  )
  await mkdir(built, { recursive: true })
  ;({ server, address } = await servePages(app, conditions))
  browser = await chromium.launch(await chromiumLaunch())
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** The findings of a page. Its scripts and workers may log no error. */
async function findingsOf(page: string, condition: keyof typeof conditions): Promise<Findings> {
  const tab = await browser.newPage()
  tab.setDefaultTimeout(patience)
  const thrown: string[] = []
  tab.on('pageerror', ({ message }) => thrown.push(message))
  try {
    await tab.goto(`${address}/${condition}/${page}`)
    await tab.waitForFunction(() => 'findings' in globalThis)
    const found = await tab.evaluate(() => (globalThis as never as { findings(): Promise<Findings> }).findings())
    expect(thrown).toEqual([])
    return found
  } finally {
    await tab.close()
  }
}

function expectRight({ errors, compiled, ok, chosen, lacking }: Findings, backends: readonly string[]): void {
  expect(Object.keys(errors), JSON.stringify(lacking)).toEqual(backends)
  expect(Object.keys(compiled)).toEqual(Object.keys(errors))
  for (const error of [...Object.values(errors), ...Object.values(compiled)]) expect(error).toBeLessThan(1e-5)
  expect(backends).toContain(chosen)
  expect(ok).toBe(true)
}

const both = ['webgpu', 'cpu-wasm']

test.each(Object.keys(bundlers))('a page that %s bundled', async (name) => {
  const folder = join(built, name)
  await mkdir(folder)
  await bundlers[name]?.(app, folder)
  expectRight(await findingsOf(`built/${name}/`, 'isolated'), both)
})

test('a page that Vite bundled, with the plugin that compiles laws', async () => {
  await writeFile(
    join(app, 'laws.js'),
    "import { forces, pairPotential } from 'manybody'\nexport const pull = forces(pairPotential('-1/sqrt(r2 + 0.01)')())\n",
  )
  const folder = join(app, 'with-plugin')
  await mkdir(folder)
  const start = `import { createEngine } from 'manybody/run'
import { pull } from '../laws.js?compiled'
globalThis.findings = async () => {
  const engine = await createEngine({ backend: 'cpu-wasm' })
  const { force } = await engine.run(pull, { position: [0, 0, 0, 1, 0, 0] })
  engine.dispose()
  return [...force]
}`
  await writeFile(join(folder, 'page.js'), start)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>page</title><script type="module" src="./page.js"></script>',
  )
  const { compiled } = await import(pathToFileURL(join(app, 'node_modules/manybody/dist/vite.js')).href)
  const outDir = join(built, 'with-plugin')
  await vite({ root: folder, base: './', logLevel: 'silent', build: { outDir }, plugins: [compiled()] })
  const force = (await findingsOf('built/with-plugin/', 'isolated')) as unknown as number[]
  const expected = 1.01 ** -1.5
  expect(force[0]).toBeCloseTo(expected, 5)
  expect(force[3]).toBeCloseTo(-expected, 5)
})

test('a page without a bundler, with an import map', async () => {
  const imports: Record<string, string> = {}
  for (const name of [
    'manybody',
    ...(await readdir(join(app, 'node_modules/@manybody'))).map((n) => `@manybody/${n}`),
  ]) {
    const { exports } = JSON.parse(await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8'))
    for (const [path, entry] of Object.entries(exports as Record<string, { default: string }>))
      imports[join(name, path)] = `../../node_modules/${join(name, entry.default)}`
  }
  const folder = join(built, 'plain')
  await mkdir(folder)
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const page = `<!doctype html><title>page</title>${map}<script type="module" src="../../page.js"></script>`
  await writeFile(join(folder, 'index.html'), page)
  expectRight(await findingsOf('built/plain/', 'isolated'), both)
})

test('a module worker', async () => {
  await writeFile(
    join(app, 'worker.js'),
    "import { findings } from './program.js'\nonmessage = async () => postMessage(await findings())\n",
  )
  const folder = join(built, 'worker')
  await build({
    entryPoints: [join(app, 'worker.js')],
    outdir: folder,
    ...({ bundle: true, splitting: true, format: 'esm', target: 'es2022', logLevel: 'silent' } as const),
  })
  const page = `globalThis.findings = () => new Promise((resolve, reject) => {
    const worker = new Worker('worker.js', { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage('start')
  })`
  await writeFile(join(folder, 'page.js'), page)
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title><script src="page.js"></script>')
  expectRight(await findingsOf('built/worker/', 'isolated'), both)
})

test('a page with a strict Content-Security-Policy', async () => {
  expectRight(await findingsOf('built/esbuild/', 'strict'), both)
})

test('a page whose policy forbids WebAssembly', async () => {
  const found = await findingsOf('built/esbuild/', 'without-wasm')
  expectRight(found, ['webgpu'])
  expect(found.lacking['cpu-wasm']).toMatch(/wasm-unsafe-eval/)
})

test('a page without cross-origin isolation', async () => {
  expectRight(await findingsOf('built/esbuild/', 'open'), both)
})
