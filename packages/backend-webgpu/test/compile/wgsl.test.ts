// The template tag: holes keep the shape of the template around them.

import { expect, test } from 'vitest'
import { wgsl } from '../../src/design/wgsl.ts'

test('a hole with several lines gets the indentation of its line', () => {
  const inner = wgsl`if (a) {
  ${['b = 1;', 'c = 2;']}
}`
  expect(wgsl`{
    ${inner}
}`).toBe('{\n    if (a) {\n      b = 1;\n      c = 2;\n    }\n}')
})

test('a line of empty holes disappears, and so do blank lines', () => {
  expect(wgsl`
a
  ${''}
  ${[]}

b${''}
c ${1} ${['', 'd', '']}
`).toBe('a\nb\nc 1 d\n')
})
