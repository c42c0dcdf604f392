// The page that any visitor's browser can run, started in a headless browser: isolated or not, with WebGPU or without.

import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '../../../bench/page/files.ts'
import { type Served, serve } from '../../../bench/src/node/serve.ts'
import { recordOf } from '../../../bench/src/record-text.ts'
import { chromiumLaunch, softwareChromium } from '../../../tools/chromium.ts'
import { patience } from '../../../tools/patience.ts'
import { unpackedFolder } from '../../../tools/unpacked.ts'

let browser: Browser
let served: { readonly isolated: Served; readonly open: Served }

beforeAll(async () => {
  const files = await pageFiles()
  served = { isolated: await serve(files), open: await serve(files, { isolated: false }) }
  browser = await chromium.launch(await chromiumLaunch())
})

afterAll(async () => {
  await browser.close()
  for (const one of Object.values(served)) one.close()
})

/** Uses the page, once it has looked for devices. Any error in it fails the test. */
async function onPage(where: keyof typeof served, use: (page: Page) => Promise<void>, script = ''): Promise<void> {
  const page = await browser.newPage()
  page.setDefaultTimeout(patience)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.addInitScript(script)
  await page.goto(served[where].address)
  await page.locator('#run:enabled').waitFor()
  await use(page)
  expect(faults).toEqual([])
  await page.close()
}

async function choose(page: Page, name: string, values: readonly string[]): Promise<void> {
  for (const box of await page.locator(`input[name=${name}]:enabled`).all())
    await box.setChecked(values.includes((await box.getAttribute('value')) ?? ''))
}

async function downloaded(page: Page, id: string): Promise<string> {
  await page.locator('#downloads:visible').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(id).click()])
  return readFile(await download.path(), 'utf8')
}

const record = async (page: Page) => recordOf(JSON.parse(await downloaded(page, '#json')))

test('pressing run shows rows and plots, and a record of what ran where', () =>
  onPage('isolated', async (page) => {
    expect(await page.locator('#isolation').textContent()).toContain('Memory can be shared')
    expect(await page.locator('#devices tr', { hasText: 'webgpu' }).textContent()).toContain('software')
    await choose(page, 'size', ['256', '512', '1024'])
    await page.fill('input[name=seconds]', '8')
    await page.click('#run')
    await page.locator('#rows tr').first().waitFor()
    const { rows, ...about } = await record(page)
    expect(about).toMatchObject({ kind: 'scale', environments: [{ isolated: true }] })
    expect(about.partial).toBeUndefined()
    const ran = rows.map(({ contender, problem, outcome }) => [contender.name, problem.targets, 'call' in outcome])
    const names = ['webgpu', 'webgl', 'cpu-wasm']
    expect(ran).toEqual([256, 1024].flatMap((n) => names.map((name) => [name, n, true])))
    expect(await page.locator('#report svg.plot').count()).toBe(1)
    expect(await downloaded(page, '#html')).toContain('<h1>From few points to many</h1>')
  }))

test('without isolation and WebGPU, the page says so and measures the rest', () =>
  onPage(
    'open',
    async (page) => {
      expect(await page.locator('#isolation').textContent()).toContain('Memory cannot be shared')
      expect(await page.locator('#devices tr', { hasText: 'webgpu' }).textContent()).toContain('not available: ')
      expect(await page.locator('input[value=webgpu]').isDisabled()).toBe(true)
      await choose(page, 'size', ['256'])
      await choose(page, 'backend', ['cpu-wasm'])
      await page.fill('input[name=expression]', 'exp(-r2)')
      await page.fill('input[name=seconds]', '1')
      await page.click('#run')
      expect(await record(page)).toMatchObject({
        environments: [{ isolated: false }],
        rows: [{ problem: { expression: 'exp(-r2)' }, contender: { name: 'cpu-wasm' }, outcome: { call: {} } }],
      })
    },
    "Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined })",
  ))

test('a law that does not parse is reported below its field; after stop, results are kept as incomplete', () =>
  onPage('open', async (page) => {
    await page.fill('input[name=expression]', 'mass_i*')
    await page.click('#run')
    await page.locator('#failure:visible').waitFor()
    expect(await page.locator('#failure').textContent()).toMatch(/expected/)
    expect(await page.locator('#rows tr').count()).toBe(0)
    await page.fill('input[name=expression]', '')
    await choose(page, 'backend', ['cpu-wasm'])
    await page.fill('input[name=seconds]', '60')
    await page.click('#run')
    await page.locator('#stop:visible').click()
    expect((await record(page)).partial).toBe('interrupted')
  }))

test('the browser brings its fonts, because it crashes on a machine without any', async () => {
  const { FONTCONFIG_FILE: config = '' } = (await softwareChromium()).env
  const folders = [...(await readFile(config, 'utf8')).matchAll(/<dir>(.*?)<\/dir>/g)].map(([, folder]) => folder ?? '')
  const home = await unpackedFolder()
  const outside = (folder: string) => isAbsolute(relative(home, folder)) || relative(home, folder).startsWith('..')
  expect(folders.filter(outside)).toEqual([])
  const files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
  expect(files.flat().filter((file) => /[.][ot]tf$/.test(file)).length).toBeGreaterThan(0)
})
