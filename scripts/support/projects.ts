/** The folders with their own tsconfig.json, relative to the repository. */

import { relative } from 'node:path'
import { root } from '../../tools/pnpm.mjs'
import { packages } from '../packages.ts'

export const projects: readonly string[] = [
  ...packages.map(({ folder }) => relative(root, folder).replaceAll('\\', '/')),
  ...['tools', 'bench', 'tests', 'examples', 'live', 'scripts', 'site'],
]
