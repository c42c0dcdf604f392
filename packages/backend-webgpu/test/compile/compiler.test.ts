// The compiler loads the loops of plain sums without the others. They give the same designs as the loops of all workloads.

import {
  accelerations,
  coulomb,
  forces,
  gravity,
  type PairWorkload,
  type Plan,
  pairTerm,
  periodic,
  potentials,
  type Shape,
  sum,
} from '@manybody/core'
import { beforeEach, expect, test, vi } from 'vitest'
import { loadCompiler } from '../../src/compile/designs/compiler.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'

/** The files that were loaded beside those of plain sums. */
const loaded = vi.hoisted(() => new Set<string>())
vi.mock(import('../../src/compile/designs/designs.ts'), async (original) => {
  const { designsOf } = await original()
  return {
    designsOf: (...given) => {
      loaded.add('designs')
      return designsOf(...given)
    },
  }
})
const { designsOf } = await vi.importActual<typeof import('../../src/compile/designs/designs.ts')>(
  '../../src/compile/designs/designs.ts',
)
beforeEach(() => loaded.clear())

const hostOf = (kind: 'hardware' | 'software', subgroups?: LoopHost['subgroups']): LoopHost => ({
  info: { name: 'a GPU', kind },
  limits: leastLimits,
  subgroups,
})
const hosts = [
  hostOf('hardware', { least: 32, most: 32 }),
  hostOf('hardware', { least: 8, most: 32 }),
  hostOf('hardware'),
  hostOf('software'),
]
const shapeOf = (targets: number, sources = targets): Shape => {
  return { dimension: 3, targets, sources, sameSet: targets === sources, vectors: ['position'] }
}
const shapes = [shapeOf(1), shapeOf(700), shapeOf(100_000), shapeOf(300, 70_000)]

const sums: readonly (readonly [string, PairWorkload])[] = [
  ['gravity', accelerations(gravity())],
  ['softened gravity', accelerations(gravity({ softening: 0.1 }))],
  ['a potential', potentials(coulomb())],
  ['exclusions', forces(coulomb(), { exclusions: [[0, 1]] })],
  ['a term in a box', sum(pairTerm('mass_j*exp(-r2)')(), { boundary: periodic([9, 9, 9]) })],
]
const plans: readonly (Plan | undefined)[] = [
  undefined,
  ...['naive', 'tiled', 'split', 'sliced', 'each-pair-once'].map((variant) => ({
    variant,
  })),
]

/** A design as JSON, or the message of the error. */
function found(make: () => object | undefined): unknown {
  try {
    return JSON.parse(JSON.stringify(make() ?? null))
  } catch (error) {
    return String(error)
  }
}

test.each(sums)('%s: the loops of sums give the designs of all loops', async (_, workload) => {
  let designs = 0
  for (const host of hosts)
    for (const shape of shapes)
      for (const plan of plans) {
        const { of, folds } = (await loadCompiler(workload, shape, host, undefined, plan))()
        const all = designsOf(workload, shape, host)
        const design = found(() => of(plan))
        expect(design).toEqual(found(() => all.of(plan)))
        if (typeof design === 'object') designs++
        if (plan) continue
        expect(folds?.once).toEqual(all.folds?.once)
        for (const make of ['plain', 'simple'] as const)
          expect(found(() => folds?.[make]())).toEqual(found(() => all.folds?.[make]()))
        expect(folds?.near(of())).toBeUndefined()
      }
  expect(designs).toBeGreaterThan(50)
  expect([...loaded]).toEqual([])
})

test('the tuner compares the same plans', async () => {
  const workload = accelerations(gravity())
  for (const host of hosts) {
    const { of, folds } = (await loadCompiler(workload, shapeOf(5000), host, undefined, undefined))()
    const all = designsOf(workload, shapeOf(5000), host)
    const candidates = folds?.candidates('quick') ?? []
    expect(candidates.length).toBeGreaterThan(3)
    expect(candidates).toEqual(all.folds?.candidates('quick'))
    for (const plan of candidates) expect(found(() => of(plan))).toEqual(found(() => all.of(plan)))
  }
  expect([...loaded]).toEqual([])
})

test('a plan from storage that is not for sums is refused as by all loops', async () => {
  const [host] = hosts as [LoopHost]
  const workload = accelerations(gravity())
  const { of, folds } = (await loadCompiler(workload, shapeOf(700), host, undefined, undefined))()
  const all = designsOf(workload, shapeOf(700), host)
  for (const variant of ['blocks', 'cells', 'group-minima']) {
    const message = found(() => of({ variant }))
    expect(message).toMatch(/^RangeError: /)
    expect(message).toEqual(found(() => all.of({ variant })))
  }
  for (const make of ['blocks', 'cells'] as const) expect(folds?.[make]()).toBeUndefined()
})

test('other workloads and plans load all loops', async () => {
  const [host] = hosts as [LoopHost]
  const shape = shapeOf(700)
  for (const [workload, plan] of [
    [accelerations(gravity(), { cutoff: 2 })],
    [accelerations(gravity()), { variant: 'blocks' }],
    [accelerations(gravity()), { variant: 'cells' }],
  ] as const) {
    loaded.clear()
    const { of } = (await loadCompiler(workload, shape, host, undefined, plan))()
    expect([...loaded]).toEqual(['designs'])
    expect(found(() => of(plan))).toEqual(found(() => designsOf(workload, shape, host).of(plan)))
  }
})
