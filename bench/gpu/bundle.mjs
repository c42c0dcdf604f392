// Bundles the ladder into one file, for a machine that has Node, the `webgpu` package and a driver, and nothing else.
// node bench/gpu/bundle.mjs [file]

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

await build({
  entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
  outfile: process.argv[2] ?? 'output/gpu-ladder.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  external: ['webgpu'],
})
