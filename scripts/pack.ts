// Packs the packages as a user's project installs them: the tarballs of all packages, into `output/packages` or the given folder.

import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { tarballsInto } from './packed.ts'

const { positionals } = argumentsFrom(
  `Usage: npm run pack -- [folder]

Packs the tarballs that a project installs, into the folder, or into output/packages.`,
  {},
  { positionals: 1 },
)
const [given] = positionals
const folder = given ? resolve(given) : join(root, 'output/packages')
if (!given) rmSync(folder, { recursive: true, force: true })
await tarballsInto(folder)
console.log(`\nIn your project: npm install ${join(folder, '*.tgz')}`)
