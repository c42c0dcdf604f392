// A file of programs has the same designs as the compiler makes, for any number of points, on any device.

import {
  accelerations,
  cellIndex,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  pairTerm,
  periodic,
  reduce,
  type Shape,
  type Workload,
} from '@manybody/core'
import { guardsOf } from '@manybody/core/backend'
import { expect, test } from 'vitest'
import { designsOf } from '../src/compile/designs/designs.ts'
import { compileWebGl } from '../src/compile.ts'
import type { DeviceFacts } from '../src/design/facts.ts'
import { compiledDesigns } from '../src/run/programs/compiled-designs.ts'

const devices: readonly DeviceFacts[] = [
  { version: 1, kind: 'software', outputs: 1 },
  { version: 1, kind: 'hardware', outputs: 1 },
  { version: 2, kind: 'software', outputs: 1 },
  { version: 2, kind: 'software', outputs: 4 },
  { version: 2, kind: 'hardware', outputs: 1 },
  { version: 2, kind: 'hardware', outputs: 4 },
]
const shapeOf = (targets: number, more: Partial<Shape> = {}): Shape => ({
  ...{ dimension: 3, targets, sources: targets, sameSet: true, vectors: ['position', 'velocity'] },
  ...more,
})

const workloads: readonly (readonly [name: string, workload: Workload, shape?: Partial<Shape>])[] = [
  ['gravity', accelerations(gravity())],
  ['softened gravity', accelerations(gravity({ softening: 0.1 }))],
  ['a liquid', forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9, 9]) })],
  ['exclusions', forces(lennardJones(), { exclusions: [[0, 1]] })],
  ['the nearest', nearest(8)],
  ['a soft maximum', reduce('logsumexp', pairTerm('-r2')())],
  ['two sets in two dimensions', forces(lennardJones()), { dimension: 2, sameSet: false, sources: 5000 }],
  ['a map', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), { sources: 0 }],
  ['cells', cellIndex({ cells: [3, 4, 5], spacing: 1 }), { sources: 0 }],
  ['a stencil', gradient({ cells: [10, 10, 7], spacing: 1 }), { sources: 0 }],
  ['a matrix', matrix(pairTerm('exp(-r2)')())],
]

test.each(workloads.map((it) => ({ name: it[0], it })))('$name', ({ it: [, workload, more] }) => {
  const compiled = JSON.parse(JSON.stringify(compileWebGl(workload, shapeOf(1000, more), { forms: [{}] })))
  for (const facts of devices)
    for (const count of [1, 700, 2500, 6200, 20000, 300000]) {
      const shape = shapeOf(count, more)
      const [expected, got] = [designsOf(workload, shape, facts), compiledDesigns(compiled, shape, facts)]
      expect(got.rule).toEqual(expected.rule)
      for (const guard of guardsOf(expected.rule))
        expect(got.of(guard), JSON.stringify({ ...facts, count, guard })).toEqual(
          JSON.parse(JSON.stringify(expected.of(guard))),
        )
    }
})

test('what a file lacks is an error', () => {
  const compiled = compileWebGl(accelerations(gravity()), shapeOf(1000), { forms: [{}] })
  expect(() => compiledDesigns(compiled, shapeOf(700, { split: true }), devices[0] as DeviceFacts)).toThrow(
    'compile it with far: true',
  )
})
