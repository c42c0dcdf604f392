// A design is plain data. Designs that were written as JSON and read again make programs with the results of the reference.

import { webgpu } from '@manybody/backend-webgpu'
import {
  accelerations,
  cellIndex,
  coulomb,
  countWithin,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  neighborsWithin,
  type Plan,
  periodic,
  reference,
  type Workload,
} from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { afterAll, expect, test, vi } from 'vitest'
import type { Designs } from '../../../packages/backend-webgpu/src/design/designs.ts'
import { numbers } from '../../support/numbers.ts'

/** How many designs were copied. */
const copies = vi.hoisted(() => ({ made: 0 }))
vi.mock(import('../../../packages/backend-webgpu/src/compile/designs/compiler.ts'), async (original) => {
  const { loadCompiler } = await original()
  function copied<Design>(design: Design): Design {
    copies.made++
    return JSON.parse(JSON.stringify(design))
  }
  return {
    loadCompiler: async (...given: Parameters<typeof loadCompiler>): Promise<() => Designs> => {
      const make = await loadCompiler(...given)
      return () => {
        const { of, folds, trees } = make()
        return {
          of: (plan) => copied(of(plan)),
          ...(folds && { folds: { ...folds, plain: () => copied(folds.plain()) } }),
          trees: async () => {
            const found = await trees()
            return found && { ...found, at: (setting) => copied(found.at(setting)) }
          },
        }
      }
    },
  }
})

const [gpu, right] = await Promise.all([webgpu().open(), reference().open()])
afterAll(() => {
  gpu.dispose()
  right.dispose()
})

const count = 200
const particles = {
  position: numbers(3 * count, 1),
  velocity: numbers(3 * count, 2),
  mass: numbers(count, 3),
  charge: numbers(count, 4).map((x) => x - 0.5),
}
const box = { cutoff: 0.3, boundary: periodic([1, 1, 1]) }
const cases: readonly [name: string, workload: Workload, plan?: Plan][] = [
  ['a sum', accelerations(gravity())],
  ['a sum of softened terms', accelerations(gravity({ softening: 0.1 })), { variant: 'split', sizes: { parts: 3 } }],
  ['each pair once', accelerations(gravity()), { variant: 'each-pair-once', sizes: { targets: 2, unroll: 1 } }],
  ['blocks in a box', forces(lennardJones({ epsilon: 1, sigma: 0.05 }), box), { variant: 'blocks' }],
  ['blocks in open space', countWithin(0.3), { variant: 'blocks' }],
  ['lists', neighborsWithin(0.3)],
  ['lists by blocks', neighborsWithin(0.3, { boundary: periodic([1, 1, 1]) }), { variant: 'blocks' }],
  ['the nearest', nearest(4)],
  ['the nearest by groups', nearest(4), { variant: 'group-minima', sizes: { workgroup: 32, group: 32, parts: 2 } }],
  ['a matrix', matrix(coulomb())],
  ['a map', map({ position: 'position + dt*velocity' }, { dt: 0.1 })],
  ['cell indices', cellIndex({ cells: [3, 4, 5], spacing: 0.25 })],
]

async function both(workload: Workload, given: object, plan?: Plan) {
  const bound = bind(workload, given as never)
  const { shape, bindings } = deviceNumbers(bound, 'f32')
  const [one, other] = [await gpu.prepare(workload, shape, plan), await right.prepare(workload, shape)]
  const results = [await one.run(bindings), await other.run(bindings)] as const
  one.dispose()
  return results
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-4): void {
  expect(found).toHaveLength(expected.length)
  const most = Math.max(...Array.from(expected, Math.abs))
  expect(most).toBeGreaterThan(0)
  const apart = Array.from(found, (x, n) => Math.abs(x - (expected[n] as number)))
  expect(Math.max(...apart)).toBeLessThan(tolerance * most)
}

test.each(cases)('%s', async (_, workload, plan) => {
  const before = copies.made
  const [results, expected] = await both(workload, particles, plan)
  expect(copies.made).toBeGreaterThan(before)
  expect(Object.keys(results).sort()).toEqual(Object.keys(expected).sort())
  for (const [name, numbers] of Object.entries(expected)) expectClose(results[name] ?? [], numbers)
})

test('a stencil', async () => {
  const cells = [6, 5, 7]
  const [results, expected] = await both(gradient({ cells, spacing: 1 }), { field: numbers(6 * 5 * 7, 5) })
  for (const [name, numbers] of Object.entries(expected)) expectClose(results[name] ?? [], numbers)
})

test.each(['simplex', 3] as const)('a tree with proxies of %s', async (proxies) => {
  const workload = accelerations(gravity())
  const { shape, bindings } = deviceNumbers(bind(workload, particles), 'f32')
  const [one, other] = [await gpu.prepare(workload, shape), await right.prepare(workload, shape)]
  const before = copies.made
  const results = await (await one.tree?.())?.run(bindings, { proxies, opening: 0.3 })
  expect(copies.made).toBeGreaterThan(before)
  expectClose(results?.acceleration ?? [], (await other.run(bindings)).acceleration ?? [], 0.02)
  one.dispose()
})
