/** The pages of the documentation, including the pages in the packages, as paths from the root. */

import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../../tools/pnpm.mjs'
import { packages } from '../packages.ts'

/** The page that each package shows on the registry. */
export const packagePages: readonly string[] = packages.map(({ folder }) => join(relative(root, folder), 'README.md'))

export const pages: readonly string[] = [
  'README.md',
  ...packagePages,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
