// Bytes of modules as text.

import { expect, it } from 'vitest'
import { bytesFrom, textOf } from '../src/design/module-text.ts'

const every = Uint8Array.from({ length: 512 }, (_, n) => (n < 256 ? n : 37 * n))

it('gives every byte back, in any order', () => {
  expect(bytesFrom(textOf(every))).toEqual(every)
  expect(bytesFrom(textOf(new Uint8Array(0)))).toEqual(new Uint8Array(0))
})

it('needs no escapes', () => {
  const text = textOf(every)
  expect(JSON.stringify(text)).toBe(`"${text}"`)
  expect(text).toMatch(/^[ -~]+$/)
  expect(text).not.toMatch(/[`'$]/)
})

it('refuses other texts', () => {
  expect(() => bytesFrom('AGFzbQ\\')).toThrow('"module" expected the text of a module, got "\\\\" in it')
})
