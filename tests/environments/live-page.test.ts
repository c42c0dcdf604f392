// The live page as a person uses it: built, served by a plain file server below a path, without isolation, on a software GPU.
// One browser and one page, so the tests follow each other as a visit does.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build as bundle } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { patience } from '../../tools/patience.ts'
import { root } from '../../tools/pnpm.mjs'
import { contrastsOf } from './contrasts.ts'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

let folder: string
let server: Server
let browser: Browser
let context: BrowserContext
let page: Page
let address: string
/** Messages on the console that a visitor should not see. */
const complaints: string[] = []

/** Keeps the devices of a thread, so that a test can lose one. */
const keepDevices = () => {
  const devices: GPUDevice[] = []
  Object.assign(globalThis, { devices })
  const { requestDevice } = GPUAdapter.prototype
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await requestDevice.apply(this, args)
    devices.push(device)
    return device
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manybody-live-'))
  const launch = await chromiumLaunch()
  // Without these flags, a software GPU cannot draw a WebGPU canvas, and ends.
  const flags = ['--use-vulkan=swiftshader', '--enable-features=Vulkan']
  const launching = chromium.launch({ ...launch, args: [...launch.args, ...flags] }).then((launched) => {
    browser = launched
  })
  await build({
    configFile: join(root, 'live/vite.config.ts'),
    build: { outDir: folder, minify: false },
    logLevel: 'error',
  })
  const example = join(root, 'examples/three/cluster.ts')
  const bundled = await bundle({
    ...{ entryPoints: [example], outfile: join(folder, 'three.js'), bundle: true, format: 'esm', target: 'es2022' },
    external: ['node:*', 'webgpu', 'gpu.js'],
  })
  expect(bundled.errors).toEqual([])
  const frame =
    '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>body{margin:0;background:#000}</style>'
  await writeFile(join(folder, 'three.html'), `${frame}<script type="module" src="three.js"></script>`)
  server = createServer(async ({ url = '/' }, response) => {
    const name = new URL(url, 'http://localhost').pathname.replace(/^\/some\/path\//, '') || 'index.html'
    const contents = await readFile(join(folder, name)).catch(() => undefined)
    response.writeHead(contents ? 200 : 404, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' })
    response.end(contents)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  address = `http://localhost:${(server.address() as AddressInfo).port}/some/path/`
  await launching
  context = await browser.newContext({ viewport: { width: 400, height: 640 }, locale: 'en-US', colorScheme: 'dark' })
  page = await opened(context)
})

afterAll(async () => {
  await browser?.close()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})

async function opened(where: BrowserContext): Promise<Page> {
  const visit = await where.newPage()
  visit.setDefaultTimeout(patience / 2)
  visit.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  visit.on('pageerror', (error) => complaints.push(String(error)))
  visit.on('worker', (worker) => void worker.evaluate(keepDevices).catch(() => {}))
  return visit
}

const button = (name: string) => page.locator('#controls, #law').getByRole('button', { name, exact: true })
const device = () => page.locator('#device').textContent()
const steps = async () => Number((await page.locator('#steps').textContent())?.replace(/\D/g, ''))

/** The part of the picture between the scenes and the panels of a phone. */
const clip = { x: 0, y: 60, width: 400, height: 500 }

/** Opens one of the panels of a phone, or closes all if there is no name. */
async function panel(name?: string): Promise<void> {
  for (const tab of await page.locator('#tabs button').all()) {
    const [open, wanted] = [await tab.getAttribute('aria-pressed'), (await tab.textContent()) === name]
    if (open !== String(wanted)) await tab.click()
  }
}

/** Chooses an entry of a list among the controls. */
async function choose(name: string, entry: string): Promise<void> {
  await panel('Controls')
  await page.locator('#controls .lil-controller', { hasText: name }).locator('select').selectOption(entry)
}

/** How many pixels of a screenshot are lit, counted by the page. */
async function litPixels(shot: Buffer): Promise<number> {
  return page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
    const bitmap = await createImageBitmap(blob)
    const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    drawing?.drawImage(bitmap, 0, 0)
    const { data = new Uint8ClampedArray() } = drawing?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {}
    let lit = 0
    for (let at = 0; at < data.length; at += 4)
      if ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0) > 120) lit++
    return lit
  }, shot.toString('base64'))
}

