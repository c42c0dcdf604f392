// Every variant of every law compiles: Dawn checks the WGSL without a GPU (`backend=null`), which computes nothing.

import { webgpu } from '@manybody/backend-webgpu'
import {
  accelerations,
  attributeSum,
  biotSavart,
  buckingham,
  cellIndex,
  coulomb,
  countWithin,
  forces,
  gaussian,
  gradient,
  gravity,
  inversePower,
  lennardJones,
  map,
  matrix,
  morse,
  nearest,
  type Plan,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Shape,
  sum,
  type Workload,
  yukawa,
} from '@manybody/core'
import { functions, numericNames } from '@manybody/core/expression'
import { expect, test } from 'vitest'

const device = await webgpu({ dawn: ['backend=null'] }).open()
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position', 'velocity'] }

const box = { cutoff: 2, boundary: periodic([9, 9, 9]) }
const laws = [gravity(), coulomb(), lennardJones(), yukawa(), morse(), gaussian(), inversePower(), buckingham()]
const r2 = pairTerm('r2')()
const calls = numericNames.map((name) => `${name}(${['r', 'dx'].slice(0, functions[name].operands.length).join()})`)
const pairs: Readonly<Record<string, Workload>> = {
  ...Object.fromEntries(
    laws.flatMap((law) => [
      [`accelerations of ${law.name}`, accelerations(law)],
      [`forces of ${law.name} in a box`, forces(law, box)],
      [`switched potentials of ${law.name}`, potentials(law, { ...box, switchDistance: 1, exclusions: [[1, 2]] })],
    ]),
  ),
  'sum of attributes': sum(attributeSum()),
  'Biot-Savart': sum(biotSavart()),
  'every function': sum(pairTerm(`${calls.join(' + ')} + (0 - r)^(mass_j + 1)`)()),
  min: reduce('min', r2),
  argmax: reduce('argmax', r2, { exclusions: [[1, 2]] }),
  logsumexp: reduce('logsumexp', r2),
  'nearest 4': nearest(4, box),
  count: countWithin(0.5),
}
const pairPlans: readonly Plan[] = [
  { variant: 'naive' },
  { variant: 'grid-stride' },
  { variant: 'tiled' },
  { variant: 'tiled-unrolled' },
  { variant: 'register-blocked', sizes: { targets: 2, unroll: 2 } },
  { variant: 'split', sizes: { targets: 2, unroll: 2, parts: 4 } },
  { variant: 'sliced', sizes: { slices: 4, unroll: 2, parts: 2 } },
  { variant: 'vectorised', sizes: { targets: 2 } },
  { variant: 'tiled-vectorised', sizes: { unroll: 2 } },
  { variant: 'subgroup-shuffle', sizes: { targets: 2, unroll: 2, parts: 4 } },
]

for (const [name, workload] of Object.entries(pairs))
  test(`${name} compiles in every variant`, async () => {
    for (const plan of pairPlans) (await device.prepare(workload, shape, plan)).dispose()
  })

test('neighbours by group minima compile', async () => {
  const plan = { variant: 'group-minima' }
  for (const workload of [nearest(1), nearest(15, { exclusions: [[0, 1]] })])
    (await device.prepare(workload, shape, plan)).dispose()
})

test('Lennard-Jones in 2-D compiles with the plan of the model', async () => {
  const flat = forces(lennardJones(), { cutoff: 2, boundary: periodic([9, 9]) })
  const program = await device.prepare(flat, { ...shape, dimension: 2, sameSet: false })
  expect(program.report.variant).toMatch(/^\w/)
})

test.each(['direct', 'staged'])('maps and cell indices compile as %s', async (variant) => {
  await device.prepare(map({ position: 'position + dt*velocity', twice: '2*mass' }, { dt: 1 }), shape, { variant })
  await device.prepare(cellIndex({ cells: [3, 4, 5], spacing: 1 }), shape, { variant })
})

test.each(['direct', 'marching'])('gradients compile as %s', async (variant) => {
  await device.prepare(gradient({ cells: [4, 5, 6], spacing: 1 }), shape, { variant })
  await device.prepare(gradient({ cells: [4, 5], spacing: 1, edges: 'clamp' }), { ...shape, dimension: 2 }, { variant })
})

test('a matrix compiles', async () => {
  await device.prepare(matrix(coulomb()), shape)
})
