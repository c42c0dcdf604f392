/** The pages of the documentation, as paths from the root. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pnpm.mjs'

export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
