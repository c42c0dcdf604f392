/** A session in a headless browser: its page measures, Node asks and listens. */

import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright'
import { chromiumLaunch } from '../../../tests/support/chromium.ts'
import type { NodeApi, PageApi } from '../browser/page-api.ts'
import type { BackendSpec } from '../contenders/backend.ts'
import type { Session } from '../session.ts'
import { bundle } from './bundle.ts'
import { serve } from './serve.ts'

type PageGlobals = { readonly manybodyBench: PageApi<unknown> }

/** Of the backends. @throws Error if there is no browser that can be started */
export function chromiumSession(specs: readonly BackendSpec[]): Promise<Session> {
  return pageSession(fileURLToPath(new URL('../browser/headless.ts', import.meta.url)), specs)
}

/**
 * Of a script that offers a session; see `browser/page-api.ts`.
 *
 * @param options what its session is opened with
 * @param libraries scripts that the page loads first
 * @throws Error if there is no browser that can be started
 */
export async function pageSession(
  script: string,
  options: unknown,
  libraries: readonly string[] = [],
): Promise<Session> {
  const served = await serve(await bundle(script))
  let browser: Browser | undefined
  try {
    browser = await chromium.launch({ ...(await launchOptions()), handleSIGINT: false })
    const page = await browser.newPage()
    return await sessionOf(page, options, libraries, served.address, async () => {
      await browser?.close()
      served.close()
    })
  } catch (error) {
    await browser?.close()
    served.close()
    throw error
  }
}

/** The browser of the tests, which needs no graphics card; elsewhere the Chrome that is installed, with its GPU. */
const launchOptions = async (): Promise<LaunchOptions> =>
  process.platform === 'linux' && process.arch === 'x64'
    ? chromiumLaunch()
    : { channel: 'chrome', args: ['--enable-unsafe-webgpu'] }

async function sessionOf(
  page: Page,
  options: unknown,
  libraries: readonly string[],
  address: string,
  dispose: () => Promise<void>,
): Promise<Session> {
  let listener: ((fraction: number) => void) | undefined
  const reportProgress: NodeApi['reportProgress'] = async (fraction) => listener?.(fraction)
  await page.exposeFunction('reportProgress', reportProgress)
  await page.goto(address)
  for (const path of libraries) await page.addScriptTag({ path })
  const environment = await page.evaluate(
    (options) => (globalThis as unknown as PageGlobals).manybodyBench.open(options),
    options,
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
