// Measures each entry as a user would ship it, minified and gzipped: core by itself, `manybody` with core, the others
// without core, as that is there already; drivers never.
// Fails if an entry exceeds its budget, or if importing `manybody` loads more than core before a backend is requested.

import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { packages } from './packages.ts'
import { root } from './pnpm.mjs'
import { argumentsFrom } from './support/arguments.mjs'

/** Most bytes at once, and with what loads on demand. */
const budgets: Readonly<Record<string, { readonly atOnce: number; readonly total: number }>> = {
  // Trees and the measurement of their errors, which load with the first workload that has a tolerance, are 10 KB.
  // Ranges that a run gives, and how a device without them runs each, are 2 KB.
  // Forces with a tolerance and totals of points, which load with the first simulation, are 5 KB.
  // A repeated call, of which only the numbers are checked, is 0.2 KB: it takes the host 15 microseconds less.
  // Errors of velocities that have another name and of a tree without a tolerance, and the time that finding a program takes, are 0.1 KB.
  // The conditions under which coincident points have no finite term, which load with the first sum over pairs, are 2.8 KB.
  // Tolerances of the result, and the heaviest points among those that are measured, are 0.7 KB.
  // Messages for points in other forms, members that are bound once, the next candidate, clocks and notes are 7.2 KB at once; the reasons
  // of results that are not finite, close pairs, forces across straight angles and clocks of simulations are 11 KB later.
  // The histogram of distances, 1 KB less at once, is a chunk of its own, which compresses 0.5 KB less well. Cells of close pairs by the
  // sizes of their points, and factors that loops take out of sums, are 0.7 KB.
  // Refusals of data that do not end, of arrays where options belong and of what is no engine are 0.5 KB at once and 0.3 KB later.
  '@manybody/core': { atOnce: 42 * 1024, total: 118.4 * 1024 },
  // Blocks of points and their walks, which load with a program that may visit them, are 8 KB.
  // Trees, which load with the first sum that has a tolerance, are 6.5 KB; they run in sequences, too, and fit how far nodes must be.
  // The fold that is made from the rule of a reduction is 1 KB.
  // What meets pairs once in blocks is 2 KB. Excluded pairs in trees are 0.5 KB.
  // Lists of near points that last for several steps, which load with blocks, are 2.9 KB. Those for 4 targets, with three quarters of
  // the pairs, are 0.5 KB more (steps of a liquid take 0.8 of the time), and those with the places of the block itself 0.3 KB (0.94
  // of the rest). A chunk of their own, so that manybody/d3 needs 1.3 KB less, compresses 0.2 KB less well.
  // What picks single sources for `nearest`, networks in place of insertions, and ranks in place of networks that carry indices
  // (2 times as fast with 8 neighbours, 6 with 64), are 0.8 KB more than those were. Sums load none of it, so manybody/d3 needs 3.5 KB
  // less, and the chunks that are left compress 0.4 KB less well.
  // The sum of an array, which loads with the first total, is 0.7 KB. Regions that share memory are 0.1 KB.
  // Trees with records in float32 and stacks of states, which need 97 bytes a point instead of 167, are 0.8 KB.
  // Blocks that find the images nearest to them, and so meet 0.4 instead of all pairs of a small periodic box, are 0.1 KB.
  // Ranks where a target has fewer than k neighbours within its cutoff (3 times as fast with 64) are 0.1 KB.
  // Sums have chunks of their own, which compress 1 KB less well, so that manybody/d3 need not load the rest.
  // A run that begins before its numbers are checked is 0.2 KB; short calls take a fifth less time.
  '@manybody/backend-cpu-wasm': { atOnce: 13.8 * 1024, total: 80.5 * 1024 },
  // A tick cannot wait, so all that a sum needs is here: expressions, the writer of WebAssembly, trees, blocks and threads.
  // Nodes without a place, and trees that are tried again, are 0.2 KB. Conditions for coincident points are 2 KB.
  // One and three dimensions, and pushes along the axes on which nodes agree, are 1.1 KB.
  // The heaviest nodes among those that are measured, and fields without them, are 0.7 KB.
  // Derivatives over one denominator, and close pairs, are 1.2 KB.
  // Checks of nodes and settings are 0.3 KB.
  // Files have checks of their own, because those of core bring the language of laws along, which is twice as large.
  'manybody/files': { atOnce: 9.7 * 1024, total: 9.7 * 1024 },
  'manybody/d3': { atOnce: 96.3 * 1024, total: 99.2 * 1024 },
}
const loadedAtOnce = /^packages\/(core|manybody)\//
const bundlesCore = /packages\/(core|manybody)\//
const failures: string[] = []

argumentsFrom(
  `Usage: npm run size

Measures each entry, bundled, minified and gzipped, and fails if one exceeds its budget.`,
  {},
)
console.log('gzipped, at once | with what loads on demand')
for (const [specifier, file] of packages.flatMap(({ entries }) => Object.entries(entries))) {
  const { atOnce, total, sources } = await measure(file)
  console.log(`${kilobytes(atOnce)} | ${kilobytes(total)}  ${specifier}`)
  const budget = budgets[specifier]
  if (budget && (atOnce > budget.atOnce || total > budget.total)) {
    const [most, got] = [budget, { atOnce, total }].map((n) => `${kilobytes(n.atOnce)} | ${kilobytes(n.total)}`)
    failures.push(`${specifier}: expected at most ${most}, got ${got}`)
  }
  const early = sources.filter((source) => !loadedAtOnce.test(source))
  if (specifier === 'manybody' && early.length > 0) {
    failures.push(`manybody: expected to load only core at once, got also ${early.join(', ')}`)
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

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1).padStart(6)} KB`
}