/** Presses a key while the picture has the focus. */
const press = (key: string) => page.locator('#stage').press(key)

/**
 * The picture while the run pauses: a software GPU takes long for a screenshot of a picture that moves. It must be drawn.
 */
async function pausedPicture(): Promise<Buffer> {
  await panel()
  await press('Space')
  await expect.poll(() => page.locator('#controls').textContent()).toContain('Go on')
  const shot = await page.screenshot({ clip })
  expect(await litPixels(shot)).toBeGreaterThan(200)
  return shot
}

/** Takes a picture, lets one step happen, and takes another: the picture must have changed. Then the run continues. */
async function moves(): Promise<void> {
  const before = await pausedPicture()
  const at = await steps()
  await press('.')
  await expect.poll(steps).toBeGreaterThan(at)
  await expect.poll(async () => (await page.screenshot({ clip })).equals(before)).toBe(false)
  await press('Space')
}

test('the first picture appears within two seconds, and moves', async () => {
  // A machine that is busy with other things may need another visit.
  let visits = 0
  const firstPicture = async () => {
    const began = performance.now()
    await page.goto(`${address}?visit=${++visits}#count=600`)
    await page.locator('#stage canvas[data-painter]').waitFor()
    return performance.now() - began
  }
  await expect.poll(firstPicture).toBeLessThan(2000)
  await expect.poll(device).toMatch(/600 bodies on (cpu-wasm|webgpu|webgl).* drawn in a worker, with WebG/)
  await moves()
})

test('every scene starts, and is drawn', async () => {
  const scenes = page.getByRole('navigation', { name: 'Scenes' }).getByRole('button')
  const names = await scenes.allTextContents()
  expect(names).toHaveLength(7)
  for (const name of names) {
    await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button', { name }).click()
    await expect.poll(() => page.locator('#title').textContent()).toBe(name)
    await expect.poll(steps).toBeGreaterThan(0)
    await pausedPicture()
  }
})

test('a typo in the law is shown at its column, while the bodies move on; the corrected law runs', async () => {
  await page.getByRole('button', { name: 'Star cluster' }).click()
  await panel('Law')
  const law = page.getByLabel('energy of a pair')
  const verdict = page.locator('#verdict')
  await law.fill('-G*mass_i*mas_j/sqrt(r2 + softening^2)')
  await expect.poll(() => verdict.textContent()).toMatch(/no "mas" \(column 11\); they have: mass/)
  await law.fill('-G*mass_i*mass_j/sqrt(r2 + soft^2)')
  await expect.poll(() => verdict.textContent()).toMatch(/unknown name "soft".*\(column 28\)/)
  expect(await page.locator('#message mark').textContent()).toBe('soft')
  await moves()
  await panel('Law')
  await law.fill('-1.25*G*mass_i*mass_j/sqrt(r2 + softening^2)')
  await expect.poll(() => verdict.textContent()).toMatch(/^compiles/)
  await button('Show the source').click()
  // The dialog shows the code made from the law, and the scene as a program.
  await expect.poll(() => page.locator('#dialog pre').textContent()).toMatch(/targets/)
  await page.getByLabel('Which source').selectOption('scenes/cluster.ts')
  expect(await page.locator('#dialog pre').textContent()).toContain('plummerSphere({ count, seed })')
  await page.keyboard.press('Escape')
})

