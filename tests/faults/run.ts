// `npm run faults`: induces every fault of `list.ts` in headless Chromium, as often as it says, and writes docs/reliability.md. `--only
// <text>` takes the faults with this text in their names, and replaces their rows. `--tries <n>` tries each fault n times and writes
// nothing. Ends with code 1 if any outcome is bad.

import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright'
import { argumentsFrom } from '../../tools/arguments.mjs'
import { chromiumLaunch } from '../../tools/chromium.ts'
import type { Fault, Outcome } from './fault.ts'
import { ForkedEngines } from './forked-engines.ts'
import { faults } from './list.ts'
import { cellsIn, cellsOf, clusterIn, lineOf, pageOf, type Row, timeOf, triesFor } from './table.ts'

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** Milliseconds that one attempt may take in a slow browser; the page itself gives up earlier. */
const patience = 300_000

async function serve(): Promise<Server> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    ...({ bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'silent' } as const),
    external: ['webgpu'],
  })
  const script = outputFiles[0]?.text ?? ''
  const html = '<!doctype html><meta charset=utf-8><title>faults</title><script type=module src=/page.js></script>'
  const server = createServer(({ url }, response) => {
    const headers = url === '/isolated' ? isolation : {}
    if (url === '/page.js')
      return response.writeHead(200, { ...isolation, 'content-type': 'text/javascript' }).end(script)
    if (url === '/isolated' || url === '/open')
      return response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(html)
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function launch(): Promise<Browser> {
  // Help and errors of arguments need no browser.
  const { chromium } = await import('playwright')
  const options = await chromiumLaunch()
  // Without this flag, the third crash would end the GPU for the page.
  const lenient = [
    '--disable-gpu-process-crash-limit',
    '--disable-domain-blocking-for-3d-apis',
    // Without this flag, the heap's size is rounded to 10 MB.
    '--enable-precise-memory-info',
  ]
  return chromium.launch({ ...options, args: [...options.args, ...lenient] })
}

async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  const session = await browser.newBrowserCDPSession()
  await page.exposeFunction('crash', () => session.send('Browser.crashGpuProcess').catch(() => undefined))
  // This collects more than `gc()` of the page does, including code that was not used lately.
  const memory = await page.context().newCDPSession(page)
  await page.exposeFunction('collect', () => memory.send('HeapProfiler.collectGarbage'))
  const engines = new ForkedEngines()
  await page.exposeFunction('openInNode', () => engines.openOne())
  page.once('close', () => engines.end())
  await page.goto(address)
  await page.waitForFunction(() => (globalThis as { ready?: boolean }).ready)
  return page
}

type InPage = { attempt(name: string, seed: number): Promise<Outcome> }

async function attempts(browser: Browser, origin: string, fault: Fault, fixed: number | undefined): Promise<Row> {
  const open = () => openPage(browser, `${origin}/${fault.isolated === false ? 'open' : 'isolated'}`)
  const outcomes: Outcome[] = []
  const times: number[] = []
  let page = await open()
  while (outcomes.length < (fixed ?? fault.tries ?? triesFor(times))) {
    const start = performance.now()
    try {
      const one = { name: fault.name, seed: outcomes.length }
      outcomes.push(await page.evaluate(({ name, seed }) => (globalThis as never as InPage).attempt(name, seed), one))
    } catch (error) {
      outcomes.push({ kind: 'bad', note: `the page was lost: ${error}` })
      page = await open()
    }
    times.push(performance.now() - start)
  }
  await page.close()
  return { fault, outcomes, time: timeOf(times) }
}

const help = `Usage: npm run faults -- [--only <text>] [--tries <n>]

Induces every fault in headless Chromium and writes docs/reliability.md.

  --only <text>   the faults whose names have it; their rows of the page are replaced
  --tries <n>     tries of each fault; what comes of them is printed, not written; by default 1000 if one takes less
                  than 0.1 s, else 100`
const { values } = argumentsFrom(help, { only: { type: 'string' }, tries: { type: 'string' } })
const chosen = faults.filter(({ name }) => name.includes(values.only ?? ''))
if (chosen.length === 0)
  throw new RangeError(
    `"--only" expected a part of one of these, got "${values.only}"\n${faults.map(({ name }) => `  ${name}`).join('\n')}`,
  )
const fixed = values.tries === undefined ? undefined : Number(values.tries)
if (fixed !== undefined && !(Number.isInteger(fixed) && fixed > 0))
  throw new RangeError(`"--tries" expected a whole number from 1 on, got "${values.tries}"`)

const server = await serve()
const browser = await launch()
const rows: Row[] = []
try {
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  for (const fault of chosen) {
    const row = await attempts(browser, origin, fault, fixed)
    rows.push(row)
    console.log(lineOf(row))
    for (const note of new Set(row.outcomes.filter(({ kind }) => kind === 'bad').map((outcome) => outcome.note)))
      console.log(`  bad: ${note}`)
  }
  const where = `Chromium ${browser.version()} with software WebGPU and WebGL`
  if (fixed === undefined) {
    const page = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
    const now = rows.map((row) => [row.fault.name, cellsOf(row)] as const)
    const earlier = await readFile(page, 'utf8')
    const known = new Map([...cellsIn(earlier), ...now])
    const cells = faults.map(({ name }) => known.get(name)).filter((row) => row !== undefined)
    await writeFile(page, pageOf(cells, where, clusterIn(earlier)))
  }
} finally {
  await browser.close()
  server.close()
}
if (rows.some(({ outcomes }) => outcomes.some(({ kind }) => kind === 'bad'))) process.exitCode = 1
