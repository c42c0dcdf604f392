// The packed CPU backend in pages of the headless browser: with and without cross-origin isolation, under Content-Security-Policies, and
// built in the ways that people build pages. `device.info` tells how the device runs, and is asserted here.

import { cp, mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { type Browser, chromium } from 'playwright'
import { build as viteBuild } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { patience } from '../../tools/patience.ts'
import { arraysAndRuns, deep, onlyShare } from '../support/share.ts'
import { type Conditions, isolation, servePages } from './pages.ts'
import { preparedApp } from './prepared.ts'

const app = await preparedApp()
const site = join(app, 'site')
let browser: Browser
let server: Server
let address: string

/** The findings of a page: how the device runs, and which cases of the suite failed. */
interface Findings {
  readonly features: readonly string[]
  readonly notes: readonly string[]
  readonly threads: number
  readonly variant: string
  readonly cases: number
  readonly failed: readonly unknown[]
}

const program = `
import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { runConformance } from '@manybody/conformance'
import { accelerations, createEngine, gravity } from '@manybody/core'

/** Until workers have taken part, or cannot; then as much of the suite as is asked for. */
async function findings({ threads, only, workers }) {
  const options = workers ? { threadsFrom: 0, workers } : { threadsFrom: 0 }
  const engine = await createEngine({ backends: [cpuWasm(options)], threads })
  const position = Float32Array.from({ length: 6000 }, (_, n) => (n * 0.618034) % 1)
  const mass = new Float32Array(2000).fill(1)
  let variant = ''
  const settled = () => variant && (variant.includes(threads + ' thread') || engine.device.info.limits.threads === 1)
  for (let attempt = 0; attempt < 10_000 && !settled(); attempt++) {
    variant = (await engine.run(accelerations(gravity({ softening: 0.05 })), { position, mass })).report.variant
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const { features, notes = [], limits } = engine.device.info
  const suite = only === undefined
    ? { results: [] }
    : await runConformance(cpuWasm(options), { required: true, open: { threads }, only: new RegExp(only) })
  // Not before: the suite's devices share its workers, which have started.
  engine.dispose()
  const failed = suite.results.filter(({ outcome }) => outcome !== 'passed')
  return { features, notes, threads: limits.threads, variant, cases: suite.results.length, failed }
}
globalThis.findings = findings
`

const policy = (workers: string) => ({
  ...isolation,
  'Content-Security-Policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ${workers}`,
})

const conditions = {
  isolated: isolation,
  open: {},
  'worker-self': policy("worker-src 'self'"),
  'worker-blob': policy('worker-src blob:'),
  'worker-none': policy("worker-src 'none'"),
  trusting: policy("worker-src blob:; require-trusted-types-for 'script'; trusted-types manybody"),
  distrusting: policy("worker-src blob:; require-trusted-types-for 'script'; trusted-types another"),
} as const satisfies Conditions

/** How each page is built: with the worker's file or without it. */
const builds = {
  bundled: async (folder: string) => {
    await build({ ...esbuild, format: 'esm', outfile: join(folder, 'page.js') })
    await page(folder, '<script type="module" src="page.js"></script>')
  },
  beside: async (folder: string) => {
    await build({ ...esbuild, format: 'esm', outfile: join(folder, 'page.js') })
    await cp(join(app, 'node_modules/@manybody/backend-cpu-wasm/dist/worker.js'), join(folder, 'worker.js'))
    await page(folder, '<script type="module" src="page.js"></script>')
  },
  script: async (folder: string) => {
    await build({ ...esbuild, format: 'iife', outfile: join(folder, 'page.js') })
    await page(folder, '<script src="page.js"></script>')
  },
  vite: async (folder: string) => {
    await writeFile(join(app, 'index.html'), '<script type="module" src="./page.js"></script>')
    await viteBuild({ root: app, base: './', logLevel: 'silent', build: { outDir: folder, modulePreload: false } })
  },
} as const

const esbuild: BuildOptions = {
  entryPoints: [join(app, 'page.js')],
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  logLevel: 'silent',
}

async function page(folder: string, script: string): Promise<void> {
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>page</title>${script}`)
}

beforeAll(async () => {
  await writeFile(join(app, 'page.js'), program)
  for (const [name, write] of Object.entries(builds)) {
    await mkdir(join(site, name), { recursive: true })
    await write(join(site, name))
  }
  ;({ server, address } = await servePages(site, conditions))
  browser = await chromium.launch(await chromiumLaunch())
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

async function findings(
  condition: keyof typeof conditions,
  how: keyof typeof builds,
  request: { readonly threads: number; readonly only?: string; readonly workers?: 'file' | 'inline' },
): Promise<Findings> {
  const tab = await browser.newPage()
  tab.setDefaultTimeout(patience)
  try {
    await tab.goto(`${address}/${condition}/${how}/index.html`)
    return await tab.evaluate(
      (asked) => (globalThis as never as { findings(r: typeof asked): Promise<Findings> }).findings(asked),
      request,
    )
  } finally {
    await tab.close()
  }
}

describe('threads get their code', () => {
  test.each([
    ['a bundle without the file', 'isolated', 'bundled', 'workers-inline'],
    ['a bundle with the file beside it', 'isolated', 'beside', 'workers-file'],
    ['a plain script', 'isolated', 'script', 'workers-inline'],
    ['a bundler that knows workers', 'isolated', 'vite', 'workers-file'],
    ["a policy with worker-src 'self'", 'worker-self', 'beside', 'workers-file'],
    ['a policy with worker-src blob:', 'worker-blob', 'bundled', 'workers-inline'],
    ['a page with Trusted Types that allows ours', 'trusting', 'bundled', 'workers-inline'],
    ['a policy with worker-src blob:, though the file is there', 'worker-blob', 'beside', 'workers-inline'],
  ] as const)('in %s', async (_, condition, how, source) => {
    const { features, variant, threads } = await findings(condition, how, { threads: 2 })
    expect(features).toEqual(expect.arrayContaining(['threads', 'shared-memory', source]))
    expect(variant).toContain('2 threads')
    expect(threads).toBe(2)
  })

  test.each([
    ['a policy that forbids workers', 'worker-none', 'beside', undefined],
    ["a policy with worker-src 'self' and a bundle without the file", 'worker-self', 'bundled', undefined],
    ['a page with Trusted Types that does not allow ours', 'distrusting', 'bundled', undefined],
    ['a bundle without the file, where only the file is asked for', 'isolated', 'bundled', 'file'],
  ] as const)('or there is one thread, as the notes say, in %s', async (_, condition, how, workers) => {
    const request = { threads: 2, only: 'two sets: gravity', ...(workers ? { workers } : {}) }
    const { features, notes, variant, threads, cases, failed } = await findings(condition, how, request)
    expect(features).not.toContain('threads')
    expect(notes.join()).toMatch(/^one thread is used, because no worker could be started/)
    expect(threads).toBe(1)
    expect(variant).toContain('1 thread')
    expect(failed).toEqual([])
    expect(cases).toBeGreaterThan(8)
  })
})

test.each([
  ['with cross-origin isolation, two threads', 'isolated', 2, 'shared-memory', 0],
  ['without it, two threads that compute on copies', 'open', 2, 'copied-memory', 1],
  ['with it, one thread', 'isolated', 1, 'simd', 2],
  ['without it, one thread', 'open', 1, 'simd', 3],
] as const)('a 32nd of the suite passes in both precisions %s', async (_, condition, threads, feature, share) => {
  const only = onlyShare(share, 32, arraysAndRuns).source
  const { features, notes, variant, cases, failed } = await findings(condition, 'bundled', { threads, only })
  expect(features).toContain(feature)
  expect(features.includes('threads')).toBe(threads > 1)
  expect(features.includes('shared-memory')).toBe(feature === 'shared-memory')
  expect(notes.some((note) => note.includes('copies'))).toBe(feature === 'copied-memory')
  expect(variant).toContain(`${threads} thread`)
  expect(failed).toEqual([])
  expect(cases).toBeGreaterThan(deep ? 1000 : 30)
})
