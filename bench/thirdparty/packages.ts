/**
 * The packages of rivals. The first comparison installs them here with npm, from this folder's lockfile, and loads them from here. No part
 * of the workspace depends on them.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const require = createRequire(import.meta.url)

const stampOf = (folder: string): string => join(folder, 'node_modules/.installed')

/** Whether the packages of the lockfile are installed for this version of Node. */
function isInstalled(folder: string): boolean {
  return existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === wantedIn(folder)
}

const wantedIn = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(process.version)
    .digest('hex')

/**
 * Installs the packages of the lockfile, if necessary, without running any of their scripts.
 *
 * @param announce called with a message before the network is used
 * @returns the reason for a failure in one line, or undefined
 */
export function install(announce: (line: string) => void, folder: string = here): string | undefined {
  if (isInstalled(folder)) return undefined
  announce('Installing the rivals with npm ci in bench/thirdparty (about 75 MB, once) ...')
  const { status, stderr, error } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      timeout: 600_000,
    },
  )
  if (status !== 0) {
    const lines = (stderr ?? '').split('\n').flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? [])
    const told = lines.find((line) => !/^(code|errno|syscall) /.test(line))
    return `npm ci in bench/thirdparty failed: ${told ?? error?.message ?? `exit code ${status}`}`
  }
  writeFileSync(stampOf(folder), wantedIn(folder))
  return undefined
}

/** Installs the packages before a run, and tells if that fails. The other contenders still run. @returns whether they are installed */
export function installed(): boolean {
  const failure = install((line) => console.error(line))
  if (failure) console.error(`${failure}; the rest runs`)
  return !failure
}

/** A package of this folder. @throws Error that says how to get it, if it is not installed */
export async function load<Module>(name: string): Promise<Module> {
  if (!isInstalled(here)) throw new Error(`${name} is not installed: run npm run bench -- rivals with a network, once`)
  const module = (await import(/* @vite-ignore */ pathToFileURL(require.resolve(name)).href)) as {
    default?: Module
  } & Module
  return module.default ?? module
}

/** The main file of a package of this folder. */
export const resolved = (name: string): string => require.resolve(name)