test('the text that a visitor typed stays while the page settles, right or wrong, and is in the link', async () => {
  const other = await opened(context)
  await other.goto(`${address}#scene=cluster`)
  await other.getByRole('button', { name: 'Law' }).click()
  const law = other.getByLabel('energy of a pair')
  await law.fill('-1.5*G*mass_i*mass_j/sqrt(r2 + softening^2)')
  const told = () => other.locator('#device').textContent()
  await expect.poll(told).toMatch(/bodies on /)
  const before = await told()
  await law.fill('-1.5*G*mass_i*')
  // The number of bodies changes while the page searches for the right one.
  await expect.poll(told).not.toBe(before)
  expect(await law.inputValue()).toBe('-1.5*G*mass_i*')
  expect(await other.locator('#verdict').getAttribute('class')).toBe('bad')
  await other.getByRole('button', { name: 'Controls' }).click()
  await other.locator('#controls').getByRole('button', { name: 'Copy a link' }).click()
  expect(await other.getByLabel('Link', { exact: true }).inputValue()).toContain('law.energy=-1.5*G')
  await other.close()
})

test('the whole law can be seen, and on a low page nothing covers an error', async () => {
  const wide = await browser.newContext({
    viewport: { width: 1366, height: 625 },
    locale: 'en-US',
    colorScheme: 'dark',
  })
  const other = await opened(wide)
  await other.goto(`${address}#scene=cluster&count=300`)
  const law = other.getByLabel('energy of a pair')
  const text = '-G*mass_i*mass_j*(exp(-r/2) + 0.25*exp(-r/4) + 0.125*exp(-r/8) + 0.0625*exp(-r/16))/sqrt(r2 + soft^2)'
  await law.fill(text)
  expect(await law.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThan(2)
  const mark = other.locator('#message mark')
  await expect.poll(() => mark.textContent()).toBe('soft')
  const onTop = () =>
    mark.evaluate((shown) => {
      const { left, top, width, height } = shown.getBoundingClientRect()
      const first = document.elementFromPoint(left + width / 2, top + height / 2)
      return shown.contains(first) ? 'the mark' : `${first?.outerHTML.slice(0, 200)} at ${left}, ${top}`
    })
  await expect.poll(onTop).toBe('the mark')
  expect(await other.locator('#links a').allTextContents()).toEqual(['Docs', 'Install', 'Code'])
  // In the dark theme, each button of the controls stands out from the panel, and its name from the button.
  const contrasts = await other.locator('#controls .lil-function button').evaluateAll(contrastsOf)
  expect(contrasts.length).toBeGreaterThan(8)
  for (const { name, text, edge } of contrasts) {
    expect(text, name).toBeGreaterThan(4.5)
    expect(edge, name).toBeGreaterThan(1.2)
  }
  await wide.close()
})

test('other backends and loops continue from the same state, which is right', async () => {
  for (const backend of ['webgl', 'webgpu', 'cpu-wasm']) {
    const before = await steps()
    await choose('backend', backend)
    await expect.poll(device).toContain(`on ${backend},`)
    await expect.poll(steps).toBeGreaterThan(before)
  }
  await choose('loop', 'simd')
  await expect.poll(device).toContain('on cpu-wasm, loop simd')
  await button('Verify now').click()
  await expect.poll(() => page.locator('#dialog').textContent()).toMatch(/Right: no error exceeds its bound.*loop simd/)
  await page.keyboard.press('Escape')
  await button('Why this backend?').click()
  await expect.poll(() => page.locator('#dialog tbody tr').count()).toBe(4)
  await page.keyboard.press('Escape')
})

test('a law that leaves the finite numbers ends the run, and the next law starts over', async () => {
  await panel('Law')
  const law = page.getByLabel('energy of a pair')
  const before = await law.inputValue()
  await law.fill('sqrt(r2 - 100)')
  await expect.poll(() => page.locator('#notice').textContent()).toMatch(/is NaN .* the run has ended/)
  const began = performance.now()
  await law.fill(before)
  await expect.poll(() => page.locator('#controls').textContent()).toContain('Pause')
  // The notice would stay for half a minute; it goes with the run that it speaks of.
  await expect.poll(() => page.locator('#notice').isVisible()).toBe(false)
  expect(performance.now() - began).toBeLessThan(25_000)
  await moves()
})

test('a comparison says what it does, and can be stopped', async () => {
  await panel('Controls')
  await page.locator('#controls .lil-controller', { hasText: 'bodies' }).locator('input').fill('20000')
  await page.keyboard.press('Enter')
  await expect.poll(device).toMatch(/20,000 bodies/)
  await button('Compare all').click()
  const dialog = page.locator('#dialog')
  await expect
    .poll(() => dialog.textContent())
    .toMatch(/web\w+ (opens and compiles|takes steps|is compared .*) …Stop[1-9]/)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => dialog.textContent()).toContain('Stopped. Steps of')
  expect(await dialog.locator('tbody tr').count()).toBeLessThan(3)
  await page.keyboard.press('Escape')
  const at = await steps()
  await expect.poll(steps).toBeGreaterThan(at)
  await page.locator('#controls .lil-controller', { hasText: 'bodies' }).locator('input').fill('600')
  await page.keyboard.press('Enter')
  await expect.poll(device).toMatch(/600 bodies/)
})

