// The packed WebGPU backend in Deno, which has its own WebGPU. It passes the conformance suite on the software GPU, a 48th of it and
// the checks of its own WebGPU in each run. Without a driver, it says so.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { patience } from '../../tools/patience.ts'
import { softwareGpuEnvironment } from '../../tools/software-gpu.ts'
import { deep, onlyShare } from '../support/share.ts'
import { preparedApp } from './prepared.ts'
import { hasRuntimes, noRuntimes, runtimes } from './runtimes.ts'

const app = await preparedApp()

/** Beside its share: arrays, sequences and some functions, as Deno has its own WebGPU and compiler, and one grid, as each takes long to compile. */
const always =
  /^((buffers|runs|disposal|device|sequences): |functions: (values|accuracy of (exp|sin|pow))|grids: fields of one point$)/

async function inDeno(program: string, env: Readonly<Record<string, string>>): Promise<unknown> {
  const [command, ...flags] = runtimes.Deno
  const { stdout } = await promisify(execFile)(command, [...flags, program], {
    cwd: app,
    env: { ...process.env, ...env },
    timeout: patience,
  })
  return JSON.parse(stdout)
}

if (hasRuntimes)
  describe('the packed WebGPU backend in Deno', () => {
    test('passes the suite on the software GPU', async () => {
      const only = onlyShare(5, 48, always)
      await writeFile(
        join(app, 'webgpu-conformance.js'),
        `import { webgpu } from '@manybody/backend-webgpu'
import { runConformance } from '@manybody/conformance'
const { outcome, reasons, devices, results } = await runConformance(webgpu(), { required: true, only: new RegExp(${JSON.stringify(only.source)}) })
const failed = results.filter(({ outcome }) => outcome === 'failed')
console.log(JSON.stringify({ outcome, reasons, cases: results.length, failed, kinds: devices.map(({ kind }) => kind) }))
`,
      )
      const report = await inDeno('webgpu-conformance.js', { ...(await softwareGpuEnvironment()) })
      expect(report).toMatchObject({ outcome: 'passed', reasons: [], failed: [], kinds: ['software'] })
      expect((report as { cases: number }).cases).toBeGreaterThan(deep ? 1000 : 40)
    })

    test('computes sums with a tolerance', async () => {
      await writeFile(
        join(app, 'webgpu-trees.js'),
        `import { webgpu } from '@manybody/backend-webgpu'
import { pairTerm, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
const [device, count] = [await webgpu().open(), 600]
const position = Float32Array.from({ length: 2 * count }, (_, n) => (n % 2 ? 0.01 : 1) * ((n * 0.618) % 1))
const { workload, shape, bindings } = bind(sum(pairTerm('1 + dx^2')()), { position, dimension: 2 })
const program = await device.prepare(workload, shape)
const tree = await program.tree()
const all = Object.values(await program.run(bindings))[0]
const errors = []
for (const proxies of ['simplex', 2]) {
  const some = Object.values(await tree.run(bindings, { proxies, opening: 0.8 }))[0]
  if (program.report.evaluated > 0.9 * program.report.interactions) throw new Error('nothing was approximated')
  errors.push(Math.max(...some.map((x, n) => Math.abs(x - all[n]) / all[n])))
}
program.dispose()
device.dispose()
console.log(JSON.stringify(errors))
`,
      )
      const errors = await inDeno('webgpu-trees.js', { ...(await softwareGpuEnvironment()) })
      for (const error of errors as number[]) expect(error).toBeLessThan(1e-5)
      expect(errors).toHaveLength(2)
    })

    test('writes no empty array, at which Deno panics', async () => {
      const program = (write: string) => `import { webgpu } from '@manybody/backend-webgpu'
const device = await webgpu().open()
const raw = await (await navigator.gpu.requestAdapter()).requestDevice()
const buffer = raw.createBuffer({ size: 16, usage: 8 })
${write}
console.log('1')
`
      const env = { ...(await softwareGpuEnvironment()) }
      await writeFile(join(app, 'ours.js'), program('await (await device.buffer(0)).write(new Float32Array(0))'))
      expect(await inDeno('ours.js', env)).toBe(1)
      await writeFile(join(app, 'plain.js'), program('raw.queue.writeBuffer(buffer, 0, new Float32Array(0))'))
      await expect(inDeno('plain.js', env)).rejects.toThrow(/Deno has panicked/)
    })

    test('is unavailable without a driver, and says what to do', async () => {
      await writeFile(
        join(app, 'webgpu-probe.js'),
        `import { webgpu } from '@manybody/backend-webgpu'
console.log(JSON.stringify(await webgpu().probe()))
`,
      )
      // An empty list of drivers, and a loader that looks nowhere else.
      const none = {
        VK_DRIVER_FILES: join(app, 'none.json'),
        VK_ICD_FILENAMES: join(app, 'none.json'),
        DENO_WEBGPU_BACKEND: 'vulkan',
      }
      expect(await inDeno('webgpu-probe.js', none)).toEqual({
        available: false,
        reason: 'Deno found no adapter; install a GPU driver and, on Linux, the Vulkan loader (libvulkan.so.1)',
      })
    })
  })
else test.skip(`the WebGPU backend in Deno: ${noRuntimes}`, () => {})
