// Code that loads on demand takes the parts that every sum loads through doors, so that bundlers keep these parts in few chunks.

import { build, type Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { esbuildKernels } from '../../../packages/backend-cpu-wasm/kernels.ts'
import { root } from '../../../tools/pnpm.mjs'

let files: Metafile['inputs'] = {}
beforeAll(async () => {
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
  files = metafile.inputs
})

const importsOf = (file: string, kind: string) =>
  (files[file]?.imports ?? []).filter((found) => found.kind === kind && !found.external).map(({ path }) => path)

function reachedFrom(file: string): Set<string> {
  const reached = new Set([file])
  for (const next of reached) for (const path of importsOf(next, 'import-statement')) reached.add(path)
  return reached
}

test.each<[door: string, parts: RegExp]>([
  ['core/src/problem/loaded-at-once.ts', /^packages\//],
  [
    'core/src/problem/typed-at-once.ts',
    /\/(workloads\/(define-domain|grid|pair|particle|quantity)|language\/parse)\.ts/,
  ],
  ['core/src/methods/loaded-at-once.ts', /\/(ranges\/|fill-report)/],
  ['core/src/simulation/typed-at-once.ts', /\/simulation\/|\/sum-of/],
  ['backend-cpu-wasm/src/design/loaded-at-once.ts', /\/design\/\w+-(layout|plan)/],
  ['backend-cpu-wasm/src/run/programs/loaded-at-once.ts', /\/run\/placement\//],
  ['backend-cpu-wasm/src/compile/designs/loaded-at-once.ts', /backend-cpu-wasm\/src\/compile\/(designs|parts)\//],
  ['backend-webgpu/src/compile/designs/loaded-at-once.ts', /\/compile\/(designs|loops|folds)\//],
  ['backend-webgpu/src/run/programs/loaded-at-once.ts', /\/run\/programs\//],
  ['backend-webgpu/src/designs/loaded-at-once.ts', /backend-webgpu\/src\/(designs|plans)\//],
])('all code that loads on demand imports all parts behind %s, or none', (name, parts) => {
  const door = `packages/${name}`
  const behind = [...reachedFrom(door)].filter((file) => file !== door && parts.test(file))
  expect(behind.length).toBeGreaterThan(3)
  const onDemand = new Set(Object.keys(files).flatMap((file) => importsOf(file, 'dynamic-import')))
  const reachedBy = [...onDemand].map((file) => [file, reachedFrom(file)] as const)
  const through = reachedBy.filter(([, reached]) => reached.has(door)).map(([file]) => file)
  const around = reachedBy.filter(
    ([, reached]) => behind.some((part) => reached.has(part)) && !behind.every((part) => reached.has(part)),
  )
  expect(through.length).toBeGreaterThan(1)
  expect(
    around.map(([file]) => file),
    `import from ${door} in`,
  ).toEqual([])
})