test('a run goes back to where it came from', async () => {
  await panel('Controls')
  await button('Backwards').click()
  const before = await steps()
  await expect.poll(steps).toBeGreaterThan(before)
  await button('Forwards').click()
})

test('plots are drawn once for a picture of the page, and not on the GPU', async () => {
  await panel('Figures')
  const canvases = page.locator('#plots canvas')
  await expect.poll(() => canvases.count()).toBe(4)
  const most = await page.evaluate(async () => {
    const { clearRect } = CanvasRenderingContext2D.prototype
    const cleared: HTMLCanvasElement[] = []
    CanvasRenderingContext2D.prototype.clearRect = function (...args) {
      cleared.push(this.canvas)
      clearRect.apply(this, args)
    }
    const drawings: number[] = []
    for (let pictures = 0; pictures < 4; pictures++) {
      await new Promise(requestAnimationFrame)
      drawings.push(cleared.length - new Set(cleared.splice(0)).size)
      // The page is busy, and the worker takes steps.
      const until = performance.now() + 200
      while (performance.now() < until);
    }
    CanvasRenderingContext2D.prototype.clearRect = clearRect
    return Math.max(...drawings)
  })
  expect(most).toBe(0)
  // A canvas on the GPU makes the page wait until a slow one has drawn all pictures of the bodies.
  const inMemory = await canvases.evaluateAll((all) =>
    all.map((canvas) => (canvas as HTMLCanvasElement).getContext('2d')?.getContextAttributes().willReadFrequently),
  )
  expect(inMemory).toEqual([true, true, true, true])
})

test('a wide window shows all panels, and a phone one at a time', async () => {
  const shown = () => Promise.all(['law', 'figures', 'controls'].map((id) => page.locator(`#${id}`).isVisible()))
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await panel('Figures')
  expect([await shown(), await overflow()]).toEqual([[false, true, false], 0])
  await page.setViewportSize({ width: 1000, height: 640 })
  await expect.poll(shown).toEqual([true, true, true])
  expect(await overflow()).toBe(0)
  await page.setViewportSize({ width: 400, height: 640 })
  await expect.poll(shown).toEqual([false, true, false])
})

test('after the loss of the device the run continues on another', async () => {
  await choose('backend', 'webgpu')
  await expect.poll(device).toMatch(/on webgpu,.* with WebGPU/)
  const before = await steps()
  // The first worker computes and draws; the others are its threads.
  const destroyed = await page.workers()[0]?.evaluate(() => {
    const { devices } = globalThis as unknown as { devices: GPUDevice[] }
    for (const kept of devices) kept.destroy()
    return devices.length
  })
  expect(destroyed).toBeGreaterThan(0)
  await expect.poll(() => page.locator('#notice').textContent()).toMatch(/The device was lost. The run goes on/)
  await expect.poll(steps).toBeGreaterThan(before)
  await moves()
})

