// The model that chooses loops, and its treatment of a caller's plan.

import { expect, test } from 'vitest'
import type { PairCase } from '../../src/plans/pair-case.ts'
import { candidatePlans, choosePlan, describePlan, planOf } from '../../src/plans/plan.ts'

const h200: PairCase = {
  targets: 0,
  sources: 0,
  kind: 'hardware',
  invocations: 1024,
  memory: 49152,
  sourceBytes: 16,
  words: 3,
  registers: 6,
  neighbours: 0,
  sums: true,
  bindingBytes: 2 ** 30,
}
const chosen = (count: number, limits: Partial<PairCase> = {}) =>
  describePlan(choosePlan({ ...h200, targets: count, sources: count, ...limits }))

test('the model chooses large sizes on a large device', () => {
  expect([100, 4096, 16384, 65536, 262144, 1048576].map((n) => chosen(n))).toMatchInlineSnapshot(`
    [
      "sliced (workgroup 1024, unroll 8, slices 32)",
      "sliced (workgroup 1024, unroll 8, slices 32)",
      "split (workgroup 512, targets 8, unroll 8, parts 32)",
      "split (workgroup 512, targets 8, unroll 8, parts 32)",
      "split (workgroup 128, targets 16, unroll 2, parts 32, block sums)",
      "split (workgroup 128, targets 16, unroll 2, parts 32, block sums)",
    ]
  `)
})

test('the model keeps sizes within the limits of every device', () => {
  const limits = { invocations: 256, memory: 16384 }
  expect([100, 4096, 65536, 1048576].map((n) => chosen(n, limits))).toMatchInlineSnapshot(`
    [
      "sliced (workgroup 256, unroll 8, slices 16)",
      "sliced (workgroup 256, unroll 8, slices 16)",
      "split (workgroup 128, targets 8, unroll 8, parts 64)",
      "split (workgroup 128, targets 16, unroll 2, parts 32, block sums)",
    ]
  `)
})

test('sums of laws of vectors meet component by component, in smaller tiles if a pair or a target has many numbers', () => {
  const vectors = (numbers = 1, limits: Partial<PairCase> = {}) => ({
    vectors: { numbers, counts: [1, 1] as const },
    sourceBytes: 8,
    ...limits,
  })
  expect([100, 2049, 65536].map((n) => chosen(n, vectors()))).toEqual([
    'components (workgroup 64, targets 4, unroll 4, slices 8, parts 128)',
    'components (workgroup 256, targets 8, unroll 8, slices 16, parts 16)',
    'components (workgroup 256, targets 8, unroll 8, slices 16, parts 4)',
  ])
  expect(chosen(65536, vectors(2))).toContain('targets 8, unroll 4')
  expect(chosen(65536, vectors(3))).toContain('targets 4, unroll 4')
  expect(chosen(65536, vectors(1, { registers: 9 }))).toContain('targets 4, unroll 8')
  for (const other of [vectors(5), vectors(1, { words: 5 }), vectors(1, { sums: false })])
    expect(chosen(65536, other)).toBe('shared-components (workgroup 128, unroll 32, slices 2)')
  expect(chosen(1000, vectors(1, { sums: false }))).toBe(
    'shared-components (workgroup 128, unroll 32, slices 2, parts 64)',
  )
  expect(chosen(65536, vectors(1, { sourceBytes: 1200 }))).toMatch(/^split/)
  expect(chosen(65536, vectors(1, { kind: 'software' }))).toMatch(/^naive/)
})

test('tuning compares tiles of laws of vectors', () => {
  const vectors = { numbers: 1, counts: [1, 1] as const }
  const variantsOf = (limits: Partial<PairCase>) => {
    const plans = candidatePlans({ ...h200, targets: 5000, sources: 5000, vectors, ...limits }, 'full')
    return new Set(plans.map(({ variant }) => variant))
  }
  expect(variantsOf({})).toEqual(new Set(['components', 'shared-components']))
  expect(variantsOf({ sums: false })).toEqual(new Set(['shared-components']))
})

test('a software GPU keeps targets in registers, reads sources without packing, and sums them in blocks', () => {
  expect(chosen(1000, { kind: 'software' })).toBe('naive (workgroup 64, targets 4, block sums)')
  expect(chosen(4096, { kind: 'software' })).toBe('naive (workgroup 64, targets 4, block sums)')
})

