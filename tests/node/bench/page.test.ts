// The page that any visitor's browser can run, started in a headless browser: isolated or not, with WebGPU or without.

import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '../../../bench/page/files.ts'
import { type Served, serve } from '../../../bench/src/node/serve.ts'
import { type PackedRecord, recordOf } from '../../../bench/src/record-text.ts'
import { chromiumLaunch, softwareChromium } from '../../../tools/chromium.ts'
import { patience } from '../../../tools/patience.ts'
import { unpackedFolder } from '../../../tools/unpacked.ts'

let browser: Browser
const served: { isolated?: Served; open?: Served } = {}

beforeAll(async () => {
  const files = await pageFiles()
  served.isolated = await serve(files)
  served.open = await serve(files, { isolated: false })
  browser = await chromium.launch(await chromiumLaunch())
})

afterAll(async () => {
  await browser.close()
  served.isolated?.close()
  served.open?.close()
})

/** The page, once it has looked for devices. Any error in it fails the test. */
async function open(address: string | undefined, prepare?: (page: Page) => Promise<unknown>) {
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await prepare?.(page)
  await page.goto(address ?? '')
  await page.locator('#run:enabled').waitFor()
  return { page, faults }
}

async function choose(page: Page, name: string, values: readonly string[]): Promise<void> {
  for (const box of await page.locator(`input[name=${name}]:enabled`).all()) {
    await box.setChecked(values.includes((await box.getAttribute('value')) ?? ''))
  }
}

async function downloaded(page: Page, id: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(id).click()])
  return readFile(await download.path(), 'utf8')
}

test('pressing run shows rows and plots, and a record of what ran where', async () => {
  const { page, faults } = await open(served.isolated?.address)
  expect(await page.locator('#isolation').textContent()).toContain('Memory can be shared')
  expect(await page.locator('#devices tr', { hasText: 'webgpu' }).textContent()).toContain('software')
  await choose(page, 'size', ['256', '512', '1024'])
  await page.fill('input[name=seconds]', '8')
  await page.click('#run')
  await page.locator('#rows tr').first().waitFor()
  await page.locator('#downloads:visible').waitFor()

  const record = recordOf(JSON.parse(await downloaded(page, '#json')) as PackedRecord)
  expect(record).toMatchObject({ kind: 'scale', environments: [{ isolated: true }] })
  expect(record.partial).toBeUndefined()
  const ran = record.rows.map(({ contender, problem, outcome }) => [contender.name, problem.targets, 'call' in outcome])
  const names = ['webgpu', 'webgl', 'cpu-wasm']
  expect(ran).toEqual([256, 1024].flatMap((n) => names.map((name) => [name, n, true])))
  expect(await page.locator('#report .wide svg').count()).toBeGreaterThan(1)
  expect(await downloaded(page, '#html')).toContain('<h1>From few points to many</h1>')
  expect(faults).toEqual([])
  await page.close()
})

test('without isolation and WebGPU, the page says so and measures the rest', async () => {
  const { page, faults } = await open(served.open?.address, (page) =>
    page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined })),
  )
  expect(await page.locator('#isolation').textContent()).toContain('Memory cannot be shared')
  expect(await page.locator('#devices tr', { hasText: 'webgpu' }).textContent()).toContain('not available: ')
  expect(await page.locator('input[value=webgpu]').isDisabled()).toBe(true)
  await choose(page, 'size', ['256'])
  await choose(page, 'backend', ['cpu-wasm'])
  await page.fill('input[name=expression]', 'exp(-r2)')
  await page.fill('input[name=seconds]', '1')
  await page.click('#run')
  await page.locator('#downloads:visible').waitFor()
  const { rows, environments } = recordOf(JSON.parse(await downloaded(page, '#json')) as PackedRecord)
  expect(environments).toMatchObject([{ isolated: false }])
  expect(rows).toMatchObject([
    { problem: { expression: 'exp(-r2)' }, contender: { name: 'cpu-wasm' }, outcome: { call: {} } },
  ])
  expect(faults).toEqual([])
  await page.close()
})

test('a law that does not parse is reported below its field, and nothing runs', async () => {
  const { page } = await open(served.open?.address)
  await page.fill('input[name=expression]', 'mass_i*')
  await page.click('#run')
  await page.locator('#failure:visible').waitFor()
  expect(await page.locator('#failure').textContent()).toMatch(/expected/)
  expect(await page.locator('#rows tr').count()).toBe(0)
  await page.close()
})

test('after stop, the page keeps its results and marks them as incomplete', async () => {
  const { page } = await open(served.isolated?.address)
  await choose(page, 'backend', ['cpu-wasm'])
  await choose(page, 'size', ['256', '1024'])
  await page.fill('input[name=seconds]', '60')
  await page.click('#run')
  await page.locator('#stop:visible').click()
  await page.locator('#downloads:visible').waitFor()
  expect(recordOf(JSON.parse(await downloaded(page, '#json')) as PackedRecord).partial).toBe('interrupted')
  await page.close()
})

test('the browser brings its fonts, because it crashes on a machine without any', async () => {
  const { FONTCONFIG_FILE: config = '' } = (await softwareChromium()).env
  const folders = [...(await readFile(config, 'utf8')).matchAll(/<dir>(.*?)<\/dir>/g)].map(([, folder]) => folder ?? '')
  const home = await unpackedFolder()
  const outside = (folder: string) => isAbsolute(relative(home, folder)) || relative(home, folder).startsWith('..')
  expect(folders.filter(outside)).toEqual([])
  const files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
  expect(files.flat().filter((file) => /[.][ot]tf$/.test(file)).length).toBeGreaterThan(0)
})
