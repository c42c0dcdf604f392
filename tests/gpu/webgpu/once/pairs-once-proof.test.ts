// The proof that allows the plan model to meet each pair once: right results pass it; wrong and empty ones do not.

import { accelerations, gravity, type Shape } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import { designsOf } from '../../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import type { ProgramDesign } from '../../../../packages/backend-webgpu/src/design/design.ts'
import { onceVariant } from '../../../../packages/backend-webgpu/src/plans/variants.ts'
import { findAdapter } from '../../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../../packages/backend-webgpu/src/run/host/memory.ts'
import {
  type CompiledProgram,
  compiled,
} from '../../../../packages/backend-webgpu/src/run/programs/compiled-program.ts'
import { createOnceProof } from '../../../../packages/backend-webgpu/src/run/programs/proof.ts'
import type { Contestant } from '../../../../packages/backend-webgpu/src/run/programs/trial.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const law = (G: number) => accelerations(gravity({ G, softening: 0.1 }))
const contestant = (design: ProgramDesign): Contestant => ({ design, compiled: () => compiled(host, design) })
const plainOf = (G: number) => contestant(designsOf(law(G), shape, host).of())
const onceOf = (G: number, unroll = 2) =>
  contestant(designsOf(law(G), shape, host).of({ variant: onceVariant, sizes: { unroll } }))
/** A little more softening stands for a driver's wrong results. */
const faulty = ({ design, compiled }: Contestant, softening: number): Contestant => ({
  design,
  compiled: async () => {
    const program = await compiled()
    return { ...program, steps: withParameter('softening', softening, program.steps) }
  },
})

test('results that agree with the plain loop pass', async () => {
  const proof = createOnceProof(host, memory)
  expect(await proof.compare(law(1), shape, onceOf(1), plainOf(1))).toBe('close')
  expect(proof.alike).toBe(true)
})

test('results that differ, and zeros, fail', async () => {
  const proof = () => createOnceProof(host, memory)
  expect(await proof().compare(law(1), shape, onceOf(1), faulty(plainOf(1), 0.11))).toBe('apart')
  expect(await proof().compare(law(0), shape, onceOf(0), plainOf(0))).toBe('apart')
})

test('loops with the same operations in the same order agree to the bit, or it is noted', async () => {
  const proof = createOnceProof(host, memory)
  expect(await proof.compare(law(1), shape, onceOf(1), onceOf(1, 0))).toBe('same')
  expect(proof.alike).toBe(true)
  const other = createOnceProof(host, memory)
  expect(await other.compare(law(1), shape, onceOf(1), faulty(onceOf(1, 0), 0.1001))).toBe('close')
  expect(other.alike).toBe(false)
})

test('a law that was judged before compiles nothing for it', async () => {
  const proof = createOnceProof(host, memory)
  await proof.compare(law(1), shape, onceOf(1), plainOf(1))
  const [once, plain] = [onceOf(1), plainOf(1)].map((one) => ({ ...one, compiled: vi.fn(one.compiled) }))
  if (once && plain)
    expect(await proof.compare(law(1), { ...shape, targets: 2000, sources: 2000 }, once, plain)).toBe('close')
  expect(once?.compiled).not.toHaveBeenCalled()
  expect(plain?.compiled).not.toHaveBeenCalled()
})

type Steps = CompiledProgram['steps']
const withParameter =
  (name: string, value: number, steps: Steps): Steps =>
  (run, results) => {
    const parameters = { ...run.bindings.parameters, [name]: value }
    return steps({ ...run, bindings: { ...run.bindings, parameters } }, results)
  }