test('the neighbours of many points come from group minima, those of few points from lists', () => {
  const list = { words: 16, registers: 19, neighbours: 8, sums: false }
  expect([2000, 4096, 8192, 16384, 65536, 131072, 262144].map((n) => chosen(n, list))).toMatchInlineSnapshot(`
    [
      "split (workgroup 128, unroll 32, parts 4)",
      "group-minima (workgroup 128, targets 4, unroll 16, parts 32, group 32)",
      "group-minima (workgroup 128, targets 8, unroll 16, parts 64, group 32)",
      "group-minima (workgroup 512, targets 8, unroll 16, parts 32, group 32)",
      "group-minima (workgroup 512, targets 8, unroll 16, parts 32, group 64)",
      "group-minima (workgroup 512, targets 8, unroll 16, parts 32, group 128)",
      "group-minima (workgroup 512, targets 8, unroll 16, parts 64, group 256)",
    ]
  `)
  expect(chosen(65536, { ...list, neighbours: 16 })).toContain('split')
  const several = { ...h200, ...list, targets: 5000, sources: 5000 }
  expect(describePlan(planOf({ variant: 'group-minima', sizes: { workgroup: 96, group: 40 } }, several))).toBe(
    'group-minima (workgroup 96, targets 4, unroll 16, parts 16, group 32)',
  )
  expect(() => planOf({ variant: 'group-minima', sizes: { slices: 2 } }, several)).toThrow('got slices')
})

test('a minimum keeps few numbers, so it takes many targets and sources at a time', () => {
  const least = { words: 2, registers: 5, sums: false }
  expect([4096, 16384, 65536, 262144].map((n) => chosen(n, least))).toMatchInlineSnapshot(`
    [
      "sliced (workgroup 1024, unroll 8, slices 32)",
      "split (workgroup 512, targets 8, unroll 16, parts 32)",
      "split (workgroup 512, targets 8, unroll 16, parts 32)",
      "split (workgroup 512, targets 8, unroll 16, parts 32)",
    ]
  `)
  expect(chosen(16384, { ...least, invocations: 256, memory: 16384 })).toMatchInlineSnapshot(
    `"split (workgroup 128, targets 8, unroll 16, parts 64)"`,
  )
})

test('every device has a plan for no points and for no sources', () => {
  for (const limits of [{}, { invocations: 256, memory: 16384 }, { words: 16, neighbours: 8, sums: false }])
    for (const [targets, sources] of [
      [0, 0],
      [5, 0],
      [0, 5],
      [200000, 0],
      [0, 200000],
    ] as const)
      expect(choosePlan({ ...h200, ...limits, targets, sources }).parts).toBeGreaterThanOrEqual(1)
})

test('a fold that takes many registers gets fewer targets', () => {
  expect(chosen(65536, { registers: 60 })).toMatchInlineSnapshot(
    `"split (workgroup 512, targets 2, unroll 8, parts 8)"`,
  )
})

test('workgroups shrink to fit the memory, and report it', () => {
  const plan = planOf({ variant: 'tiled', sizes: { workgroup: 1024 } }, { ...h200, memory: 8192 })
  expect(plan.shape.workgroup).toBe(512)
  expect(describePlan(plan)).toContain('512 of 1024')
})

test('parts shrink to fit one array, and report it', () => {
  const split = { variant: 'split', sizes: { parts: 32 } }
  const fits = { ...h200, targets: 1000, sources: 1000, bindingBytes: 32 * 12 * 1000 }
  expect(planOf(split, fits)).toMatchObject({ parts: 32, clipped: {} })
  const small = planOf(split, { ...fits, bindingBytes: fits.bindingBytes - 1 })
  expect(small.parts).toBe(31)
  expect(describePlan(small)).toContain('parts 31 of 32, as many as fit one array')
  const one = planOf(split, { ...fits, bindingBytes: 1 })
  expect(one).toMatchObject({ parts: 1, shape: { split: false } })
  expect(describePlan(one)).toContain('parts 1 of 32')
})

test('variants that pack sources are refused if one array cannot hold them', () => {
  const fits = { ...h200, sources: 1000, sourceBytes: 24, bindingBytes: 32 * 1000 }
  for (const variant of ['vectorised', 'tiled-vectorised']) {
    expect(planOf({ variant }, fits).shape.packed).toBe(true)
    expect(() => planOf({ variant }, { ...fits, bindingBytes: fits.bindingBytes - 1 })).toThrow(
      `"variant" ${variant} packs 1000 sources into more than 31999 bytes`,
    )
  }
})

test('the unroll size divides the length of the loop', () => {
  const { shape } = planOf({ variant: 'tiled-unrolled', sizes: { workgroup: 100, unroll: 8 } }, h200)
  expect(100 % shape.unroll).toBe(0)
})

test('a split sum is never the only candidate', () => {
  const plans = candidatePlans({ ...h200, targets: 65536, sources: 65536 }, 'quick')
  expect(plans.length).toBeGreaterThan(3)
  expect(new Set(plans.map(describePlan)).size).toBe(plans.length)
})
