// The browsers that `npm run browsers` knows, besides the headless Chromium of the tests: installed browsers, started with a new profile
// and one address. It drives none of them: pages report their findings to their server.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { softwareChromium } from '../../tools/chromium.ts'

export interface Installed {
  readonly version: string
  /** Opens an address; `profile` is an empty folder. */
  open(address: string, profile: string): Promise<ChildProcess>
}

const found = (paths: readonly string[]) => paths.find((path) => existsSync(path))
const versionOf = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' }).trim()

/** A separate process group, so that its child processes can be ended with it. */
const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawn(command, args, { env, stdio: 'ignore', detached: true })

const shown = () => process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
const virtual = '/usr/bin/xvfb-run'
const hasDisplay = () => shown() || existsSync(virtual)

/** The command that gives another one a display: without a display there is no WebGL. */
const display = (): readonly string[] => (shown() ? [] : [virtual, '-a'])

function firefox(): Installed | undefined {
  const command = found([
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ])
  if (!command || !hasDisplay()) return undefined
  return {
    version: versionOf(command, '--version'),
    async open(address, profile) {
      // Without these settings, the first start shows welcome pages, and WebGL refuses rasterisers.
      const preferences = [
        '"webgl.force-enabled", true',
        '"browser.shell.checkDefaultBrowser", false',
        '"datareporting.policy.dataSubmissionEnabled", false',
      ]
      await writeFile(join(profile, 'user.js'), preferences.map((preference) => `user_pref(${preference});\n`).join(''))
      const [first = '', ...rest] = [...display(), command, '--no-remote', '--profile', profile, address]
      return start(first, rest, { ...process.env, HOME: profile })
    },
  }
}

function webkit(): Installed | undefined {
  const command = found(
    ['4.1', '6.0', '4.0'].flatMap((api) =>
      ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/libexec'].map(
        (folder) => `${folder}/webkit2gtk-${api}/MiniBrowser`,
      ),
    ),
  )
  if (!command || !hasDisplay()) return undefined
  return {
    version: versionOf(
      '/usr/bin/env',
      'WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1',
      ...display(),
      command,
      '--version',
    ),
    open: async (address, profile) => {
      const [first = '', ...rest] = [...display(), command, '--private', address]
      // Its sandbox needs user namespaces, which containers lack; it opens only this page.
      return start(first, rest, { ...process.env, HOME: profile, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' })
    },
  }
}

async function chromium(): Promise<Installed | undefined> {
  const { executablePath, args, env } = await softwareChromium()
  return {
    version: versionOf('/usr/bin/env', `LD_LIBRARY_PATH=${env.LD_LIBRARY_PATH}`, executablePath, '--version'),
    open: async (address, profile) =>
      start(executablePath, [...args, '--headless', `--user-data-dir=${profile}`, address], env),
  }
}

/** The browsers by name; undefined if not installed. */
export const browsers: Readonly<Record<string, () => Installed | undefined | Promise<Installed | undefined>>> = {
  firefox,
  webkit,
  chromium,
}
