// Installs the packages of the lockfile, or those that the main job needs. Does nothing if that is already done.
// Plain JavaScript without dependencies: it runs on a machine that has only Node and npm.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { pnpm, root } from '../../tools/pnpm.mjs'

/**
 * The parts to install: the size of the download, and a filter of workspace packages. A filter alone would still install
 * the root's tools, which only `--prod` leaves out.
 */
const parts = {
  everything: { megabytes: 200, filter: [] },
  'the main job': { megabytes: 60, filter: ['--prod', '--filter', '@manybody/examples...'] },
}

const wanted = createHash('sha256')
  .update(readFileSync(`${root}/pnpm-lock.yaml`))
  .update(readFileSync(`${root}/pnpm-workspace.yaml`))
  .update(process.version)
  .digest('hex')

/** @param {keyof typeof parts} part */
const stampOf = (part) => `${root}/node_modules/.installed-${part.replaceAll(' ', '-')}`

/** @param {keyof typeof parts} part */
const has = (part) => existsSync(stampOf(part)) && readFileSync(stampOf(part), 'utf8') === wanted

/** @param {keyof typeof parts} part */
export async function installed(part) {
  if (has('everything') || has(part)) return
  // Installing one part would remove the rest, so keep the installed parts.
  if (existsSync(`${root}/node_modules`) && !existsSync(stampOf('the main job'))) part = 'everything'
  if (existsSync(stampOf('everything'))) part = 'everything'
  const { megabytes, filter } = parts[part]
  console.error(
    `Installing what ${part === 'everything' ? 'all commands need' : `${part} needs`}, about ${megabytes} MB to download, once ...`,
  )
  await pnpm({ shown: true }, 'install', '--frozen-lockfile', ...filter)
  writeFileSync(stampOf(part), wanted)
}
