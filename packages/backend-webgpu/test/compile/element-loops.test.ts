// The generated shaders of maps, cell indices, stencils and matrices, as text. tests/gpu checks their results.

import {
  cellIndex,
  coulomb,
  gradient,
  type MapWorkload,
  map,
  matrix,
  type Plan,
  pairTerm,
  type Shape,
  type Workload,
} from '@manybody/core'
import { mapBody } from '@manybody/core/expression'
import { test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { mapTexts } from '../../src/compile/loops/map-texts.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import { mapsLoop } from '../../src/run/programs/maps-loop.ts'
import { expectPrinted, expectShaders } from '../support/printed.ts'

const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position', 'velocity'] }
const flat: Shape = { ...shape, dimension: 2 }
const gpu: LoopHost = {
  info: { name: 'a GPU', kind: 'hardware' },
  limits: leastLimits,
  subgroups: undefined,
}

const kernel = pairTerm('exp(-sqdist(x_i, x_j))*b_j')()

const printed: readonly [string, Workload, Shape, Plan | undefined][] = [
  ['map-staged', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), shape, { variant: 'staged' }],
  ['cell-index', cellIndex({ cells: [3, 4, 5], spacing: 1 }), shape, undefined],
  ['gradient-direct', gradient({ cells: [6, 5], spacing: 1, edges: 'clamp' }), flat, undefined],
  ['gradient-marching', gradient({ cells: [6, 5, 40], spacing: 1 }), shape, { variant: 'marching' }],
  ['matrix', matrix(coulomb()), shape, undefined],
  ['matrix-of-vectors', matrix(kernel), { ...shape, vectors: [], lengths: { x: 10 } }, undefined],
]
test.each(printed)('the shader of %s matches its file', async (name, workload, points, plan) => {
  await expectPrinted(designsOf(workload, points, gpu).of(plan), name)
})

test('the shader of a kick, another kick and a drift matches its file', async () => {
  const textsOf = (workload: MapWorkload) => mapTexts(mapBody(workload, moving), moving, 64)
  const kick = textsOf(map({ velocity: 'velocity + h*acceleration' }, { h: 0.1 }))
  const drift = textsOf(map({ position: 'position + h*velocity' }, { h: 0.2 }))
  const places = (names: readonly string[], output: string) =>
    new Map([
      ...names.map((name) => [`points.${name}`, arrays[name] ?? ''] as const),
      [output, arrays[output.slice(7)] ?? ''],
    ])
  const kicked = { map: kick, places: places(['velocity', 'acceleration'], 'result.velocity') }
  const drifted = { map: drift, places: places(['position', 'velocity'], 'result.position') }
  await expectShaders([mapsLoop([[kicked], [kicked, drifted]], 64, leastLimits)], 'maps/in-order')
})

const moving = { dimension: 3, vectors: ['position', 'velocity', 'acceleration'] } as const
const arrays: Readonly<Record<string, string>> = { position: 'array.0', velocity: 'array.1', acceleration: 'array.2' }
