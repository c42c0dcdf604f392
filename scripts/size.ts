// Measures each entry as a user would ship it, minified and gzipped: core by itself, `manybody` with core, the others without core, because
// core is there already. Drivers never count. Fails if an entry exceeds its budget by more than 5 %, or if importing `manybody` loads more
// than core before a backend is requested.

import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { esbuildKernels } from '../packages/backend-cpu-wasm/kernels.ts'
import { compile } from '../packages/manybody/src/compile/index.ts'
import { accelerations, gravity } from '../packages/manybody/src/index.ts'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { softwareGpuEnvironment } from '../tools/software-gpu.ts'
import { packages } from './packages.ts'
import { compiledProgram, firstSum, typedProgram } from './support/first-sum.ts'

/** The measured kilobytes of each entry: at once, and in total with the code that loads on demand. Entries may grow by `room`. */
const budgets: Readonly<Record<string, { readonly atOnce: number; readonly total: number }>> = {
  '@manybody/core': { atOnce: 69.5, total: 255.6 },
  '@manybody/core/backend': { atOnce: 10.8, total: 11.9 },
  '@manybody/core/far': { atOnce: 6.3, total: 6.3 },
  '@manybody/core/near': { atOnce: 1.5, total: 1.5 },
  '@manybody/backend-cpu-wasm': { atOnce: 6.1, total: 117.3 },
  '@manybody/backend-webgpu': { atOnce: 18.5, total: 125.6 },
  '@manybody/backend-webgl': { atOnce: 2.3, total: 29.8 },
  // Files have their own checks, because core's checks bring the language of laws along, which is twice as large.
  'manybody/files': { atOnce: 11.9, total: 11.9 },
  // A tick cannot wait, so all that a sum needs is here: compiled programs, trees, blocks and threads.
  'manybody/d3': { atOnce: 41.1, total: 47.3 },
  'manybody/initial': { atOnce: 5.1, total: 6.2 },
  // The engine that runs compiled workloads.
  'manybody/run': { atOnce: 29.2, total: 542 },
}
const room = 1.05
/** The code that a page loads up to its first sum, including the program for gravity. */
const firstSums = {
  'cpu-wasm': { typed: 113.4, compiled: 58.3 },
  webgpu: { typed: 115.2, compiled: 71.3 },
} as const
const loadedAtOnce = /^packages\/(core|manybody)\//
const bundlesCore = /packages\/(core|manybody)\//
const failures: string[] = []

const { values } = argumentsFrom(
  `Usage: npm run size -- [options]

Measures each entry, bundled, minified and gzipped, and fails if one exceeds its budget.

  --files  print the files that a page loads up to its first sum, and their minified bytes
  --help   print this text`,
  { files: { type: 'boolean' } },
)
console.log('gzipped, at once | with what loads on demand')
for (const [specifier, file] of packages.flatMap(({ entries }) => Object.entries(entries))) {
  const { atOnce, total, sources } = await measure(file)
  console.log(`${kilobytes(atOnce)} | ${kilobytes(total)}  ${specifier}`)
  const budget = budgets[specifier]
  if (budget) {
    requireWithin(`${specifier}, at once`, atOnce, budget.atOnce)
    requireWithin(`${specifier}, with what loads on demand`, total, budget.total)
  }
  const early = sources.filter((source) => !loadedAtOnce.test(source))
  if (specifier === 'manybody' && early.length > 0) {
    failures.push(`manybody: expected to load only core at once, got also ${early.join(', ')}`)
  }
}
for (const backend of ['cpu-wasm', 'webgpu'] as const) {
  const environment = backend === 'webgpu' ? { ...(await softwareGpuEnvironment()) } : {}
  const compiled = compile(accelerations(gravity({ softening: 0.1 })), { backends: [backend] })
  for (const [kind, program] of [
    ['typed', typedProgram(backend)],
    ['compiled', compiledProgram(backend, JSON.stringify(compiled))],
  ] as const) {
    const { bytes, sizes } = await firstSum(program, environment)
    console.log(`${kilobytes(bytes)}             up to the first sum of a ${kind} law on ${backend}`)
    if (values.files)
      for (const [path, size] of Object.entries(sizes).sort((a, b) => b[1] - a[1])) console.log(`  ${size} ${path}`)
    requireWithin(`the first sum of a ${kind} law on ${backend}`, bytes, firstSums[backend][kind])
  }
}
for (const failure of failures) console.error(failure)
process.exitCode = failures.length

/** Bytes of an entry's first chunks and of all its chunks, and the sources in the first ones. */
async function measure(file: string): Promise<{ atOnce: number; total: number; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    outdir: '/bundle',
    plugins: [esbuildKernels],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['webgpu', 'gpu.js', '@nats-io/*', 'node:*', ...(bundlesCore.test(file) ? [] : ['@manybody/core'])],
  })
  const bytes = new Map(outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents).length]))
  const chunks = new Map(Object.entries(metafile.outputs).map(([path, chunk]) => [basename(path), chunk]))
  const first = new Set([`${basename(file, '.ts')}.js`])
  for (const name of first) {
    for (const { path, kind } of chunks.get(name)?.imports ?? []) {
      if (kind === 'import-statement' && chunks.has(basename(path))) first.add(basename(path))
    }
  }
  function sum(names: readonly string[]): number {
    return names.reduce((total, name) => {
      const size = bytes.get(name)
      if (size === undefined) throw new Error(`${file}: expected a chunk named ${name}, got ${[...bytes.keys()]}`)
      return total + size
    }, 0)
  }
  return {
    atOnce: sum([...first]),
    total: sum([...bytes.keys()]),
    sources: [...first].flatMap((name) => Object.keys(chunks.get(name)?.inputs ?? {})),
  }
}

/** @param measured in KB, when the budget was set */
function requireWithin(what: string, bytes: number, measured: number): void {
  const most = measured * room * 1024
  if (bytes > most) failures.push(`${what}: expected at most ${kilobytes(most)}, got ${kilobytes(bytes)}`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1).padStart(6)} KB`
}
