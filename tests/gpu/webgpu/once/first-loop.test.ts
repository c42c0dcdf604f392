// A program with many points first runs a loop that compiles fast. When it runs again, it compiles the loop that computes fast. Both give
// the same results.

import { accelerations, gravity, type Plan, type Shape } from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import { afterAll, expect, test, vi } from 'vitest'
import { designsOf } from '../../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { onceVariant } from '../../../../packages/backend-webgpu/src/plans/variants.ts'
import { findAdapter } from '../../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../../packages/backend-webgpu/src/run/host/memory.ts'
import { compiled } from '../../../../packages/backend-webgpu/src/run/programs/compiled-program.ts'
import { prepare } from '../../../../packages/backend-webgpu/src/run/programs/prepare.ts'
import { GpuProgram } from '../../../../packages/backend-webgpu/src/run/programs/program.ts'
import { createOnceProof, type OnceProof } from '../../../../packages/backend-webgpu/src/run/programs/proof.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})

const workload = accelerations(gravity({ softening: 0.1 }))
const shapeOf = (points: number): Shape => {
  return { dimension: 3, targets: points, sources: points, sameSet: true, vectors: ['position'] }
}
/** Plans for a graphics card. This device compiles their loops, too. */
const card = { ...host, info: { ...host.info, kind: 'hardware' as const } }
const fitted = ({ variant }: Plan) =>
  variant === onceVariant ? { variant, sizes: { targets: 2 } } : { variant: 'naive' }
const planning = { host: card, crowd: (shape: Shape) => shape, fitted }
const preparing = (points: number, proof: OnceProof) => {
  const shape = shapeOf(points)
  const designs = designsOf(workload, shape, host, planning)
  return prepare({ host, tuning: undefined, proof }, designs, workload, shape)
}

const rolled = /unroll 0/
const agreeing: OnceProof = { alike: true, compare: async () => 'same' }

test('many points start with the loop that compiles soon, unless they compute for too long or the driver reorders it', async () => {
  const { usual, tuned } = await preparing(65536, createOnceProof(host, memory))
  expect(usual.design.variant).toMatch(rolled)
  expect((await tuned?.())?.design.variant).toMatch(/unroll 4/)
  for (const [points, proof] of [
    [65537, agreeing],
    [65536, { ...agreeing, alike: false }],
  ] as const) {
    const { usual, tuned } = await preparing(points, proof)
    expect(usual.design.variant).toMatch(/^each-pair-once .*unroll 4/)
    expect(tuned).toBeUndefined()
  }
})

test('a loop that the device computes wrongly is not used', async () => {
  const first = await preparing(65536, { ...agreeing, compare: async () => 'apart' })
  expect(first.usual.design.proof).toBeUndefined()
  expect(first.tuned).toBeUndefined()
  // Only the fast loop is wrong.
  const compare = vi.fn<OnceProof['compare']>().mockResolvedValueOnce('close').mockResolvedValueOnce('apart')
  const { usual, tuned } = await preparing(65536, { ...agreeing, compare })
  expect(await tuned?.()).toBe(usual)
})

const few = shapeOf(100)
const designOf = (unroll: number) =>
  designsOf(workload, few, host).of({ variant: onceVariant, sizes: { targets: 2, unroll } })
const bindings = sampleBindings(workload, few)

async function programOf(tuned = vi.fn(() => compiled(host, designOf(4)))) {
  return {
    tuned,
    program: new GpuProgram(host, memory, workload, few, { usual: await compiled(host, designOf(0)), tuned }, 0),
  }
}

test('a program that runs once compiles nothing more, and one that runs again gets faster with the same results', async () => {
  const { program, tuned } = await programOf()
  const first = await program.run(bindings)
  expect(tuned).not.toHaveBeenCalled()
  expect(program.report.variant).toMatch(rolled)
  await vi.waitUntil(async () => {
    expect(await (program.again(bindings) ?? program.run(bindings))).toEqual(first)
    return !rolled.test(program.report.variant)
  })
  expect(tuned).toHaveBeenCalled()
  expect(program.report.variant).toMatch(/unroll 4/)
  expect(program.again(bindings)).toBeDefined()
  program.dispose()
})

test('a fast loop that cannot be compiled leaves the other, and a program that is disposed of meanwhile stays so', async () => {
  const failing = await programOf(vi.fn(() => Promise.reject(new Error('no'))))
  const first = await failing.program.run(bindings)
  for (let n = 0; n < 3; n++) expect(await failing.program.run(bindings)).toEqual(first)
  await expect(failing.program.tune()).rejects.toThrow('no')
  const { program } = await programOf()
  await program.run(bindings)
  const second = program.run(bindings)
  program.dispose()
  expect(await second).toEqual(first)
  await program.tune()
  await expect(program.run(bindings)).rejects.toThrow('disposed')
})
