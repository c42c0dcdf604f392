// A report names the loop that ran. A loop for whole runs leaves ranges, and runs that continue others, to the plain loop.

import { accelerations, countWithin, gravity, type Plan, type RunOptions, type Workload } from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { afterAll, expect, test } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { GpuArray } from '../../../packages/backend-webgpu/src/run/host/buffer.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { type CompiledProgram, compiled } from '../../../packages/backend-webgpu/src/run/programs/compiled-program.ts'
import { GpuProgram } from '../../../packages/backend-webgpu/src/run/programs/program.ts'
import { createSequence } from '../../../packages/backend-webgpu/src/run/programs/sequence.ts'
import { numbers } from '../../support/numbers.ts'

const host = await openHost(await findAdapter({}))
const memory = createMemory(host)
afterAll(() => {
  memory.dispose()
  host.dispose()
})

const count = 150
const particles = { position: numbers(3 * count, 1), mass: numbers(count, 2) }
const loops: readonly (readonly [name: string, plan: Plan, workload: Workload])[] = [
  ['each-pair-once', { variant: 'each-pair-once' }, accelerations(gravity({ softening: 0.1 }))],
  ['blocks', { variant: 'blocks' }, accelerations(gravity({ softening: 0.1 }), { cutoff: 0.3 })],
  ['blocks', { variant: 'blocks' }, countWithin(0.3)],
]
const parts: readonly RunOptions[] = [
  { targets: [10, 90] },
  { sources: [0, 70] },
  { targets: [0, 40], sources: [80, 150] },
]

/** A program, and a function that tells which of its two designs have run since the last call. */
async function watched(workload: Workload, plan: Plan) {
  const bound = bind(workload, particles)
  const ran: string[] = []
  const watching = (program: CompiledProgram): CompiledProgram => {
    const { inParts } = program
    const steps: CompiledProgram['steps'] = (...given) => {
      ran.push(program.design.variant)
      return program.steps(...given)
    }
    return { ...program, steps, inParts: inParts && (async () => watching(await inParts())) }
  }
  const usual = watching(await compiled(host, designsOf(workload, bound.shape, host).of(plan)))
  const program = new GpuProgram(host, memory, workload, bound.shape, { usual }, 0)
  return { ...bound, program, took: () => ran.splice(0) }
}

test.each(loops)(
  '%s computes whole runs, and the plain loop all others, as the report says',
  async (name, plan, workload) => {
    const { program, shape, bindings, took } = await watched(workload, plan)
    const [result = ''] = workload.results
    const truth = truthOf(workload, shape, bindings)
    await program.run(bindings)
    expect(program.report.variant).toMatch(new RegExp(`^${name} `))
    expect(took()).toEqual([program.report.variant])
    for (const part of parts) {
      const { [result]: got = [] } = await program.run(bindings, part)
      const { report } = program
      expect(took()).toEqual([report.variant])
      expect(report.variant).not.toContain(name)
      const [first, last] = part.targets ?? [0, count]
      const [from, to] = part.sources ?? [0, count]
      expect([report.interactions, report.evaluated]).toEqual(Array(2).fill((last - first) * (to - from)))
      const all = Array.from({ length: last - first }, (_, n) => first + n)
      const right = truthOf(workload, shape, bindings, { targets: all, sources: [from, to] })
      const { max } = errorNorms(got, right.results[result] ?? [], right.scales[result] ?? [])
      expect(max).toBeLessThan(errorBound(report, count))
    }
    const initial = await program.run(bindings, { sources: [0, 60] })
    const { [result]: whole = [] } = await program.run(bindings, { sources: [60, count], initial })
    expect(program.report.variant).not.toContain(name)
    const { max } = errorNorms(whole, truth.results[result] ?? [], truth.scales[result] ?? [])
    expect(max).toBeLessThan(errorBound(program.report, count))
    await program.run(bindings, { targets: [0, count] })
    expect(program.report.variant).toMatch(new RegExp(`^${name} `))
    program.dispose()
  },
)

test('a stage with ranges names the plain loop, too', async () => {
  const [, plan, workload] = loops[0] as (typeof loops)[number]
  const { program, bindings, took } = await watched(workload, plan)
  const outputs = async (targets: number) => ({ acceleration: await GpuArray.create(host, memory, 3 * targets) })
  const stages = [
    { program, bindings, outputs: await outputs(count) },
    { program, bindings, outputs: await outputs(40), targets: [0, 40] as const },
  ]
  const sequence = await createSequence(host, memory, stages)
  expect(sequence.variants[0]).toMatch(/^each-pair-once /)
  expect(sequence.variants[1]).not.toContain('each-pair-once')
  expect(took()).toEqual(sequence.variants)
  await sequence.run(1)
  const [all, some] = await Promise.all(stages.map(({ outputs }) => outputs.acceleration.read()))
  for (const [n, value] of (some ?? []).entries()) expect(value).toBeCloseTo(all?.[n] as number, 2)
  sequence.dispose()
  program.dispose()
})
