// The packed CPU backend in the other supported runtimes. It passes the conformance suite in both precisions with every job shared between
// two threads. Each runtime runs a twelfth of the suite, all checks of buffers and runs, and a part on one thread. The process ends although nobody disposes of the
// backend.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { patience } from '../../tools/patience.ts'
import { arraysAndRuns, deep, onlyShare } from '../support/share.ts'
import { preparedApp } from './prepared.ts'
import { hasRuntimes, noRuntimes, runtimes } from './runtimes.ts'

const run = promisify(execFile)
const app = await preparedApp()

const program = (only: RegExp) => `
import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { runConformance } from '@manybody/conformance'
import { accelerations, createEngine, gravity } from 'manybody'

const reports = {
  shared: await runConformance(cpuWasm({ threadsFrom: 0 }), { required: true, open: { threads: 2 }, only: new RegExp(${JSON.stringify(only.source)}) }),
  alone: await runConformance(cpuWasm(), { required: true, open: { threads: 1 }, only: /two sets: gravity/ }),
}
const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
const position = Float32Array.from({ length: 6000 }, (_, n) => (n * 0.618034) % 1)
const mass = new Float32Array(2000).fill(1)
let variant = ''
// A worker takes part once it has started.
for (let attempt = 0; attempt < 10_000 && !variant.includes('2 threads'); attempt++) {
  variant = (await engine.run(accelerations(gravity({ softening: 0.05 })), { position, mass })).report.variant
  await new Promise((resolve) => setTimeout(resolve, 5))
}
const failed = ({ results }) => results.filter(({ outcome }) => outcome !== 'passed')
const told = ({ outcome, reasons, results }) => ({ outcome, reasons, cases: results.length, failed: failed({ results }) })
console.log(JSON.stringify({ shared: told(reports.shared), alone: told(reports.alone), variant, info: engine.device.info }))
`

if (hasRuntimes)
  describe('the packed CPU backend passes the suite', () => {
    const all = Object.entries(runtimes).map(([name, runtime], n) => [name, runtime, n] as const)
    test.each(all)('in %s', async (_, [command, ...flags], n) => {
      await writeFile(join(app, 'conformance.js'), program(onlyShare(n, 12, arraysAndRuns)))
      const { stdout } = await run(command, [...flags, 'conformance.js'], { cwd: app, timeout: patience })
      const { shared, alone, variant, info } = JSON.parse(stdout)
      expect(shared).toMatchObject({ outcome: 'passed', reasons: [], failed: [] })
      expect(alone).toMatchObject({ outcome: 'passed', reasons: [], failed: [] })
      expect(shared.cases).toBeGreaterThan(deep ? 1000 : 100)
      expect(alone.cases).toBeGreaterThan(8)
      expect(variant).toContain('2 threads')
      expect(info.features).toEqual(expect.arrayContaining(['simd', 'relaxed-simd', 'shared-memory', 'workers-inline']))
    })
  })
else test.skip(`the CPU backend in other runtimes: ${noRuntimes}`, () => {})
