/**
 * The packages that the benchmark compares with: installed here with npm, by this folder's own lockfile, when the
 * comparison is asked for, and loaded from here. No part of the workspace depends on them.
 */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const stamp = `${folder}node_modules/.installed`
const require = createRequire(import.meta.url)

/** Whether what the lockfile names is installed. */
export function isInstalled(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()
}

const wanted = (): string =>
  createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .update(process.version)
    .digest('hex')

/**
 * Installs what the lockfile names, if that is not done yet; nothing of it is run.
 *
 * @param announce told before the network is used
 * @returns why it could not, in one line, or undefined
 */
export function install(announce: (line: string) => void): string | undefined {
  if (isInstalled()) return undefined
  announce('Installing the rivals with npm ci in bench/thirdparty (about 75 MB, once) ...')
  const { status, stderr, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: 180_000,
  })
  if (status !== 0) {
    const line = stderr?.match(/^npm (?:error|ERR!) (?!code|errno|syscall)(.+)$/m)?.[1]
    return `npm ci in bench/thirdparty failed: ${line ?? error?.message ?? `exit code ${status}`}`
  }
  writeFileSync(stamp, wanted())
  return undefined
}

/** A package of this folder. @throws Error that says how to get it, if it is not installed */
export async function load<Module>(name: string): Promise<Module> {
  if (!isInstalled()) throw new Error(`${name} is not installed: run npm run bench -- rivals with a network, once`)
  const module = (await import(pathToFileURL(require.resolve(name)).href)) as { default?: Module } & Module
  return module.default ?? module
}

/** The main file of a package of this folder. */
export const resolved = (name: string): string => require.resolve(name)
