// Work that programs begin on first use and keep: if it fails, they forget it, and the next call tries again. The tests run on Dawn's
// null backend.

import { onFirstUse } from '@manybody/core/backend'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { treesOf } from '../../src/compile/designs/tree-designs.ts'
import { type AnyVersion, shadersOf } from '../../src/design/design.ts'
import type { Shader } from '../../src/design/shader.ts'
import { versionFor } from '../../src/design/versions.ts'
import type { WebGpuDevice } from '../../src/device.ts'
import type { GpuHost } from '../../src/run/host/host.ts'
import { createMemory, type Memory } from '../../src/run/host/memory.ts'
import { compiled } from '../../src/run/programs/compiled-program.ts'
import { pipelineOf } from '../../src/run/programs/pipelines.ts'
import { GpuProgram, type ProgramTrees } from '../../src/run/programs/program.ts'
import { createOnceProof } from '../../src/run/programs/proof.ts'
import { TreePrograms } from '../../src/run/programs/trees.ts'
import { opened, shape, workload } from '../support/null-device.ts'

let host: GpuHost
let device: WebGpuDevice
let memory: Memory
beforeAll(async () => {
  ;({ host, device } = await opened())
  memory = createMemory(host)
})
afterAll(() => {
  memory.dispose()
  device.dispose()
})

/** Fails once. */
const failing = <T>(then: T) => vi.fn(async () => then).mockRejectedValueOnce(new Error('offline'))

test('work on first use is done once, and again only after it has failed', async () => {
  const make = failing('done')
  const use = onFirstUse(make)
  await expect(use()).rejects.toThrow('offline')
  expect(await use()).toBe('done')
  expect(await use()).toBe('done')
  expect(make).toHaveBeenCalledTimes(2)
})

test('a trial that failed is repeated', async () => {
  const design = designsOf(workload, shape, host).of({ variant: 'naive' })
  const once = { design, compiled: failing(await compiled(host, design)) }
  const other = { design, compiled: () => compiled(host, design) }
  const { compare } = createOnceProof(host, memory)
  await expect(compare(workload, shape, once, other)).rejects.toThrow('offline')
  const verdict = await compare(workload, shape, once, other)
  expect(['same', 'close', 'apart']).toContain(verdict)
  expect(await compare(workload, shape, once, other)).toBe(verdict)
  expect(once.compiled).toHaveBeenCalledTimes(2)
})

test('the trees of a program load again after they could not', async () => {
  const usual = await compiled(host, designsOf(workload, shape, host).of({ variant: 'naive' }))
  const at = vi.fn()
  const trees: ProgramTrees = { runs: () => ({ share: 1, fits: () => true, run: async () => ({}) }), at, dispose() {} }
  const setting = { proxies: 4, opening: 0.5 } as const
  for (const use of [(program: GpuProgram) => program.tree(), (program: GpuProgram) => program.treeAt(setting)]) {
    const load = failing(trees)
    const program = new GpuProgram(host, memory, workload, shape, { usual }, 0, load)
    await expect(use(program)).rejects.toThrow('offline')
    await use(program)
    await use(program)
    expect(load).toHaveBeenCalledTimes(2)
    program.dispose()
  }
})

test('a shader and the program of a tree are compiled again after they could not', async () => {
  const designs = treesOf(workload, shape, host)
  if (!designs) throw new Error('expected trees')
  const design = designsOf(workload, shape, host).of({ variant: 'tiled' })
  const [tiled] = shadersOf(design, versionFor<AnyVersion>(design)) as [Shader]
  const shader = { ...tiled, code: `${tiled.code}\n// of this test` }
  const programs = new TreePrograms(host, memory, designs, shape)
  const setting = { proxies: 4, opening: 0.5 } as const
  for (const use of [() => pipelineOf(host, shader), () => programs.at(setting)]) {
    const compile = vi.spyOn(host.device, 'createComputePipelineAsync').mockRejectedValue(new Error('offline'))
    await expect(use()).rejects.toThrow()
    compile.mockRestore()
    await expect(use()).resolves.toBeDefined()
  }
  programs.dispose()
})
