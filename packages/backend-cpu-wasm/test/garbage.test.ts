// The garbage of repeated calls. Garbage that outlives collections of young objects makes each call ten times as slow.
//
// The calls are in a process of their own, because V8 learns. If earlier tests of this process keep their jobs, as simulations do, V8
// allocates the jobs of later runs as old objects from the start, 1.4 KB a call, though nothing keeps them.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** The most bytes that a call may leave. A hidden class for each call, the least that was seen, takes 220. */
const most = { simd: 100, blocks: 100, 'pairs-once': 100, 'engine.run': 500 }

it('leaves no old objects behind after calls in a row', () => {
  const script = fileURLToPath(new URL('support/old-bytes.ts', import.meta.url))
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    timeout: 120_000,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const left = JSON.parse(stdout) as typeof most
  expect(Object.keys(left)).toEqual(Object.keys(most))
  expect(Object.entries(left).filter(([name, bytes]) => !(bytes < most[name as keyof typeof most]))).toEqual([])
})

/** The most bytes of objects that a small call makes. The results and the report, which callers may keep, take about 420. */
const mostNew = { step: 1024, frames: 1024, accelerations: 1024, countWithin: 1024 }

it('makes few objects in a small call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garbage-'))
  try {
    const [entry] = ['new-bytes'].map((name) => fileURLToPath(new URL(`support/${name}.ts`, import.meta.url)))
    // As users have it: a loader that names functions makes objects of its own.
    await build({
      entryPoints: [entry as string],
      ...{ outdir: folder, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true },
      ...{ format: 'esm', platform: 'node', target: 'es2022', logLevel: 'error' },
    })
    const room = ['--min-semi-space-size=128', '--max-semi-space-size=256']
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', ...room, join(folder, 'new-bytes.mjs')], {
      timeout: 120_000,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const made = JSON.parse(stdout) as typeof mostNew
    expect(Object.keys(made)).toEqual(Object.keys(mostNew))
    for (const [name, bytes] of Object.entries(mostNew)) {
      expect(made[name as keyof typeof made], name).toBeLessThan(bytes)
      // An empty call makes nothing, so that a count of nothing would be a fault of the count.
      expect(made[name as keyof typeof made], name).toBeGreaterThan(50)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