test('a link opens the same state elsewhere', async () => {
  await pausedPicture()
  await panel('Controls')
  await button('Copy a link').click()
  const short = await page.getByLabel('Link', { exact: true }).inputValue()
  expect(short.length - address.length).toBeLessThan(500)
  const link = await page.getByLabel('Link with the bodies').inputValue()
  const shared = await steps()
  await page.keyboard.press('Escape')
  const other = await opened(context)
  await other.goto(link)
  await expect.poll(() => other.locator('#steps').textContent()).toBe(`step ${shared.toLocaleString('en')}`)
  expect(await other.getByLabel('energy of a pair').inputValue()).toContain('-1.25*G')
  await expect.poll(() => other.locator('#device').textContent()).toContain('on webgpu')
  expect(await litPixels(await other.screenshot({ clip }))).toBeGreaterThan(200)
  await other.close()
})

test('the browser goes back to the scene before', async () => {
  await page.getByRole('button', { name: 'Boids' }).click()
  await expect.poll(() => page.url()).toContain('scene=boids')
  await page.getByRole('button', { name: 'Vortices' }).click()
  await expect.poll(() => page.url()).toContain('scene=vortices')
  await page.goBack()
  await expect.poll(() => page.locator('#title').textContent()).toBe('Boids')
  await expect.poll(steps).toBeGreaterThan(0)
})

test('a link with a loop that no device has runs without it, and one with a wrong law waits for a right one', async () => {
  const other = await opened(context)
  await other.goto(`${address}#scene=cluster&count=600&backend=webgl&variant=split`)
  const told = other.locator('#device')
  await expect.poll(() => told.textContent()).toMatch(/600 bodies on /)
  expect(await other.locator('#notice').textContent()).toMatch(/has no variant "split".*the best backend/)
  await other.goto('about:blank')
  await other.goto(`${address}#scene=cluster&count=600&law.energy=foo(r)`)
  await expect.poll(() => told.textContent()).toMatch(/Nothing runs/)
  await other.getByRole('button', { name: 'Law' }).click()
  await other.getByLabel('energy of a pair').fill('-mass_i*mass_j/(r + 0.1)')
  await expect.poll(() => told.textContent()).toMatch(/600 bodies on /)
  await other.close()
})

test('without OffscreenCanvas and WebGPU the page itself works, by touch, and starts at rest if less motion is preferred', async () => {
  const phone = await browser.newContext({
    ...{ viewport: { width: 400, height: 640 }, locale: 'en-US', hasTouch: true, isMobile: true },
    ...{ reducedMotion: 'reduce', colorScheme: 'light' },
  })
  await phone.addInitScript(() => {
    Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen')
    Reflect.deleteProperty(Navigator.prototype, 'gpu')
  })
  const other = await opened(phone)
  await other.goto(`${address}#scene=galaxies&count=400`)
  await expect
    .poll(() => other.locator('#device').textContent())
    .toMatch(/400 bodies on (cpu-wasm|webgl).* drawn on the page's thread, with WebGL2/)
  await other.locator('#tabs').getByText('Controls').tap()
  await expect.poll(() => other.getByRole('button', { name: 'Go on' }).isVisible()).toBe(true)
  expect(await other.locator('#steps').textContent()).toBe('step 0')
  await other.getByRole('button', { name: 'Step', exact: true }).tap()
  await expect.poll(() => other.locator('#steps').textContent()).toBe('step 1')
  await other.locator('#tabs').getByText('Controls').tap()
  const shot = () => other.screenshot({ clip })
  const before = await shot()
  const touches = await phone.newCDPSession(other)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: readonly { x: number; y: number }[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints: [...at] })
  await touch('touchStart', { x: 150, y: 300 }, { x: 250, y: 300 })
  await touch('touchMove', { x: 120, y: 300 }, { x: 280, y: 300 })
  await touch('touchEnd')
  await expect.poll(async () => (await shot()).equals(before)).toBe(false)
  await phone.close()
})

test('three.js draws a simulation from its buffer', async () => {
  const other = await opened(context)
  await other.goto(`${address}three.html`)
  await other.locator('canvas').waitFor()
  const shot = () => other.screenshot()
  await expect.poll(async () => litPixels(await shot())).toBeGreaterThan(400)
  const before = await shot()
  await expect.poll(async () => (await shot()).equals(before)).toBe(false)
  await other.close()
})

test('nothing is written to the console', () => {
  expect(complaints).toEqual([])
})
