// How the README example is found: which blocks are the code and its printed answer. tests/environments runs it.

import { expect, test } from 'vitest'
import { readmeExample } from '../../environments/readme-example.ts'

test('the example is the block after the marker, and its answer the next block', () => {
  const readme = '```js\nfirst\n```\n<!-- example -->\nSay:\n```ts\nsecond\n```\nIt prints\n```text\nthird\n```\n'
  expect(readmeExample(readme)).toEqual({ code: 'second\n', answer: 'third\n' })
})

test('a missing block or answer is reported', () => {
  expect(() => readmeExample('no example')).toThrow('<!-- example -->')
})
