// Every variant of every loop agrees with the reference on the software GPU, with tails and ranges. Neighbours by group minima take long to
// compile: each case runs under one of their plans, and in a deep run under all.

import { webgpu } from '@manybody/backend-webgpu'
import type { Particles } from '@manybody/core'
import {
  accelerations,
  biotSavart,
  cellIndex,
  coulomb,
  countWithin,
  forces,
  gaussian,
  gradient,
  gravity,
  map,
  nearest,
  type Plan,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  type Workload,
} from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { describe, expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'
import { deep } from '../../support/share.ts'

const device = await webgpu().open()

const points = (count: number) => ({
  position: numbers(3 * count, 1),
  mass: numbers(count, 2),
  wx: numbers(count, 3),
  wy: numbers(count, 4),
  wz: numbers(count, 5),
})

const pairPlans: readonly Plan[] = [
  { variant: 'naive' },
  { variant: 'grid-stride', sizes: { workgroup: 1 } },
  { variant: 'tiled', sizes: { workgroup: 20 } },
  { variant: 'tiled-unrolled', sizes: { workgroup: 32, unroll: 4 } },
  { variant: 'register-blocked', sizes: { workgroup: 16, targets: 3, unroll: 2 } },
  { variant: 'split', sizes: { workgroup: 16, targets: 2, unroll: 2, parts: 5, blocks: 0 } },
  { variant: 'sliced', sizes: { workgroup: 32, slices: 4, unroll: 2, parts: 2 } },
  { variant: 'vectorised', sizes: { workgroup: 16, targets: 2, parts: 3 } },
  { variant: 'tiled-vectorised', sizes: { workgroup: 32, unroll: 4 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 16, targets: 3, unroll: 2, parts: 3 } },
]
const pairs: Readonly<Record<string, Workload>> = {
  accelerations: accelerations(gravity({ softening: 0.05 })),
  'potentials with exclusions': potentials(gravity(), {
    exclusions: [
      [0, 1],
      [5, 100],
      [5, 7],
      [130, 5],
    ],
  }),
  'sums of vectors': sum(biotSavart({ softening: 0.1 })),
  argmin: reduce('argmin', pairTerm('r2')()),
  'argmin with self': reduce('argmin', pairTerm('mass_j - r2')(), { self: 'include' }),
  'a function whose name loops might take': sum(pairTerm('step(r - 0.5)*r')()),
  logsumexp: reduce('logsumexp', pairTerm('r2')()),
  'nearest 5': nearest(5),
  'nearest 20 with exclusions': nearest(20, {
    exclusions: [
      [0, 1],
      [5, 100],
      [5, 7],
      [130, 5],
    ],
  }),
  count: countWithin(0.3),
}

for (const plan of pairPlans)
  for (const [name, workload] of Object.entries(pairs))
    test(`${plan.variant}: ${name}`, async () => {
      await expectTruth(workload, points(133), plan)
    })

const vectors = sum(pairTerm('dot(v_i, v_j)*exp(-sqdist(v_i, v_j)) + norm(v_i)*w_j')())
for (const plan of pairPlans)
  test(`${plan.variant}: vectors`, async () => {
    const count = 133
    await expectTruth(vectors, { v: numbers(13 * count, 6), w: numbers(count, 7), count } as unknown as Particles, plan)
  })

const componentPlans: readonly Plan[] = [
  { variant: 'components', sizes: { workgroup: 16, slices: 4, targets: 4, unroll: 4, parts: 3 } },
  // More slices than members.
  { variant: 'components', sizes: { workgroup: 32, slices: 8, targets: 4, unroll: 4, blocks: 1 } },
]
const withVectors = (count: number, length: number) =>
  ({
    position: numbers(3 * count, 5),
    v: numbers(length * count, 6),
    u: numbers(length * count, 8),
    w: numbers(count, 7),
  }) as unknown as Particles
const sums = {
  sum: vectors,
  'forces with a cutoff and exclusions': forces(pairPotential('w_i*w_j*exp(-sqdist(v_i, v_j))/(r + 0.1)')(), {
    cutoff: 0.8,
    boundary: periodic([2, 2, 2]),
    exclusions: [
      [0, 1],
      [130, 5],
    ],
  }),
  'two vectors of a point': sum(pairTerm('sum(abs(v_i - u_i - v_j*u_j))')()),
  'parameters by component': sum(pairTerm('exp(-sum(g*(v_i - v_j)^2))', { parameters: { g: [1, 2, 3, 4, 5] } })()),
}

const otherFolds = {
  'a greatest term': reduce('argmax', pairTerm('dot(v_i, u_j)')()),
  'least terms with self': reduce('min', pairTerm('w_j*norm(v_i - v_j)')(), { self: 'include' }),
  'a mean of logarithms': reduce('logsumexp', pairTerm('-sqdist(v_i, v_j) + w_j')()),
  neighbours: nearest(3, pairTerm('sqdist(v_i, u_j)')()),
  'neighbours with exclusions': nearest(2, pairTerm('sqdist(v_i, v_j)')(), { exclusions: [[0, 1]] }),
  count: countWithin(2, pairTerm('sqdist(v_i, v_j)')()),
}
/** Five components and seventeen; vectors among the parameters have five. */
const lengthsOf = (workload: Workload) => (workload === sums['parameters by component'] ? [5] : [5, 17])

describe.each(componentPlans)('component by component, $sizes', (plan) => {
  test.each(Object.entries(sums))('%s', async (_, workload) => {
    for (const length of lengthsOf(workload)) await expectTruth(workload, withVectors(133, length), plan)
  })
})

const sharedPlans: readonly Plan[] = [
  { variant: 'shared-components', sizes: { workgroup: 16, slices: 4, unroll: 8, parts: 3 } },
  { variant: 'shared-components', sizes: { workgroup: 64, slices: 2, unroll: 16, blocks: 1 } },
  { variant: 'shared-components' },
]
describe.each(sharedPlans)('component by component in workgroup memory, $sizes', (plan) => {
  test.each(Object.entries({ ...sums, ...otherFolds }))('%s', async (_, workload) => {
    for (const length of lengthsOf(workload)) await expectTruth(workload, withVectors(133, length), plan)
  })
})

// The sizes of cards. A software GPU takes minutes to compile so many copies of longer terms.
test.each([
  { targets: 8, unroll: 4 },
  { targets: 4, unroll: 8 },
])('component by component, %j', async (sizes) => {
  const plan = { variant: 'components', sizes: { workgroup: 64, slices: 8, parts: 2, ...sizes } }
  const two = {
    targets: { v: numbers(13 * 130, 1), count: 130 },
    sources: { u: numbers(13 * 71, 2), w: numbers(71, 3) },
  }
  await expectTruth(sum(pairTerm('w_j*sqdist(v_i, u_j)')()), two as unknown as Particles, plan)
})

test('component by component is refused if it does not fit', async () => {
  const shape = { dimension: 3, targets: 9, sources: 9, sameSet: true, vectors: [], lengths: { v: 5, w: 5 } } as const
  const asked = (sizes: Plan['sizes'], workload: Workload = vectors, variant = 'components') =>
    device.prepare(workload, shape, { variant, ...(sizes && { sizes }) })
  await expect(asked(undefined, reduce('argmax', pairTerm('dot(v_i, v_j)')()))).rejects.toThrow(
    '"variant" components is only for sums; name another variant or other sizes',
  )
  const ofOne = sum(pairTerm('norm(v_i)*w_j')())
  await expect(
    device.prepare(ofOne, { ...shape, vectors: [], lengths: { v: 5 } }, { variant: 'components' }),
  ).rejects.toThrow('is only for laws that read vectors of both points')
  const shared = (sizes: Plan['sizes']) => asked(sizes, vectors, 'shared-components')
  await expect(shared({ targets: 4 })).rejects.toThrow('shared-components needs slices, one target')
  await expect(shared({ unroll: 64, slices: 2 })).rejects.toThrow('unroll at most 32, 16 times slices')
  await expect(shared({ unroll: 64, slices: 4, workgroup: 512 })).rejects.toThrow(
    'bytes of workgroup memory, and the device has',
  )
  await expect(asked({ targets: 6 })).rejects.toThrow('targets and unroll that are multiples of 4')
  await expect(asked({ slices: 1 })).rejects.toThrow('components needs slices')
  await expect(asked({ workgroup: 16, slices: 8, unroll: 4 })).rejects.toThrow('unroll at most 2, workgroup/slices')
  await expect(asked({ workgroup: 16, slices: 2, targets: 16, unroll: 4 })).rejects.toThrow('too few invocations')
})

const minimaPlans: readonly Plan[] = [
  { variant: 'group-minima', sizes: { workgroup: 32, targets: 3, unroll: 4, group: 8, parts: 3 } },
  // More groups than one round examines.
  { variant: 'group-minima', sizes: { workgroup: 16, targets: 1, group: 1, parts: 1 } },
  // More parts than neighbours; the least terms of the parts bound the least terms of the groups.
  { variant: 'group-minima', sizes: { workgroup: 16, targets: 2, unroll: 2, group: 4, parts: 64 } },
]
const exclusions = [
  [0, 1],
  [5, 100],
  [5, 7],
  [130, 5],
] as const
const selected: readonly [string, Workload, Particles][] = [
  ['one neighbour', nearest(1), points(133)],
  ['all there are', nearest(15), points(16)],
  ['fifteen, with exclusions', nearest(15, { exclusions }), points(133)],
  ['within a cutoff in a box', nearest(6, { cutoff: 0.2, boundary: periodic([1, 1, 1]) }), points(133)],
  ['in 2-D', nearest(4), { dimension: 2, position: numbers(266, 24) }],
  ['in one place', nearest(8), { position: new Float32Array(3 * 400).fill(0.5) }],
  ['sorted along an axis', nearest(8), { position: numbers(1200, 25).sort() }],
]
for (const [n, plan] of minimaPlans.entries())
  test.each(selected.filter((_, k) => deep || k % minimaPlans.length === n))(
    'group-minima: %s',
    async (_, workload, particles) => {
      await expectTruth(workload, particles, plan)
    },
  )

test('group-minima computes two sets', async () => {
  const { shape, bindings } = bind(nearest(7), { targets: points(9), sources: points(300) })
  const { results } = truthOf(nearest(7), shape, bindings)
  for (const plan of minimaPlans) {
    const program = await device.prepare(nearest(7), shape, plan)
    const { index = [] } = await program.run(bindings)
    expect([...index]).toEqual([...(results.index ?? [])])
    program.dispose()
  }
})

test('group-minima computes many targets with fewer invocations for each', async () => {
  const many = { targets: { position: numbers(3 * 20500, 8) }, sources: points(64) }
  const { shape, bindings } = bind(nearest(3), many)
  const plan = { variant: 'group-minima', sizes: { workgroup: 32, targets: 4, unroll: 2, group: 1, parts: 1 } }
  const [selecting, listed] = [
    await device.prepare(nearest(3), shape, plan),
    await device.prepare(nearest(3), shape, { variant: 'naive' }),
  ]
  const expected = await listed.run(bindings)
  expect((await selecting.run(bindings)).index?.join()).toBe(expected.index?.join())
  for (const program of [selecting, listed]) program.dispose()
})

test('group-minima is refused if it does not fit', async () => {
  const plan = { variant: 'group-minima' }
  const refused = (workload: Workload) => device.prepare(workload, bind(workload, points(40)).shape, plan)
  await expect(refused(nearest(16))).rejects.toThrow('fewer than 16 of them')
  await expect(refused(countWithin(0.3))).rejects.toThrow('is only for the nearest neighbours')
})

const nearest5 = pairs['nearest 5'] as Workload
// Every point except one has a twin in the same place, so the order of equal terms decides.
test.each([
  ['argmin', pairs.argmin as Workload],
  ['nearest 5', nearest5],
  ['nearest 20', nearest(20)],
] as const)(
  '%s of equal terms has the lower source first, in whatever order ranges are visited',
  async (_, workload) => {
    const twins = { position: Float32Array.from({ length: 3 * 133 }, (_, n) => numbers(3 * 67, 1)[n % (3 * 67)] ?? 0) }
    const { shape, bindings } = bind(workload, twins)
    const truth = truthOf(workload, shape, bindings).results.index ?? []
    const plans = workload === nearest5 ? [...pairPlans, ...minimaPlans] : pairPlans
    for (const plan of plans) {
      const program = await device.prepare(workload, shape, plan)
      const later = await program.run(bindings, { sources: [60, 133] })
      const { index = [] } = await program.run(bindings, { sources: [0, 60], initial: later })
      expect([...index], plan.variant).toEqual([...truth])
      program.dispose()
    }
  },
)

const box = { cutoff: 0.4, boundary: periodic([1, 1, 1]) }
const symmetric: Readonly<Record<string, Workload>> = {
  'accelerations of gravity': accelerations(gravity({ softening: 0.1 })),
  'forces without softening': forces(coulomb()),
  'forces in a box': forces(gaussian({ width: 0.2 }), box),
}
/** A few blocks, and enough blocks that the last offsets get separate workgroups. */
const onceSizes = [
  { targets: 2, offsets: 3 },
  { targets: 1, offsets: 2 },
  { targets: 3, offsets: 2, unroll: 0 },
]
/** Points in blocks of 64, fetched from the memory where they were loaded; these loops take long to compile. */
const fetching = { sizes: { targets: 16 }, counts: [1, 64, 133] }
for (const [name, workload] of Object.entries(symmetric))
  test.each([1, 3, 32, 33, 64, 133])(`each-pair-once: ${name}, %i points`, async (count) => {
    const particles = { ...points(count), charge: numbers(count, 20), weight: numbers(count, 21) }
    for (const sizes of fetching.counts.includes(count) ? [...onceSizes, fetching.sizes] : onceSizes)
      await expectTruth(workload, particles, { variant: 'each-pair-once', sizes })
  })

test.each(Object.entries(symmetric))(
  'each-pair-once has the same %s by a rolled loop, to the bit',
  async (_, workload) => {
    const particles = { ...points(133), charge: numbers(133, 20), weight: numbers(133, 21) }
    const { shape, bindings } = bind(workload, particles)
    const of = async (unroll: number) => {
      const sizes = { targets: 3, offsets: 2, unroll }
      const program = await device.prepare(workload, shape, { variant: 'each-pair-once', sizes })
      const results = await program.run(bindings)
      program.dispose()
      return results
    }
    expect(await of(0)).toEqual(await of(2))
  },
)

test('each-pair-once leaves out terms that are NaN beyond the cutoff', async () => {
  const workload = forces(pairForce('charge_i*charge_j*sqrt(0.16 - r2)')(), { cutoff: 0.4 })
  const particles = { ...points(133), charge: numbers(133, 20) }
  for (const sizes of onceSizes) await expectTruth(workload, particles, { variant: 'each-pair-once', sizes })
})

test('each-pair-once computes 2-D, and ranges with the plain loop', async () => {
  const workload = accelerations(gravity({ softening: 0.1 }))
  const { shape, bindings } = bind(workload, { dimension: 2, position: numbers(140, 22), mass: numbers(70, 23) })
  const program = await device.prepare(workload, shape, { variant: 'each-pair-once', sizes: { targets: 4 } })
  const truth = truthOf(workload, shape, bindings)
  const bound = errorBound(program.report, 70)
  const { acceleration = [] } = await program.run(bindings)
  expect(errorNorms(acceleration, truth.results.acceleration ?? [], truth.scales.acceleration ?? []).max).toBeLessThan(
    bound,
  )
  const first = await program.run(bindings, { sources: [0, 20] })
  const both = await program.run(bindings, { sources: [20, 70], initial: first })
  expect(
    errorNorms(both.acceleration ?? [], truth.results.acceleration ?? [], truth.scales.acceleration ?? []).max,
  ).toBeLessThan(bound)
})

test('each-pair-once is refused if it does not fit', async () => {
  const { shape } = bind(pairs.argmin as Workload, points(10))
  const once = { variant: 'each-pair-once' }
  await expect(device.prepare(pairs.argmin as Workload, shape, once)).rejects.toThrow('not a sum of symmetric terms')
  await expect(device.prepare(potentials(gravity()), shape, once)).rejects.toThrow('not radial')
  const two = { ...shape, sameSet: false }
  await expect(device.prepare(forces(coulomb()), two, once)).rejects.toThrow('two sets')
})

const cloud = { ...points(200), velocity: numbers(600, 6) }
const cells = [5, 7, 33]
const elements: readonly [string, readonly string[], Workload, Particles][] = [
  [
    'map',
    ['direct', 'staged'],
    map({ velocity: 'velocity*mass + dt', kinetic: 'mass*velocity_x^2' }, { dt: 0.1 }),
    cloud,
  ],
  [
    'cell index',
    ['direct', 'staged'],
    cellIndex({ cells: [5, 7, 3], spacing: [0.1, 0.2, 0.3], edges: 'clamp' }),
    points(200),
  ],
  ['gradient', ['direct', 'marching'], gradient({ cells, spacing: 0.1 }), { field: numbers(5 * 7 * 33, 7) }],
  [
    'gradient in 2-D',
    ['direct', 'marching'],
    gradient({ cells: [9, 40], spacing: 0.1, edges: 'clamp' }),
    { field: numbers(360, 8) },
  ],
]
for (const [name, variants, workload, particles] of elements)
  test.each(variants)(`${name}, %s`, async (variant) => {
    await expectTruth(workload, particles, { variant })
  })

async function expectTruth(workload: Workload, particles: Particles, plan: Plan): Promise<void> {
  const { shape, bindings } = bind(workload, particles)
  const truth = truthOf(workload, shape, bindings)
  const program = await device.prepare(workload, shape, plan)
  const results = await program.run(bindings)
  program.dispose()
  expect(program.report.variant).toContain(plan.variant)
  for (const name of workload.results) {
    const [got = [], expected = []] = [results[name], truth.results[name]]
    if (got instanceof Float32Array)
      expect(errorNorms(got, expected, truth.scales[name] ?? []).max).toBeLessThan(
        errorBound(program.report, shape.sources),
      )
    else expect([...got]).toEqual([...expected])
  }
}
