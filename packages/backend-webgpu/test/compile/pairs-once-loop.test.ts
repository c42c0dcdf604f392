// The loop that meets each pair once compiles for subgroups of every size that devices have. Dawn's null backend checks
// the WGSL without a GPU; tests/gpu checks the results.

import {
  accelerations,
  buckingham,
  coulomb,
  forces,
  gaussian,
  gravity,
  inversePower,
  lennardJones,
  morse,
  type PairWorkload,
  periodic,
  type Shape,
  yukawa,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { allParts } from '../../src/compile/designs/all-parts.ts'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { writtenLoops } from '../../src/compile/designs/pair-loops.ts'
import { type PairDesign, shadersOf } from '../../src/design/design.ts'
import { onceDesign } from '../../src/designs/once-design.ts'
import { type OncePlan, oncePlanOf } from '../../src/plans/once-plan.ts'
import { onceVariant } from '../../src/plans/variants.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'
import { compiled } from '../../src/run/programs/compiled-program.ts'
import { expectPrinted } from '../support/printed.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const designOf = (workload: PairWorkload, plan: OncePlan, points = shape) =>
  onceDesign(writtenLoops(workload, points, allParts), workload, points, plan, host.limits, () =>
    plainDesign(workload, points),
  )

function plainDesign(workload: PairWorkload, points: Shape): PairDesign {
  const design = designsOf(workload, points, host).of({ variant: 'naive' })
  if (design.driver !== 'pair') throw new Error('expected a loop over all pairs')
  return design
}

const laws = [gravity(), coulomb(), lennardJones(), yukawa(), morse(), gaussian(), inversePower(), buckingham()]
const workloads = laws.flatMap((law) => [
  [`accelerations of ${law.name}`, accelerations(law)] as const,
  [`forces of ${law.name} in a box`, forces(law, { cutoff: 2, boundary: periodic([9, 9, 9]) })] as const,
])

test.each(workloads)('%s', async (_, workload) => {
  for (const subgroup of [4, 16, 32, 64])
    for (const unroll of [4, 0]) {
      const { design } = await compiled(host, designOf(workload, { subgroup, targets: 2, unroll, offsets: 3 }))
      expect(design.variant).toContain(`(subgroup ${subgroup}, targets 2, unroll ${unroll}, `)
    }
})

test('in 2-D', async () => {
  const flat = { ...shape, dimension: 2 as const }
  const plan = { subgroup: 32, targets: 4, offsets: 1 }
  for (const unroll of [2, 0]) await compiled(host, designOf(accelerations(gravity()), { ...plan, unroll }, flat))
})

test('unknown sizes and sizes out of range are refused', () => {
  const uniform = { ...host, subgroups: { least: 32, most: 32 } }
  const planOf = (sizes: Readonly<Record<string, number>>) =>
    oncePlanOf(
      writtenLoops(accelerations(gravity()), shape, allParts).once.facts,
      1000,
      { variant: onceVariant, sizes },
      uniform,
    )
  expect(planOf({ targets: 4, unroll: 8, offsets: 2 })).toEqual({ subgroup: 32, targets: 4, unroll: 8, offsets: 2 })
  expect(() => planOf({ workgroup: 64 })).toThrow('"sizes" expected targets, unroll, offsets, got workgroup')
  expect(() => planOf({ target: 4 })).toThrow(RangeError)
  expect(planOf({ targets: 4, unroll: 0 })).toMatchObject({ targets: 4, unroll: 0 })
  for (const [name, least, most] of [
    ['targets', 1, 64],
    ['unroll', 0, 64],
    ['offsets', 1, 1024],
  ] as const)
    for (const value of [least - 1, 1.5, most + 1, Number.NaN])
      expect(() => planOf({ [name]: value })).toThrow(
        `"${name}" expected integer from ${least} to ${most}, got ${value}`,
      )
})

test('many points and a law that keeps few numbers get many targets', () => {
  const uniform = { ...host, subgroups: { least: 32, most: 32 } }
  const sizes = (law: (typeof workloads)[number][1], targets: number) =>
    oncePlanOf(writtenLoops(law, shape, allParts).once.facts, targets, { variant: onceVariant }, uniform)
  const light = accelerations(gravity())
  expect(sizes(light, 1000)).toMatchObject({ targets: 2 })
  expect(sizes(light, 16384)).toMatchObject({ targets: 8, unroll: 4, offsets: 1 })
  expect(sizes(light, 65536)).toMatchObject({ targets: 16, unroll: 2, offsets: 2 })
  expect(sizes(light, 262144)).toMatchObject({ targets: 16, unroll: 2, offsets: 3 })
  expect(sizes(forces(lennardJones()), 65536)).toMatchObject({ targets: 8, unroll: 4, offsets: 3 })
})

test('the accumulation follows from the length of its chains', () => {
  const accumulation = (targets: number, offsets: number) =>
    designOf(forces(coulomb()), { subgroup: 32, targets, unroll: 4, offsets }).accumulation
  expect(accumulation(8, 1)).toBe('block')
  expect(accumulation(8, 2)).toBe('running')
  expect(accumulation(16, 1)).toBe('running')
})

test('with many targets, points are fetched from the lanes that loaded them', () => {
  const plan = { subgroup: 32, targets: 16, unroll: 2, offsets: 2 }
  const [loop] = shadersOf(designOf(accelerations(gravity({ softening: 0.05 })), plan))
  expect(loop?.code).toContain('let holder = (lane + turn * 2u + 1u) % 32u;')
  expect(loop?.code).toContain('let source = subgroupShuffle(source, holder);')
})

test('the shaders of gravity match the files', async () => {
  const plan = { subgroup: 32, targets: 1, unroll: 1, offsets: 2 }
  const design = (unroll: number) => designOf(accelerations(gravity({ softening: 0.05 })), { ...plan, unroll })
  const reduction = 'once/gravity-each-pair-once-second-reduction'
  await expectPrinted(design(1), 'once/gravity-each-pair-once', reduction)
  const [loop] = shadersOf(design(0))
  await expect(loop?.code).toMatchFileSnapshot('./shaders/once/gravity-each-pair-once-rolled.wgsl')
})
