/** A session in a headless browser. Its page measures; Node sends the problems and receives the rows. */

import { fileURLToPath } from 'node:url'
import type { Browser, LaunchOptions, Page } from 'playwright'
import { softwareChromium } from '../../../tools/chromium.ts'
import type { NodeApi, PageApi } from '../browser/headless.ts'
import type { BackendSpec } from '../contenders/backend.ts'
import { BadInputError } from '../errors.ts'
import type { Session } from '../sessions/session.ts'
import { bundle } from './bundle.ts'
import { serve } from './serve.ts'

type PageGlobals = { readonly manybodyBench: PageApi }

/**
 * @param path of a Chromium to use instead of ours
 * @throws Error if there is no browser that can be started
 * @throws BadInputError if the requested browser cannot be started
 */
export async function chromiumSession(specs: readonly BackendSpec[], path?: string): Promise<Session> {
  const served = await serve(await bundle(fileURLToPath(new URL('../browser/headless.ts', import.meta.url))))
  let browser: Browser | undefined
  try {
    browser = path === undefined ? await launched(await ownBrowser()) : await typedBrowser(path)
    const page = await browser.newPage()
    return await sessionOf(page, specs, served.address, async () => {
      await browser?.close()
      served.close()
    })
  } catch (error) {
    await browser?.close()
    served.close()
    throw error
  }
}

async function launched(options: LaunchOptions): Promise<Browser> {
  // Loading this at once would double the time until help appears.
  const { chromium } = await import('playwright')
  return chromium.launch({ ...options, handleSIGINT: false, handleSIGTERM: false, timeout: 60_000 })
}

/** The browser of the tests, which needs no graphics card, if it is installed. Otherwise the installed Chrome, with its GPU. */
const ownBrowser = async (): Promise<LaunchOptions> =>
  process.platform === 'linux' && process.arch === 'x64'
    ? softwareChromium()
    : { channel: 'chrome', args: ['--enable-unsafe-webgpu'] }

/** Uses the GPU of this machine, on Linux through Vulkan. @throws BadInputError */
async function typedBrowser(executablePath: string): Promise<Browser> {
  const args = ['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--ignore-gpu-blocklist']
  try {
    // Chromium has no sandbox for the superuser.
    return await launched({ executablePath, args: process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const reason = line.includes('has been closed') ? 'it ended at once' : line.replace(/^browserType\.launch: /, '')
    throw new BadInputError(`--browser "${executablePath}" is not a Chromium that can be started: ${reason}`)
  }
}

async function sessionOf(
  page: Page,
  specs: readonly BackendSpec[],
  address: string,
  dispose: () => Promise<void>,
): Promise<Session> {
  let listener: ((fraction: number) => void) | undefined
  const reportProgress: NodeApi['reportProgress'] = async (fraction) => listener?.(fraction)
  await page.exposeFunction('reportProgress', reportProgress)
  await page.goto(address)
  const environment = await page.evaluate(
    (specs) => (globalThis as unknown as PageGlobals).manybodyBench.open(specs),
    specs,
  )
  return {
    environment,
    refusals: (spec) =>
      page.evaluate((spec) => (globalThis as unknown as PageGlobals).manybodyBench.refusals(spec), spec),
    async measure(spec, { signal, onProgress, ...options }) {
      listener = onProgress
      const stop = () =>
        void page.evaluate(() => (globalThis as unknown as PageGlobals).manybodyBench.stop()).catch(() => {})
      signal?.addEventListener('abort', stop)
      try {
        return await page.evaluate(
          ([spec, options]) => (globalThis as unknown as PageGlobals).manybodyBench.measure(spec, options),
          [spec, options] as const,
        )
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
    dispose,
  }
}
