// The loop of sums that are vectors, as text. The number of components changes no line but those with that number. tests/gpu checks its results.

import { type PairWorkload, type Plan, pairTerm, type Shape, sum } from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import type { VectorDesign } from '../../src/design/design.ts'
import { shadersOf } from '../../src/design/design.ts'
import type { LoopHost } from '../../src/design/facts.ts'
import { leastLimits } from '../../src/design/least-limits.ts'
import type { Shader } from '../../src/design/shader.ts'
import { expectPrinted } from '../support/printed.ts'

const gpu: LoopHost = { info: { name: 'a GPU', kind: 'hardware' }, limits: leastLimits, subgroups: undefined }
const shapeOf = (length: number): Shape => ({
  ...{ dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: [] },
  lengths: { x: length, b: length },
})
const kernel = sum(pairTerm('exp(-sqdist(x_i, x_j))*vector(b_j)')())
const apart = sum(pairTerm('q_j*norm(x_j)*abs(vector(g*(b_j - b_i)))', { parameters: { g: [1, 2] } })(), {
  exclusions: [[0, 1]],
})
const designOf = (workload: PairWorkload, length: number, plan?: Plan) =>
  designsOf(workload, shapeOf(length), gpu).of(plan) as VectorDesign

test('a kernel times a vector', async () => {
  await expectPrinted(designOf(kernel, 10), 'vector-kernel', 'vector-parts')
})

test('differences of vectors without some pairs', async () => {
  await expectPrinted(designOf(apart, 3), 'vector-differences', 'vector-differences-parts')
})

test.each([1, 2, 3, 5, 16, 31, 32, 33, 64, 100, 255, 256, 257, 1000, 1024, 1025, 5000, 8192, 8193, 100_000])(
  'a vector of %i components fits the limits of every device, and most invocations have work',
  (length) => {
    for (const workload of [kernel, apart]) {
      const { sizes, blocks, versions } = designOf(workload, length)
      const { workgroup, lanes, components, targets, ofGroup, sources } = sizes
      const [shader] = shadersOf({ ...designOf(workload, length), versions })
      expect(shader?.memory).toBeLessThanOrEqual(leastLimits.maxComputeWorkgroupStorageSize)
      expect(shader?.code.length).toBeLessThan(40_000)
      expect(workgroup).toBeLessThanOrEqual(leastLimits.maxComputeInvocationsPerWorkgroup)
      expect(ofGroup % targets).toBe(0)
      expect((ofGroup / targets) * lanes).toBeLessThanOrEqual(workgroup)
      expect(sources).toBeLessThanOrEqual(workgroup)
      expect(blocks * lanes * components).toBeGreaterThanOrEqual(length)
      // The numbers of a pair are computed once for so many components.
      const inputs = workload === kernel ? 1 : 2
      expect(blocks).toBeLessThanOrEqual(inputs * Math.ceil(length / (length > 512 ? 1024 : 256)))
      if (length > 3) expect((ofGroup / targets) * length).toBeGreaterThan(0.45 * workgroup * components * blocks)
    }
  },
)

/** A term with so many numbers of a pair, and one more. */
const nested = (depth: number): string => (depth === 0 ? 'vector(b_j)' : `abs(${nested(depth - 1)} + ${depth}*q_j)`)

/** The bytes of workgroup memory of a shader, as WebGPU counts them. */
const countedBytes = (code: string) =>
  [...code.matchAll(/var<workgroup> \w+: array<(\w+), (\d+)>/g)].reduce((sum, [, type = '', count]) => {
    const size = { f32: 4, u32: 4, vec2f: 8, vec4f: 16 }[type] as number
    return sum + 16 * Math.ceil((size * Number(count)) / 16)
  }, 0)

test.each([
  [10, 38, 4],
  [40, 20, 4],
  [40, 4, 8],
  [1000, 2, 64],
])(
  'the arrays of a workgroup fit as WebGPU counts them: %i components of %i numbers of a pair, %i sources',
  (length, depth, sources) => {
    const design = designOf(sum(pairTerm(`${nested(depth)}*q_j`)(), { exclusions: [[0, 1]] }), length)
    const [{ code, memory }] = shadersOf(design) as [Shader]
    expect(memory).toBe(countedBytes(code))
    expect(memory).toBeLessThanOrEqual(leastLimits.maxComputeWorkgroupStorageSize)
    expect(design.sizes.sources).toBe(sources)
  },
)

test('components that read too many numbers of a pair are left to sums of a few components', () => {
  const termOf = (depth: number) => sum(pairTerm(`${nested(depth)}*exp(-sqdist(x_i, x_j))`)())
  expect(designOf(termOf(20), 40).sizes.sources).toBe(4)
  expect(() => designOf(termOf(90), 40)).toThrow('its components read 91 numbers of a pair, too many for 16384 bytes')
})

test('another plan is left to sums of a few components', () => {
  expect(() => designOf(kernel, 40, { variant: 'naive' })).toThrow('its plan naive is for a few components at a time')
  expect(() => designOf(kernel, 40, { variant: 'vector', sizes: { parts: 17 } })).toThrow(
    '"parts" expected integer from 1 to 16, got 17',
  )
  expect(() => designOf(kernel, 40, { variant: 'vector', sizes: { targets: 2 } })).toThrow(
    '"sizes" expected parts, got targets',
  )
})

test.each([8, 9, 20])('a function of %i vectors of one side has at least one component at once', (count) => {
  const names = 'abcdefghklmnopqrstuv'.slice(0, count).split('')
  const law = pairTerm(`exp(-dot(x_i, ${names.map((name) => `${name}_j`).join(' + ')}))*vector(z_j)`)()
  const lengths = Object.fromEntries(['x', 'z', ...names].map((name) => [name, 10]))
  const [shader] = shadersOf(designsOf(sum(law), { ...shapeOf(10), lengths }, gpu).of()) as [Shader]
  expect(shader.code).not.toMatch(/array<vec4f, 0>|% 0u|\+= 0u/)
  expect(shader.memory).toBe(countedBytes(shader.code))
})
