// The proof that lets the model meet each pair once: right results pass it, wrong ones and empty ones do not.

import { accelerations, gravity, type Shape } from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/designs/designs.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/host/memory.ts'
import { onceVariant } from '../../../packages/backend-webgpu/src/plans/variants.ts'
import { type CompiledProgram, compiled } from '../../../packages/backend-webgpu/src/programs/compiled.ts'
import { createOnceProof } from '../../../packages/backend-webgpu/src/programs/proof.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const law = (G: number) => accelerations(gravity({ G, softening: 0.1 }))
const plainOf = (G: number) => compiled(host, designsOf(law(G), shape, host).of())
const onceOf = (G: number) => compiled(host, designsOf(law(G), shape, host).of({ variant: onceVariant }))

test('results that agree with the plain loop pass', async () => {
  const proof = createOnceProof(host, memory)
  expect(await proof.holds(law(1), shape, await onceOf(1), await plainOf(1))).toBe(true)
})

test('results that differ, and zeros, fail', async () => {
  // A little more softening stands for results that a driver got wrong.
  const plain = await plainOf(1)
  const other = { ...plain, steps: withParameter('softening', 0.11, plain.steps) }
  expect(await createOnceProof(host, memory).holds(law(1), shape, await onceOf(1), other)).toBe(false)
  expect(await createOnceProof(host, memory).holds(law(0), shape, await onceOf(0), await plainOf(0))).toBe(false)
})

type Steps = CompiledProgram['steps']
const withParameter =
  (name: string, value: number, steps: Steps): Steps =>
  (run, results) => {
    const parameters = { ...run.bindings.parameters, [name]: value }
    return steps({ ...run, bindings: { ...run.bindings, parameters } }, results)
  }
