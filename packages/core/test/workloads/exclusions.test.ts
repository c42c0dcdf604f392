// Lists of pairs that do not count: their form for loops, and that they are made once for a workload and a shape.

import { expect, it } from 'vitest'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { exclusionsOf } from '../../src/problem/workloads/exclusions.ts'
import { forces } from '../../src/problem/workloads/pair.ts'
import type { Shape } from '../../src/problem/workloads/workload.ts'

const pairs = [
  [2, 0],
  [0, 1],
  [0, 2],
  [0, 1],
] as const
const workload = forces(gravity(), { exclusions: pairs })
const oneSet = (count: number): Shape => ({
  dimension: 3,
  targets: count,
  sources: count,
  sameSet: true,
  vectors: ['position'],
})

it('exclusions of one set are ascending, without repeats, and go both ways', () => {
  expect(exclusionsOf(workload, oneSet(4))).toEqual({
    offsets: Uint32Array.of(0, 2, 3, 4, 4),
    sources: Uint32Array.of(1, 2, 0, 0),
  })
})

it('exclusions of two sets go from target to source', () => {
  expect(exclusionsOf(workload, { ...oneSet(3), sameSet: false })).toEqual({
    offsets: Uint32Array.of(0, 2, 2, 3),
    sources: Uint32Array.of(1, 2, 0),
  })
})

it('exclusions are listed once per workload and shape, because listing many takes longer than a run', () => {
  const first = exclusionsOf(workload, oneSet(4))
  expect(exclusionsOf(workload, oneSet(4))).toBe(first)
  expect(exclusionsOf(workload, oneSet(5))?.offsets).toHaveLength(6)
  expect(exclusionsOf(workload, oneSet(4))).toBe(first)
})

it('exclusions are absent by default', () => {
  expect(exclusionsOf(forces(gravity()), oneSet(4))).toBeUndefined()
})
