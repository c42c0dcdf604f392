// The quick check finds the tests that a change can break, the nearest first.

import { expect, test } from 'vitest'
import { nearestTests } from '../../../scripts/support/nearest-tests.ts'

const tests = [
  'packages/backend-webgl/test/text.test.ts',
  'packages/backend-webgpu/test/text.test.ts',
  'packages/backend-webgpu/test/plans/blocks-model.test.ts',
  'tests/node/running/quick.test.ts',
]

test('a file of a backend reaches its tests, through packages too, and no others', async () => {
  const reached = await nearestTests(tests, ['packages/backend-webgpu/src/compile/folds/append-fold.ts'])
  expect(reached).toContain('packages/backend-webgpu/test/text.test.ts')
  expect(reached).not.toContain('packages/backend-webgl/test/text.test.ts')
  expect(await nearestTests(tests, ['packages/core/src/language/parse.ts'])).toContain(
    'packages/backend-webgl/test/text.test.ts',
  )
})

test('a test that has changed comes before those that only import what has', async () => {
  const [own, core] = ['tests/node/running/quick.test.ts', 'packages/core/src/language/parse.ts']
  expect((await nearestTests(tests, [core, own]))[0]).toBe(own)
  expect(await nearestTests(tests, ['README.md'])).toEqual([])
})
