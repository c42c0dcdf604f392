// Bundles a program of this folder into one file, so that its process has no thread that compiles TypeScript. Such a thread takes more
// processor time than the idle worker beside it, and no user's worker has one.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns the bundled file for Node */
export async function bundled(name: string): Promise<string> {
  const outfile = join(tmpdir(), `manybody-${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // The client is CommonJS, and calls `require` for modules of Node.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)`,
    },
    external: ['webgpu', 'gl'],
    logLevel: 'warning',
  })
  return outfile
}
