// A compilation error shows the shader with the line marked. Dawn's null backend compiles without a GPU.

import { accelerations, gravity, ProgramCompilationError } from '@manybody/core'
import { expect, test } from 'vitest'
import { designsOf } from '../../src/compile/designs/designs.ts'
import { shader } from '../../src/compile/wgsl/shader.ts'
import { driverText } from '../../src/design/shader.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { compile, marked } from '../../src/run/host/compile.ts'
import { openHost } from '../../src/run/host/host.ts'
import { compiled } from '../../src/run/programs/compiled-program.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))

test('a message marks its line and column', () => {
  expect(marked('let a = 1;\nlet b = c;', 2, 9, 'unresolved value')).toBe(
    'unresolved value (line 2, column 9)\n  let b = c;\n          ^',
  )
})

test('a wrong shader is rejected with its text and the line', async () => {
  const wrong = shader(
    { label: 'wrong', resources: [], fields: [{ name: 'count', type: 'u32' }], workgroup: 1 },
    '@compute @workgroup_size(1)\nfn main() { let a: f32 = run.total; }\n',
  )
  const error = await compile(host, wrong).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ProgramCompilationError)
  expect(error).toMatchObject({ backend: 'webgpu', source: driverText(wrong) })
  expect(String(error)).toContain('let a: f32 = run.total;')
})

test('a workgroup that is too large is rejected', async () => {
  const large = shader(
    { label: 'large', resources: [], fields: [{ name: 'count', type: 'u32' }], workgroup: 4096 },
    '@compute @workgroup_size(4096)\nfn main() { }\n',
  )
  await expect(compile(host, large)).rejects.toThrow(ProgramCompilationError)
})

test('each shader of a design is compiled once, when parameters first need it', async () => {
  const modules: unknown[] = []
  const { device } = host
  const createShaderModule = device.createShaderModule.bind(device)
  device.createShaderModule = (descriptor) => {
    modules.push(descriptor.label)
    return createShaderModule(descriptor)
  }
  try {
    const shape = { dimension: 3, targets: 100, sources: 100, sameSet: true, vectors: ['position'] } as const
    const design = designsOf(accelerations(gravity()), shape, host).of({ variant: 'tiled' })
    expect(modules.length).toBe(0)
    const program = await compiled(host, design)
    await program.ready({ G: 2, softening: 0 })
    await compiled(host, design)
    expect(modules.length).toBe(1)
    await program.ready({ G: 2, softening: 0.1 })
    await program.ready({ G: 2, softening: 0.2 })
    expect(modules.length).toBe(2)
    const fewer = { ...shape, targets: 90, sources: 90 }
    await compiled(host, designsOf(accelerations(gravity()), fewer, host).of({ variant: 'tiled' }))
    expect(modules.length).toBe(2)
  } finally {
    device.createShaderModule = createShaderModule
  }
})

test('a buffer that is too large is rejected', async () => {
  const size = host.limits.maxBufferSize * 2
  await expect(host.guarded('allocate', () => host.device.createBuffer({ size, usage: 128 }))).rejects.toThrow(
    'Cannot allocate:',
  )
})
