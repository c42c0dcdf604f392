import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import * as checks from '../../../packages/core/src/ground/checks.ts'

test('V8 lays out the exports of a module for quick reading', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isQuick = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean
  setFlagsFromString('--no-allow-natives-syntax')
  const looked = Object.assign(Object.create(null), checks)
  const read = (from: typeof checks) => from.positive(1, 'one')
  for (let times = 0; times < 10_000; times++) read(times % 2 ? checks : looked)
  expect([isQuick(looked), isQuick(checks)]).toEqual([false, true])
})
