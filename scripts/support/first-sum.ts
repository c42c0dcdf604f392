// How much code a page loads up to its first sum: bundles a program, runs it in Node, and looks at the loaded chunks.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { esbuildKernels } from '../../packages/backend-cpu-wasm/kernels.ts'
import { root } from '../../tools/pnpm.mjs'

export interface FirstSum {
  /** Gzipped bytes of all loaded chunks. */
  readonly bytes: number
  /** The sources in these chunks, by their paths from the root. */
  readonly sources: readonly string[]
  /** The minified bytes of each source in these chunks. */
  readonly sizes: Readonly<Record<string, number>>
  /** The output of the program. */
  readonly output: string
}

const points = `
const position = Float32Array.from({ length: 300 }, (_, n) => Math.sin(n))
const mass = new Float32Array(100).fill(1)`

/** The program for a law that is typed in the page. */
export const typedProgram = (backend: string): string => `
import { accelerations, createEngine, gravity } from 'manybody'
${points}
const engine = await createEngine({ backend: '${backend}', threads: 1 })
const { acceleration } = await engine.run(accelerations(gravity({ softening: 0.1 })), { position, mass })
console.log([...acceleration].join())
engine.dispose()`

/** The program for a law that was compiled ahead. @param compiled the result of `compile`, as JSON */
export const compiledProgram = (backend: string, compiled: string): string => `
import { createEngine } from 'manybody/run'
${points}
const pull = JSON.parse(${JSON.stringify(compiled)})
const engine = await createEngine({ backend: '${backend}', threads: 1 })
const { acceleration } = await engine.run(pull, { position, mass })
console.log([...acceleration].join())
engine.dispose()`

/**
 * @param environment variables of the program's process besides those of this one
 * @throws Error if the program fails
 */
export async function firstSum(program: string, environment: Readonly<Record<string, string>> = {}): Promise<FirstSum> {
  const folder = mkdtempSync(join(tmpdir(), 'first-sum-'))
  try {
    const { metafile } = await build({
      stdin: { contents: program, resolveDir: join(root, 'tests'), sourcefile: 'program.ts' },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      plugins: [esbuildKernels],
      bundle: true,
      splitting: true,
      minify: true,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      external: ['webgpu', 'gpu.js', 'node:*'],
      logLevel: 'error',
    })
    // The program finds the drivers of backends here.
    symlinkSync(join(root, 'tests/node_modules'), join(folder, 'node_modules'))
    const list = join(folder, 'loaded.txt')
    writeFileSync(
      join(folder, 'hooks.mjs'),
      `import { appendFileSync } from 'node:fs'
export function load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context) }`,
    )
    writeFileSync(
      join(folder, 'register.mjs'),
      `import { register } from 'node:module'\nregister('./hooks.mjs', import.meta.url)`,
    )
    const ran = spawnSync(process.execPath, ['--import', join(folder, 'register.mjs'), join(folder, 'stdin.mjs')], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      cwd: join(root, 'tests'),
    })
    if (ran.status !== 0) throw new Error(`the first sum failed: ${ran.stderr}`)
    const loaded = new Set(
      readFileSync(list, 'utf8')
        .trim()
        .split('\n')
        .map((url) => basename(url)),
    )
    const chunks = Object.entries(metafile.outputs).filter(([path]) => loaded.has(basename(path)))
    return {
      bytes: chunks.reduce((sum, [path]) => sum + gzipSync(readFileSync(join(folder, basename(path)))).length, 0),
      sources: chunks.flatMap(([, { inputs }]) => Object.keys(inputs)),
      sizes: Object.fromEntries(
        chunks.flatMap(([, { inputs }]) => Object.entries(inputs).map(([path, one]) => [path, one.bytesInOutput])),
      ),
      output: ran.stdout,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
