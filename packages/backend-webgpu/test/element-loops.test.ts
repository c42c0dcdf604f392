// The generated shaders of maps, cell indices, stencils and matrices, as text. tests/gpu checks their results.

import { cellIndex, coulomb, gradient, map, matrix, type Plan, type Shape, type Workload } from '@manybody/core'
import { mapBody } from '@manybody/core/backend'
import { test } from 'vitest'
import { shadersOf } from '../src/design/design.ts'
import { designsOf } from '../src/designs/designs.ts'
import type { LoopHost } from '../src/host/host.ts'
import { leastLimits } from '../src/host/least-limits.ts'
import { mapsLoop } from '../src/loops/particle-loop.ts'
import { expectPrinted } from './support/printed.ts'

const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position', 'velocity'] }
const flat: Shape = { ...shape, dimension: 2 }
const gpu: LoopHost = {
  info: { name: 'a GPU', kind: 'hardware' },
  limits: leastLimits,
  subgroups: undefined,
}

const printed: readonly [string, Workload, Shape, Plan | undefined][] = [
  ['map-staged', map({ position: 'position + dt*velocity' }, { dt: 0.1 }), shape, { variant: 'staged' }],
  ['cell-index', cellIndex({ cells: [3, 4, 5], spacing: 1 }), shape, undefined],
  ['gradient-direct', gradient({ cells: [6, 5], spacing: 1, edges: 'clamp' }), flat, undefined],
  ['gradient-marching', gradient({ cells: [6, 5, 40], spacing: 1 }), shape, { variant: 'marching' }],
  ['matrix', matrix(coulomb()), shape, undefined],
]
test.each(printed)('the shader of %s matches its file', async (name, workload, points, plan) => {
  await expectPrinted(shadersOf(designsOf(workload, points, gpu).of(plan)), name)
})

test('the shader of a kick, another kick and a drift matches its file', async () => {
  const kick = mapBody(map({ velocity: 'velocity + h*acceleration' }, { h: 0.1 }), moving)
  const drift = mapBody(map({ position: 'position + h*velocity' }, { h: 0.2 }), moving)
  const places = (names: readonly string[], output: string) =>
    new Map([
      ...names.map((name) => [`points.${name}`, arrays[name] ?? ''] as const),
      [output, arrays[output.slice(7)] ?? ''],
    ])
  const kicked = { body: kick, shape: moving, places: places(['velocity', 'acceleration'], 'result.velocity') }
  const drifted = { body: drift, shape: moving, places: places(['position', 'velocity'], 'result.position') }
  await expectPrinted([mapsLoop([[kicked], [kicked, drifted]], 64)], 'maps/in-order')
})

const moving = { dimension: 3, vectors: ['position', 'velocity', 'acceleration'] } as const
const arrays: Readonly<Record<string, string>> = { position: 'array.0', velocity: 'array.1', acceleration: 'array.2' }
