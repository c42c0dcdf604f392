// The packed CPU backend in the other runtimes that it is made for: it passes the conformance suite in both precisions
// with every job shared between two threads (and a part of it on one thread), and lets the process end although nobody
// disposed of it.
//
// The runtimes come from npm, as packages of `tests/runtimes` that hold nothing but the binary for Linux x64.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { root } from '../../scripts/pnpm.mjs'

const run = promisify(execFile)
const app = inject('app')
const folder = join(root, 'tests/runtimes')
const here = `${process.platform} ${process.arch}`

const runtimes = {
  'Node 22': ['node-22/bin/node'],
  'Node 24': ['node-24/bin/node'],
  Deno: ['deno/deno', 'run', '--allow-all', '--no-remote'],
  Bun: ['bun/bin/bun', 'run'],
} as const

const program = `
import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { runConformance } from '@manybody/conformance'
import { accelerations, createEngine, gravity } from 'manybody'

const reports = {
  shared: await runConformance(cpuWasm({ threadsFrom: 0 }), { required: true, open: { threads: 2 } }),
  alone: await runConformance(cpuWasm(), { required: true, open: { threads: 1 }, only: /gravity|nearest|stencil/ }),
}
const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
const position = Float32Array.from({ length: 6000 }, (_, n) => (n * 0.618034) % 1)
const mass = new Float32Array(2000).fill(1)
let variant = ''
// A worker takes part when it has started.
for (let attempt = 0; attempt < 1000 && !variant.includes('2 threads'); attempt++) {
  variant = (await engine.run(accelerations(gravity({ softening: 0.05 })), { position, mass })).report.variant
  await new Promise((resolve) => setTimeout(resolve, 5))
}
const failed = ({ results }) => results.filter(({ outcome }) => outcome !== 'passed')
const told = ({ outcome, reasons, results }) => ({ outcome, reasons, cases: results.length, failed: failed({ results }) })
console.log(JSON.stringify({ shared: told(reports.shared), alone: told(reports.alone), variant, info: engine.device.info }))
`

/** Installs the runtimes, unless that is done already. */
async function install(): Promise<void> {
  const stamp = join(folder, 'node_modules/.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  writeFileSync(stamp, wanted)
}

if (here === 'linux x64')
  describe('the packed CPU backend passes the suite', () => {
    beforeAll(async () => {
      await install()
      await writeFile(join(app, 'conformance.js'), program)
    }, 300_000)

    test.each(Object.entries(runtimes))('in %s', async (_, [binary, ...flags]) => {
      const command = join(folder, 'node_modules', binary)
      const { stdout } = await run(command, [...flags, 'conformance.js'], { cwd: app, timeout: 200_000 })
      const { shared, alone, variant, info } = JSON.parse(stdout)
      expect(shared).toMatchObject({ outcome: 'passed', reasons: [], failed: [] })
      expect(alone).toMatchObject({ outcome: 'passed', reasons: [], failed: [] })
      expect(shared.cases).toBeGreaterThan(1000)
      expect(alone.cases).toBeGreaterThan(50)
      expect(variant).toContain('2 threads')
      expect(info.features).toEqual(expect.arrayContaining(['simd', 'relaxed-simd', 'shared-memory', 'workers-inline']))
    })
  })
else
  test.skip(`the CPU backend in other runtimes: their binaries are installed on linux x64 only, and this is ${here}`, () => {})
