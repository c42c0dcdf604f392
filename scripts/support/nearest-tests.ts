/** The tests that reach changed files by their imports. */

import { build, type Plugin } from 'esbuild'
import { root } from '../../tools/pnpm.mjs'

/** Leaves out all packages except ours. */
const oursAlone: Plugin = {
  name: 'ours alone',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || /^(@manybody\/|manybody($|\/))/.test(path) ? undefined : { path, external: true },
    )
  },
}

/**
 * @param tests test files
 * @param changed any files; all paths are relative to the repository
 * @returns the changed tests, and the tests that import a changed file, directly or not. Tests with the fewest imports between come first
 */
export async function nearestTests(tests: readonly string[], changed: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: [...tests], outdir: 'output', bundle: true, write: false, metafile: true },
    ...{ format: 'esm', platform: 'node', logLevel: 'silent', splitting: true, plugins: [oursAlone] },
    loader: { '.cu': 'text', '.cuh': 'text' },
  })
  const importers = new Map<string, string[]>()
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file])
  // A set is visited in order of insertion, so files with fewer imports between come first.
  const reached = new Set(changed)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  const wanted = new Set(tests)
  return [...reached].filter((file) => wanted.has(file))
}
