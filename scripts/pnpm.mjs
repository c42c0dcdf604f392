// Runs the pnpm that package.json pins, fetched by npx, so that a machine needs only Node and npm.
// Plain JavaScript without dependencies: it also runs before anything is installed.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs pnpm in the root folder. What it says goes to stderr if it is to be shown; otherwise it is quiet, unless it fails:
 * then it throws, with the output.
 * @param {{ shown: boolean }} options
 * @param {...string} args
 */
export function pnpm({ shown }, ...args) {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const { status, stdout, stderr, error } = spawnSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    env: { ...process.env, npm_config_loglevel: undefined }, // `npm run --silent` must not hide why pnpm failed
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: shown ? ['ignore', process.stderr, process.stderr] : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32', // where npx is a script, which only a shell starts
  })
  if (status !== 0) throw new Error(`pnpm ${args.join(' ')} failed\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
}
