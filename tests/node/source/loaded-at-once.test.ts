// Code that loads on demand takes the parts of a problem through one door, so that bundlers keep these parts in one chunk.

import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { esbuildKernels } from '../../../packages/backend-cpu-wasm/kernels.ts'
import { root } from '../../../tools/pnpm.mjs'

const door = 'packages/core/src/problem/loaded-at-once.ts'

test('all code that loads on demand imports the door, or no part behind it', async () => {
  const { metafile } = await build({
    entryPoints: ['packages/manybody/src/index.ts'],
    absWorkingDir: root,
    outdir: '/bundle',
    plugins: [esbuildKernels],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    external: ['webgpu', 'gpu.js', 'node:*'],
  })
  const importsOf = (file: string, kind: string) =>
    (metafile.inputs[file]?.imports ?? [])
      .filter((found) => found.kind === kind && !found.external)
      .map(({ path }) => path)
  const reachedFrom = (file: string) => {
    const reached = new Set([file])
    for (const next of reached) for (const path of importsOf(next, 'import-statement')) reached.add(path)
    return reached
  }
  const behind = reachedFrom(door)
  const onDemand = new Set(Object.keys(metafile.inputs).flatMap((file) => importsOf(file, 'dynamic-import')))
  expect(onDemand.size).toBeGreaterThan(50)
  expect(behind.size).toBeGreaterThan(50)
  const around = [...onDemand].filter((file) => {
    const reached = reachedFrom(file)
    return !reached.has(door) && [...behind].some((part) => reached.has(part))
  })
  expect(around, `import from ${door} in`).toEqual([])
})
