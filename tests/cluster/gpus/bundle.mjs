// Bundles the comparison of two GPUs into one file, for a machine that has only Node, a driver, `dawn.node` and `nats-server`:
//   node tests/cluster/gpus/bundle.mjs <file>

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @param {string} name */
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const [file] = process.argv.slice(2)
if (!file) throw new Error('expected the file to write: node tests/cluster/gpus/bundle.mjs <file>')
await build({
  entryPoints: [here('main.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  // Packages in CommonJS call `require` for modules of Node.
  banner: {
    js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)`,
  },
  external: ['gpu.js', 'gl'],
  alias: { webgpu: here('../../../bench/gpu/dawn.ts') },
  logLevel: 'warning',
})
