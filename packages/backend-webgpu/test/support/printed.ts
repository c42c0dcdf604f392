/** Compares shaders with the files that show them, which are WGSL that compiles: on Dawn's null backend, without a GPU. */
import { expect } from 'vitest'
import type { Shader } from '../../src/design/shader.ts'
import { findAdapter } from '../../src/host/adapter.ts'
import { compile } from '../../src/host/compile.ts'
import { openHost } from '../../src/host/host.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))

/** @param names of the files in `test/shaders`, one a shader in the order in which they run */
export async function expectPrinted(printed: readonly Shader[], ...names: readonly string[]): Promise<void> {
  expect(printed.length).toBe(names.length)
  for (const [n, shader] of printed.entries()) {
    await expect(shader.code).toMatchFileSnapshot(`./shaders/${names[n]}.wgsl`)
    await compile(host, shader)
  }
}
