// Every excerpt of a source file in the manuals is in that file, line by line. A comment before the block names the file.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../../../scripts/pages/pages.ts'
import { root } from '../../../tools/pnpm.mjs'

const excerpts = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/<!-- excerpt: (\S+) -->\n\n```\w+\n([\s\S]*?)\n```/g)].map(
    ([, file = '', text = '']) => ({ page, file, lines: text.split('\n') }),
  ),
)

test('there are excerpts', () => {
  expect(excerpts.length).toBeGreaterThan(10)
})

test.each(excerpts)('an excerpt of $page is in $file', ({ file, lines }) => {
  // A template may end behind the excerpt.
  const source = readFileSync(join(root, file), 'utf8').replaceAll(/`$/gm, '').split('\n')
  const [first = ''] = lines
  const starts = source.flatMap((line, n) => (line.trimStart() === first ? [n] : []))
  const found = starts.some((start) => {
    const margin = ' '.repeat((source[start]?.length ?? 0) - first.length)
    return lines.every((line, n) => source[start + n] === (line && margin + line))
  })
  expect(found, `${first} ...`).toBe(true)
})
