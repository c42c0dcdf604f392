// What the compiler rejects is thrown with the shader and the line marked. Dawn's null backend compiles without a GPU.

import { ProgramCompilationError } from '@manybody/core'
import { expect, test } from 'vitest'
import { findAdapter } from '../src/adapter.ts'
import { compile, marked } from '../src/compile.ts'
import { openHost } from '../src/gpu-host.ts'
import { driverText, shader } from '../src/shader.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))

test('a message points at its place', () => {
  expect(marked('let a = 1;\nlet b = c;', 2, 9, 'unresolved value')).toBe(
    'unresolved value (line 2, column 9)\n  let b = c;\n          ^',
  )
})

test('a shader that is wrong throws with its text and the line', async () => {
  const wrong = shader(
    { label: 'wrong', resources: [], fields: [{ name: 'count', type: 'u32' }], workgroup: 1 },
    '@compute @workgroup_size(1)\nfn main() { let a: f32 = run.total; }\n',
  )
  const error = await compile(host, wrong).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ProgramCompilationError)
  expect(error).toMatchObject({ backend: 'webgpu', source: driverText(wrong) })
  expect(String(error)).toContain('let a: f32 = run.total;')
})

test('a workgroup that is too large throws too', async () => {
  const large = shader(
    { label: 'large', resources: [], fields: [{ name: 'count', type: 'u32' }], workgroup: 4096 },
    '@compute @workgroup_size(4096)\nfn main() { }\n',
  )
  await expect(compile(host, large)).rejects.toThrow(ProgramCompilationError)
})

test('a buffer that is too large throws', async () => {
  const size = host.limits.maxBufferSize * 2
  await expect(host.guarded('allocate', () => host.device.createBuffer({ size, usage: 128 }))).rejects.toThrow(
    'Cannot allocate:',
  )
})
