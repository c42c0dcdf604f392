// Runs the pnpm that package.json pins, fetched by npx, so that a machine needs only Node and npm.
// Plain JavaScript without dependencies: it also runs before anything is installed.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs pnpm in the root folder. If `shown`, its output goes to stderr. Otherwise it is quiet, unless it fails:
 * then it throws, with the output.
 * @param {{ shown: boolean }} options
 * @param {...string} args
 */
export async function pnpm({ shown }, ...args) {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const child = spawn('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    env: { ...process.env, npm_config_loglevel: undefined }, // `npm run --silent` must not hide why pnpm failed
    stdio: shown ? ['ignore', process.stderr, process.stderr] : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32', // npx is a script there, which only a shell can start
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const cause = await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', (status) => resolve(status === 0 ? undefined : `exit code ${status}`))
  })
  if (cause !== undefined) throw new Error(`pnpm ${args.join(' ')} failed\n${output}`, { cause })
}
