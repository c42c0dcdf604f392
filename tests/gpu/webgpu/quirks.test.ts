// Violations of Dawn's own rules, and the workarounds that keep them from users.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type DeviceBuffer, pairTerm, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebGpuDevice } from '../../../packages/backend-webgpu/src/device.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { createMemory } from '../../../packages/backend-webgpu/src/run/host/memory.ts'
import { createSequence } from '../../../packages/backend-webgpu/src/run/programs/sequence.ts'
import { patience } from '../../../tools/patience.ts'

test('a device keeps working after garbage collection', () => {
  const script = fileURLToPath(new URL('../../support/gpu/collected-dawn.ts', import.meta.url))
  const { status, signal, stdout } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script], {
    timeout: patience,
    encoding: 'utf8',
  })
  expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'done\n' })
})

test('a process that ends destroys the devices that are open, which waits for what they compile', () => {
  const script = fileURLToPath(new URL('../../support/gpu/exiting-dawn.ts', import.meta.url))
  const { status, signal, stdout } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    timeout: patience,
    encoding: 'utf8',
  })
  expect({ status, signal, stdout }).toEqual({
    status: 3,
    signal: null,
    stdout: 'destroyed by dispose\ndestroyed at the end\n',
  })
})

/** Whether the C library of this process is glibc. */
const glibc = 'glibcVersionRuntime' in (process.report.getReport() as { readonly header: object }).header

test.runIf(glibc)('results that nobody needs any more leave their memory to the next ones', () => {
  const script = fileURLToPath(new URL('../../support/gpu/freed-memory.ts', import.meta.url))
  const clearedAgain = (how: string) => {
    const args = ['--expose-gc', '--import', 'tsx', script, how]
    // The environment of this process would make Node free large arrays before the script begins.
    return Number(spawnSync(process.execPath, args, { timeout: patience, encoding: 'utf8', env: {} }).stdout)
  }
  expect(clearedAgain('given back')).toBeGreaterThan(0.5)
  expect(clearedAgain('kept')).toBeLessThan(0.1)
})

describe('Dawn, which looks for finished work in every turn of the event loop,', () => {
  const inNextTurn = setImmediate
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** For each run, the times at which Dawn looked, as shares of the device's shortest time before. */
  async function looksDuring(run: () => Promise<number | undefined>): Promise<readonly (readonly number[])[]> {
    const looks: number[] = []
    vi.stubGlobal('setImmediate', (call: () => void) => {
      looks.push(performance.now())
      return inNextTurn(call)
    })
    const shares: (readonly number[])[] = []
    let least: number | undefined
    for (let n = 0; n < 4; n++) {
      looks.length = 0
      const start = performance.now()
      const device = (await run()) ?? Number.NaN
      shares.push(looks.map((at) => (at - start) / (least ?? device)))
      least = Math.min(least ?? device, device)
    }
    return shares
  }

  const inTheMiddle = (shares: readonly number[]): number => shares.filter((share) => share > 0.3 && share < 0.9).length

  /** A law so long that a thousand points take a tenth of a second, and the host's own work only a small part of it. */
  const long = pairTerm(`mass_j * (${Array.from({ length: 24 }, (_, n) => `sin(r2 + ${n})^2`).join(' + ')})`)()

  async function programOver(points: number) {
    const host = await openHost(await findAdapter({}))
    const device = new WebGpuDevice(host)
    const workload = sum(long)
    const position = Float32Array.from({ length: 3 * points }, (_, n) => Math.sin(n))
    const { shape, bindings } = bind(workload, { position, mass: new Float32Array(points).fill(1) })
    return { host, device, bindings, program: await device.prepare(workload, shape) }
  }

  test('is not asked for results before they can be there', async () => {
    const { device, bindings, program } = await programOver(1000)
    const [first = [], ...others] = await looksDuring(async () => {
      await program.run(bindings)
      return program.report.timings.compute
    })
    expect(inTheMiddle(first)).toBeGreaterThan(0)
    expect(others.map(inTheMiddle)).toEqual([0, 0, 0])
    device.dispose()
  })

  test('is not asked for the end of a sequence before it can have come', async () => {
    const { host, device, bindings, program } = await programOver(1000)
    const arrays: Record<string, DeviceBuffer> = {}
    for (const [name, numbers] of Object.entries(bindings.targets.arrays)) {
      arrays[name] = await device.buffer(numbers.length)
      await arrays[name].write(numbers as Float32Array)
    }
    const set = { ...bindings.targets, arrays }
    const value = await device.buffer(1000)
    const stage = { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { value } }
    const sequence = await createSequence(host, createMemory(host), [stage])
    const [first = [], ...others] = await looksDuring(async () => {
      await sequence.run(1)
      return sequence.gpuMilliseconds
    })
    expect(inTheMiddle(first)).toBeGreaterThan(0)
    expect(others.map(inTheMiddle)).toEqual([0, 0, 0])
    device.dispose()
  })
})
