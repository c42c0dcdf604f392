// Counts two habits that make comments and manuals hard to read, for each part of the tree, and fails if there are too many. One is a
// clause in place of a noun, such as "what a run needs" for "the arrays of a run". The other is a relative clause with "of which" or
// "whose". In ten well-kept projects they occur 0 to 0.7 and 0.1 to 0.9 times in a thousand words. A part may have twice the largest of
// these rates.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsFrom } from '../tools/arguments.mjs'
import { ownFiles } from '../tools/own-files.ts'
import { root } from '../tools/pnpm.mjs'
import { type Habit, habits, placesIn, proseOf } from './support/prose.ts'

const { values } = argumentsFrom(
  `Usage: npm run prose -- [options]

Counts "what" as a noun and "of which, whose" in a thousand words of comments and manuals, and fails above the limits.

  --list   each place
  --help   print this text`,
  { list: { type: 'boolean' } },
)

/** The part of the tree that a file counts with. */
const partOf = (file: string): string => {
  const [top = '', second] = file.split('/')
  if (top === 'packages') return `packages/${second}`
  if (file.startsWith('docs/notes/')) return 'docs/notes'
  return ['docs', 'tests', 'bench', 'live', 'examples'].includes(top) ? top : 'scripts and others'
}

const files = ownFiles().filter((file) => /\.(ts|mjs|mts|md)$/.test(file) && !/\.d\.m?ts$|CHANGELOG\.md$/.test(file))
const parts = new Map<string, { words: number; found: Record<Habit, number> }>()
for (const file of files) {
  const prose = proseOf(readFileSync(join(root, file), 'utf8'), file.endsWith('.md') ? 'manual' : 'code')
  const part = parts.get(partOf(file)) ?? { words: 0, found: { what: 0, which: 0 } }
  parts.set(partOf(file), part)
  part.words += prose.match(/[a-z][\w'-]*/gi)?.length ?? 0
  for (const { habit, line, text } of placesIn(prose)) {
    part.found[habit]++
    if (values.list) console.log(`${file}:${line}: ${habit}: ${text}`)
  }
}

let failed = false
for (const [name, { words, found }] of [...parts].sort(([a], [b]) => a.localeCompare(b))) {
  const told = Object.entries(habits).map(([habit, { limit }]) => {
    const rate = (1000 * found[habit as Habit]) / words
    failed ||= rate > limit
    return `${habit} ${rate.toFixed(1)}${rate > limit ? ` (at most ${limit})` : ''}`
  })
  console.log(`${name}: ${told.join(', ')} in 1000 words`)
}
if (failed) {
  console.log('\nName the thing instead. `npm run prose -- --list` shows each place.')
  process.exitCode = 1
}
