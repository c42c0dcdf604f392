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
  type PairWorkload,
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
import { resultArrays } from '@manybody/core/backend'
import { functions, numericNames, pairBody } from '@manybody/core/expression'
import { bind } from '@manybody/core/judge'
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

/** Laws with one, several and no weights, with expressions as weights, and with attributes of the targets. */
const approximable: Readonly<Record<string, PairWorkload>> = {
  gravity: accelerations(gravity()),
  'charges of both signs': potentials(coulomb()),
  'three weights': sum(biotSavart({ softening: 0.1 })),
  'sum of attributes': sum(attributeSum(), { self: 'include' }),
  'no weight': sum(pairTerm('1/(1 + r2)')()),
  'an expression': sum(pairTerm({ a: 'exp(k*p_j)*erfc(r)', b: 'p_i*p_j^2*dx' }, { parameters: { k: 2 } })()),
}

test.each(Object.entries(approximable))('the tree of %s compiles', async (_, workload) => {
  for (const dimension of [2, 3] as const)
    for (const sameSet of [true, false]) {
      if (dimension === 2 && workload.law.name === biotSavart().name) continue
      const count = 300
      const set = {
        position: new Float32Array(count * dimension).map((_, n) => n),
        dimension,
        ...Object.fromEntries(
          Object.keys(readsOf(workload, dimension)).map((name) => [name, new Float32Array(count).fill(1)]),
        ),
      }
      const bound = bind(workload, (sameSet ? set : { targets: set, sources: { ...set } }) as never)
      const program = await device.prepare(workload, bound.shape)
      const [result = '', { length = 0 } = {}] = [...resultArrays(workload, bound.shape, 'f32')][0] ?? []
      const outputs = { [result]: await device.buffer(length) }
      const tree = { proxies: 'simplex', opening: 0.5 } as const
      const sequence = await device.sequence([{ program, bindings: bound.bindings, outputs, tree }])
      for (const owned of [sequence, program, outputs[result]]) owned?.dispose()
    }
})

function readsOf(workload: PairWorkload, dimension: 2 | 3): Readonly<Record<string, true>> {
  const { attributes } = pairBody(workload, { dimension, sameSet: true }, { guard: true })
  return Object.fromEntries([...attributes.targets, ...attributes.sources].map((name) => [name, true]))
}
