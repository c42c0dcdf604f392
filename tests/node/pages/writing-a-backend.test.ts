// The code in docs/writing-a-backend.md must match the example backend, line by line.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../../docs/writing-a-backend.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(
  ([, file = '', code = '']) => [file, code] as const,
)

test('every code block of the manual names its source file', () => {
  expect(blocks).toHaveLength(page.split('```ts').length - 1)
  expect(blocks.length).toBeGreaterThan(4)
})

/** Removes the indentation, as the page does. */
const withoutIndentation = (text: string) => text.replace(/^ +/gm, '')

test.each(blocks)('the code from %s is in the manual', (file, code) => {
  const source = new URL(`../../../packages/conformance/test/example-backend/${file}`, import.meta.url)
  expect(withoutIndentation(readFileSync(source, 'utf8'))).toContain(withoutIndentation(code))
})
