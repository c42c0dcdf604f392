// Installs what the lockfile names, and does nothing when that is already done: the first step of every npm script.
// Plain JavaScript without dependencies: it runs on a machine that has only Node and npm.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { pnpm, root } from './pnpm.mjs'

const stamp = `${root}/node_modules/.installed`
const wanted = createHash('sha256')
  .update(readFileSync(`${root}/pnpm-lock.yaml`))
  .update(readFileSync(`${root}/pnpm-workspace.yaml`))
  .update(process.version)
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing what pnpm-lock.yaml names ...')
  pnpm('install', '--frozen-lockfile')
  writeFileSync(stamp, wanted)
}
