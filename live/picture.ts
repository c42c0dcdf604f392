/** Takes the picture of the live page for the documentation: the galaxies while they pass each other, in a headless browser. */

import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { chromiumLaunch } from '../tools/chromium.ts'

const state = 'scene=galaxies&count=6000&seed=1&camera=0+0+0+6.4+0.5+0.95'
const steps = 50
const size = { width: 1280, height: 760 }

/** @returns the path of the picture */
export async function takePicture(configFile: string): Promise<string> {
  const path = fileURLToPath(new URL('../docs/pictures/live.jpg', import.meta.url))
  await build({ configFile, logLevel: 'warn' })
  const server = await preview({ configFile, logLevel: 'warn' })
  const browser = await chromium.launch(await chromiumLaunch())
  try {
    const page = await browser.newPage({ viewport: size, locale: 'en-US', colorScheme: 'dark' })
    await page.goto(`${server.resolvedUrls?.local[0]}#${state}`)
    const taken = `Number(document.getElementById('steps')?.textContent?.replace(/\\D/g, '')) >= ${steps}`
    await page.waitForFunction(taken, undefined, { timeout: 300_000 })
    await page.screenshot({ path, type: 'jpeg', quality: 84 })
  } finally {
    await browser.close()
    await server.close()
  }
  return path
}
