/** Bundles a script for browsers, with the backends and the worker script of their threads beside it. */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const worker = new URL('../../../packages/backend-cpu-wasm/src/run/threads/worker.ts', import.meta.url)

/** A file of the bundle: `main.js` is the script; `worker.js` and chunks are beside it. */
export interface BundledFile {
  readonly name: string
  readonly contents: Uint8Array
}

/**
 * @param script path of the entry
 * @param minify whether to make files small rather than readable
 */
export async function bundle(script: string, { minify = false } = {}): Promise<readonly BundledFile[]> {
  const { outputFiles } = await build({
    entryPoints: { main: script, worker: fileURLToPath(worker) },
    outdir: '/',
    bundle: true,
    splitting: true,
    write: false,
    minify,
    format: 'esm',
    target: 'es2022',
    // Paths of code that only Node runs.
    external: ['node:*', 'webgpu'],
    logLevel: 'warning',
  })
  return outputFiles.map(({ path, contents }) => ({ name: path.slice(1), contents }))
}
