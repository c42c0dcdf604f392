// Each scene of the gallery runs in a page, and looks like its picture in the manual. A picture that is missing is drawn: look at it,
// and commit it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../../bench/src/node/serve.ts'
import { entries, galleryFiles } from '../../site/gallery.ts'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { patience } from '../../tools/patience.ts'
import { root } from '../../tools/pnpm.mjs'

const size = { width: 480, height: 320 }
/** After how many frames a scene is drawn. */
const frames: Readonly<Record<string, number>> = {
  'dam-break': 45,
  density: 5,
  droplets: 60,
  flock: 100,
  galaxies: 75,
  graph: 80,
  ions: 100,
  'particle-life': 120,
  salt: 40,
  vortices: 90,
}
const pictureOf = (name: string): string => join(root, 'docs/pictures/gallery', `${name}.jpg`)

let browser: Browser
let served: Served
let page: Page
beforeAll(async () => {
  const launching = chromiumLaunch().then((launch) => chromium.launch(launch))
  served = await serve(await galleryFiles(), { isolated: false })
  browser = await launching
  page = await browser.newPage({ viewport: size })
})
afterAll(async () => {
  await browser?.close()
  served?.close()
})

/** Lets a page draw so many frames, and no more. */
const stopping = (most: number) => {
  const next = requestAnimationFrame
  let drawn = 0
  globalThis.requestAnimationFrame = (draw) => {
    if (drawn++ < most) return next(draw)
    document.documentElement.dataset.done = 'yes'
    return 0
  }
}

async function drawn(name: string): Promise<Buffer> {
  const scene = await browser.newPage({ viewport: size })
  const errors: string[] = []
  scene.on('pageerror', ({ message }) => errors.push(message))
  scene.on('console', (said) => said.type() === 'error' && errors.push(said.text()))
  await scene.addInitScript(stopping, frames[name] ?? 0)
  await scene.goto(`${served.address}${name}.html`)
  const done = scene.waitForSelector('html[data-done]', { state: 'attached', timeout: patience })
  await Promise.race([done, expect.poll(() => errors, { timeout: patience }).not.toEqual([])]).catch(() => {})
  expect(errors.filter((error) => !error.includes('favicon'))).toEqual([])
  await done
  const picture = await scene.screenshot({ type: 'jpeg', quality: 70 })
  await scene.close()
  return picture
}

/** Mean red, green and blue of a picture, and the spread of its brightness: enough to tell scenes apart, and the same for each path. */
const look = (picture: Buffer) =>
  page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/jpeg;base64,${base64}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('expected a canvas')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    const sums = [0, 0, 0, 0, 0]
    for (let n = 0; n < data.length; n += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(n, n + 3)
      const bright = red + green + blue
      for (const [k, value] of [red, green, blue, bright, bright * bright].entries()) sums[k] = (sums[k] ?? 0) + value
    }
    const [red = 0, green = 0, blue = 0, mean = 0, square = 0] = sums.map((sum) => (4 * sum) / data.length)
    return { red, green, blue, spread: Math.sqrt(square - mean * mean) }
  }, picture.toString('base64'))

test('every scene has its number of frames', () => {
  expect(Object.keys(frames)).toEqual(entries.map(({ name }) => name))
})

test.each(entries.map(({ name }) => name))('%s looks like its picture', async (name) => {
  const picture = await drawn(name)
  const file = pictureOf(name)
  if (!existsSync(file)) {
    writeFileSync(file, picture)
    throw new Error(`${file} was missing, and is drawn now: look at it, and commit it`)
  }
  const [now, before] = [await look(picture), await look(readFileSync(file))]
  for (const part of ['red', 'green', 'blue', 'spread'] as const)
    expect(Math.abs(now[part] - before[part]), part).toBeLessThan(0.15 * before[part] + 2)
})

test('scenes differ by more than what a picture allows', async () => {
  const [first, second] = [await look(readFileSync(pictureOf('salt'))), await look(readFileSync(pictureOf('ions')))]
  expect(Math.abs(first.red - second.red)).toBeGreaterThan(0.15 * second.red + 2)
})

test('an entry is one file of about forty lines, and the gallery lists it with its picture', () => {
  const manual = readFileSync(join(root, 'docs/gallery.md'), 'utf8')
  for (const { name, title, about, html } of entries) {
    expect(html.split('\n').length, name).toBeLessThan(56)
    expect(html).not.toMatch(/src=|href=/)
    expect(manual).toContain(`[![${title}](pictures/gallery/${name}.jpg)](../examples/gallery/${name}.html)`)
    expect(manual).toContain(about)
  }
})
