/** Compares shaders with the files that show them. These are WGSL that compiles: on Dawn's null backend, without a GPU. */
import { expect } from 'vitest'
import { type ProgramDesign, shadersOf } from '../../src/design/design.ts'
import type { Shader } from '../../src/design/shader.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { compile } from '../../src/run/host/compile.ts'
import { openHost } from '../../src/run/host/host.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))

/**
 * Compares the shaders of a design, which is plain data.
 *
 * @param names the files in `compile/shaders`, one for each shader in running order
 */
export async function expectPrinted(design: ProgramDesign, ...names: readonly string[]): Promise<void> {
  expectPlain(design)
  await expectShaders(shadersOf(design), ...names)
}

export async function expectShaders(shaders: readonly Shader[], ...names: readonly string[]): Promise<void> {
  expect(shaders.length).toBe(names.length)
  for (const [n, shader] of shaders.entries()) {
    await expect(shader.code).toMatchFileSnapshot(`./shaders/${names[n]}.wgsl`)
    await compile(host, shader)
  }
}

/** Checks that a design survives copies as threads and files make them. */
export function expectPlain(design: ProgramDesign): void {
  expect(structuredClone(design)).toEqual(design)
  expect(JSON.parse(JSON.stringify(design))).toEqual(design)
}
