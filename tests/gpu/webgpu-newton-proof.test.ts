// The proof that lets the model meet each pair once: right results pass it, wrong ones and empty ones do not.

import { accelerations, gravity, type Shape } from '@manybody/core'
import { expect, test } from 'vitest'
import { findAdapter } from '../../packages/backend-webgpu/src/adapter.ts'
import { openHost } from '../../packages/backend-webgpu/src/gpu-host.ts'
import { createMemory } from '../../packages/backend-webgpu/src/memory.ts'
import { createNewtonProof } from '../../packages/backend-webgpu/src/newton-proof.ts'
import { newtonPlanOf, newtonRecipe } from '../../packages/backend-webgpu/src/newton-recipe.ts'
import { pairCase, pairRecipe } from '../../packages/backend-webgpu/src/pair-recipe.ts'
import { choosePlan, newtonVariant } from '../../packages/backend-webgpu/src/plan.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const law = (G: number) => accelerations(gravity({ G, softening: 0.1 }))
const plainOf = (G: number) => pairRecipe(host, law(G), shape, choosePlan(pairCase(law(G), shape, host)))
const onceOf = (G: number) =>
  newtonRecipe(host, law(G), shape, newtonPlanOf(law(G), shape, { variant: newtonVariant }, host), () => plainOf(G))

test('what agrees with the plain loop holds', async () => {
  const proof = createNewtonProof(host, memory)
  expect(await proof.holds(law(1), shape, await onceOf(1), await plainOf(1))).toBe(true)
})

test('what differs does not, nor does what gives zeros', async () => {
  // A little more softening stands for results that a driver got wrong.
  const plain = await plainOf(1)
  const other = { ...plain, steps: withParameter('softening', 0.11, plain.steps) }
  expect(await createNewtonProof(host, memory).holds(law(1), shape, await onceOf(1), other)).toBe(false)
  expect(await createNewtonProof(host, memory).holds(law(0), shape, await onceOf(0), await plainOf(0))).toBe(false)
})

type Steps = Awaited<ReturnType<typeof plainOf>>['steps']
const withParameter =
  (name: string, value: number, steps: Steps): Steps =>
  (context, results) => {
    const parameters = { ...context.bindings.parameters, [name]: value }
    return steps({ ...context, bindings: { ...context.bindings, parameters } }, results)
  }
