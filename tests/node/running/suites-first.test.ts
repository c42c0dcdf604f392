import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { root } from '../../../tools/pnpm.mjs'
import { SuitesFirst } from '../../support/suites-first.ts'

/** Files from the longest to the shortest, as Vitest knows them without an earlier run. */
const paths = [
  ['gpu', 'tests/gpu/mesh.test.ts'],
  ['gpu', 'tests/gpu/conformance-webgpu.test.ts'],
  ['node', 'tests/node/docs.test.ts'],
  ['node', 'tests/node/simulations.test.ts'],
  ['node', 'tests/node/conformance-reference.test.ts'],
] as const

test('files that run a whole suite come first in their project', async () => {
  const sizes = new Map(paths.map(([name, path], n) => [`${name}:${path}`, { size: paths.length - n }]))
  const cache = { getFileTestResults: () => undefined, getFileStats: (key: string) => sizes.get(key) }
  const projects = new Map(
    ['gpu', 'node'].map((name) => [name, { name, config: { isolate: false, sequence: { groupOrder: 0 } } }]),
  )
  const files = paths.map(([name, path]) => ({ project: projects.get(name), moduleId: join(root, path) }))
  const vitest = { config: { root }, cache } as unknown as Vitest
  const sorted = await new SuitesFirst(vitest).sort(files.toReversed() as unknown as TestSpecification[])
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([1, 0, 3, 4, 2].map((n) => files[n]?.moduleId))
})
