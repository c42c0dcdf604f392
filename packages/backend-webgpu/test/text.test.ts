// The text of a workload equals the text that a device of the same limits compiles, in the same order.

import {
  accelerations,
  coulomb,
  forces,
  gradient,
  gravity,
  map,
  matrix,
  nearest,
  type Plan,
  pairPotential,
  pairTerm,
  periodic,
  reduce,
  type Shape,
  stencil,
  sum,
  type Workload,
} from '@manybody/core'
import { describe, expect, test } from 'vitest'
import { designsOf } from '../src/compile/designs/designs.ts'
import { findAdapter } from '../src/run/host/adapter.ts'
import { openHost } from '../src/run/host/host.ts'
import { createMemory } from '../src/run/host/memory.ts'
import { prepare } from '../src/run/programs/prepare.ts'
import { createOnceProof } from '../src/run/programs/proof.ts'
import { wgslText } from '../src/text.ts'

const found = await findAdapter({ dawn: ['backend=null'] })
const host = await openHost(found)
const memory = createMemory(host)
const shape: Shape = { dimension: 3, targets: 5000, sources: 5000, sameSet: true, vectors: ['position'] }

/** The shaders that a device compiles for the workload. */
async function compiled(workload: Workload, plan: Plan | undefined, points = shape): Promise<readonly string[]> {
  const codes: string[] = []
  const { device } = host
  const createShaderModule = device.createShaderModule.bind(device)
  device.createShaderModule = (descriptor) => {
    codes.push(descriptor.code)
    return createShaderModule(descriptor)
  }
  try {
    const context = { host, tuning: undefined, proof: createOnceProof(host, memory) }
    const { usual } = await prepare(context, designsOf(workload, points, host), workload, points, plan)
    await usual.ready()
  } finally {
    device.createShaderModule = createShaderModule
  }
  return codes
}

const cases: readonly [Workload, Plan][] = [
  [accelerations(gravity()), { variant: 'tiled' }],
  [accelerations(gravity()), { variant: 'split', sizes: { workgroup: 64, targets: 2 } }],
  [accelerations(gravity({ softening: 0.1 })), { variant: 'tiled-vectorised' }],
  [reduce('argmin', pairTerm('r2')()), { variant: 'sliced' }],
  [nearest(8), { variant: 'group-minima' }],
  [map({ position: 'position + velocity' }), { variant: 'staged' }],
  [gradient({ cells: [4, 5, 6], spacing: 1 }), { variant: 'marching' }],
]
test.each(cases)('the printed shaders of case %# are those that a device compiles', async (workload, plan) => {
  const { limits } = host
  const codes = await compiled(workload, plan)
  expect(codes.length).toBeGreaterThan(0)
  expect(asCompiled(wgslText(workload, shape, { plan, limits }))).toBe(codes.join('\n'))
})

/** The text for people, one shader after the other, without the comments and blank lines for people. */
const asCompiled = (text: string): string =>
  text
    .replaceAll(/\/\/.*/g, '')
    .split('struct Run {')
    .map((part) => {
      const arrays = [...part.matchAll(/var<storage, \w+> (\w+):/g)].map(([, name]) => name)
      return part.replaceAll(/\w+/g, (word) => (arrays.includes(word) ? `bound${arrays.indexOf(word)}` : word))
    })
    .join('struct Run {')

describe('compiled code', () => {
  const parameters = { zqxp: 1.5, zqxq: 0.5 }
  const law = pairPotential('zqxp*(zqxa_i + zqxa_j)*zqxb_j/sqrt(r2 + zqxq^2)', {
    ...{ name: 'zqxlaw', parameters, inertia: 'zqxm' },
  })()
  const term = pairTerm({ zqxc: 'zqxp*zqxa_j', zqxd: 'exp(-zqxq*r2)*zqxb_i' }, { name: 'zqxlaw', parameters })()
  const symmetric = pairPotential('zqxp*zqxa_i*zqxa_j/sqrt(r2 + zqxq^2)', { name: 'zqxlaw', parameters })()
  const domain = { cutoff: 2, exclusions: [[0, 1]] as const }
  const outputs = { zqxo: 'zqxp*zqxa + zqxq', zqxv: 'zqxv + zqxp*position', zqxw: 'sin(zqxp*zqxv_x) + zqxa^2' }
  const cells = stencil({ zqxo: 'zqxp*c + zqxq', zqxw: 'exp(zqxq*xp)' }, { cells: [4, 5, 6], spacing: 1 }, parameters)
  const pairs: readonly Workload[] = [
    accelerations(law, domain),
    sum(term),
    reduce('argmin', law),
    reduce('logsumexp', law),
  ]
  const plans = ['naive', 'tiled', 'split', 'sliced', 'grid-stride', 'register-blocked', 'tiled-vectorised']
  test.each<[Workload, Plan | undefined]>([
    ...pairs.flatMap((workload) => plans.map((variant): [Workload, Plan] => [workload, { variant }])),
    [accelerations(law, domain), { variant: 'blocks' }],
    [accelerations(law, { ...domain, boundary: periodic([9, 9, 9]) }), { variant: 'cells' }],
    [matrix(law), undefined],
    [map(outputs, parameters), { variant: 'staged' }],
    [map(outputs, parameters), { variant: 'direct' }],
    [cells, { variant: 'marching' }],
    [cells, undefined],
  ])('contains no names of the caller: case %#', async (workload, plan) => {
    const codes = await compiled(workload, plan, { ...shape, vectors: ['position', 'zqxv'] })
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.join()).not.toContain('zqx')
  })

  test('contains no names of the caller in the loop over each pair once', () => {
    const text = wgslText(forces(symmetric), shape, { plan: { variant: 'each-pair-once' } })
    expect(asCompiled(text)).not.toContain('zqx')
    expect(text).toContain('zqxp')
  })
})

test('shaders are printed for each pair once, a matrix, and the plan of the model', () => {
  const large = { ...shape, targets: 20000, sources: 20000 }
  const gravities = accelerations(gravity())
  expect(wgslText(gravities, large)).toContain('// gravity, sum of acceleration, each-pair-once (subgroup 32')
  expect(wgslText(gravities, large)).toBe(wgslText(gravities, large, { plan: { variant: 'each-pair-once' } }))
  expect(wgslText(gravities, large, { subgroup: 64 })).toContain('each-pair-once (subgroup 64')
  expect(wgslText(gravities, shape)).toContain('sliced (workgroup 256')
  const wide = {
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
    maxComputeWorkgroupStorageSize: 32768,
  }
  expect(wgslText(gravities, shape, { limits: wide })).toContain('sliced (workgroup 1024')
  expect(wgslText(matrix(coulomb()), shape)).toContain('// coulomb, matrix')
})

test('the longest lists of the selection fit the workgroup memory of every device', () => {
  const text = wgslText(nearest(15), shape, { plan: { variant: 'group-minima' } })
  const arrays = [...text.matchAll(/var<workgroup> shared_\w+: array<\w+, (\d+)>/g)].map(
    ([, length]) => 4 * Number(length),
  )
  expect(arrays.length).toBe(2)
  expect(arrays.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(16384)
})

test('plans that do not fit are refused', () => {
  expect(() => wgslText(nearest(3), shape, { plan: { variant: 'fastest' } })).toThrow('"variant" expected naive')
  expect(() => wgslText(matrix(coulomb()), shape, { plan: { variant: 'tiled' } })).toThrow('choose its loop')
  expect(() => wgslText(nearest(3), shape, { plans: 1 } as never)).toThrow('plans')
})
