/** The folders with their own tsconfig.json, relative to the repository. */

import { relative } from 'node:path'
import { packages } from '../packages.ts'
import { root } from '../pnpm.mjs'

export const projects: readonly string[] = [
  ...packages.map(({ folder }) => relative(root, folder).replaceAll('\\', '/')),
  ...['bench', 'tests', 'examples', 'live', 'scripts', 'site'],
]
