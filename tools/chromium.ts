// How to start the headless browser of tests and benchmarks: its path, its environment and its flags, as data for Playwright. WebGPU and WebGL2 run on
// SwiftShader, so no graphics hardware, driver or system package is needed. The variable CHROMIUM names another browser, with the flags in
// CHROMIUM_FLAGS: a browser on a GPU, or on another rasteriser. It launches nothing itself.

import { join } from 'node:path'
import { patience } from './patience.ts'
import { unpackedFolder } from './unpacked.ts'

/** The part of Playwright's `LaunchOptions` that selects the browser and its settings. */
export interface ChromiumLaunch {
  readonly executablePath: string
  readonly env: Record<string, string>
  readonly args: string[]
  /** Milliseconds for the start. */
  readonly timeout: number
}

/** The launch options of the browser in CHROMIUM; if it is not set, of the headless one. */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const { CHROMIUM, CHROMIUM_FLAGS = '' } = process.env
  if (!CHROMIUM) return softwareChromium()
  const flags = CHROMIUM_FLAGS.split(' ').filter((flag) => flag !== '')
  return { executablePath: CHROMIUM, env: environment(), args: ['--no-sandbox', ...flags], timeout: patience }
}

/** The launch options of the headless Chromium with software WebGPU and WebGL2. */
export async function softwareChromium(): Promise<ChromiumLaunch> {
  const folder = await unpackedFolder()
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...environment(),
      LD_LIBRARY_PATH: join(folder, 'lib'),
      // A machine without fonts crashes the browser at the first text that it draws.
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
    args: ['--no-sandbox', '--enable-unsafe-webgpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    timeout: patience,
  }
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
