// Bundles `npm run bench:gpu` with the CUDA sources into one file, for a machine that has only Node, a driver and `dawn.node`:
// node tests/hardware/bundle.mjs [file]

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Where the command finds the packages of this folder. */
export const ownBundle = here('dist/gpu.mjs')

export async function bundle(file) {
  const { version } = JSON.parse(readFileSync(here('../node_modules/webgpu/package.json'), 'utf8'))
  await build({
    entryPoints: [here('main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    loader: { '.cu': 'text', '.cuh': 'text' },
    // Commander and other packages are CommonJS, and call `require` for modules of Node.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)`,
    },
    external: ['koffi', 'canvas'],
    alias: { webgpu: here('../../bench/gpu/dawn.ts'), vitest: here('expect.ts') },
    define: { WEBGPU_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? ownBundle
  await bundle(file)
  console.log(`The bundle is ${file}: node ${file} --help`)
}
