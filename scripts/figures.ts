// Fills the figures of README and docs from the committed records. A test fails if a page has other figures.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filled, recordsOf } from '../bench/figures/blocks.ts'
import { tolerancePicture } from '../bench/figures/tolerance-picture.ts'
import { treeSums } from '../bench/figures/tree-blocks.ts'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { pages } from './pages/pages.ts'

argumentsFrom(
  `Usage: npm run figures

Fills the figures of README and docs from the committed records.`,
  {},
)
const costs = treeSums(recordsOf(join(root, 'bench/tree/records'), 'tree').map(({ record }) => record)).flat()
if (costs.length > 0) writeFileSync(join(root, 'docs/pictures/tolerance.svg'), tolerancePicture(costs))
for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8')
  const next = filled(text, page, root)
  if (next === text) continue
  writeFileSync(join(root, page), next)
  console.log(`${page}: figures filled`)
}
