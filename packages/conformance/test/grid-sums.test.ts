// The checks of grids between programs release all that they make, on devices that fail within.

import { type Device, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { gridChecks } from '../src/checks/grids/grid-sums.ts'

const checks = gridChecks.filter(({ name }) => name.includes('a stage between programs'))

/** A device that counts its buffers and programs, and the failing `gridSequence` with them. */
async function counted(gridSequence: Device['gridSequence']) {
  const backend = reference()
  const inner = await backend.open()
  const counts = { made: 0, disposed: 0 }
  const followed = <T extends { dispose(): void }>(one: T): T => {
    counts.made++
    const dispose = () => {
      counts.disposed++
      one.dispose()
    }
    return new Proxy(one, { get: (of, name) => (name === 'dispose' ? dispose : Reflect.get(of, name)) })
  }
  const device = {
    ...inner,
    takesGridStage: async () => true,
    gridSequence: async (stages) => followed((await gridSequence?.(stages)) as never),
    buffer: async (length) => followed(await inner.buffer(length)),
    prepare: async (workload, shape) => followed(await inner.prepare(workload, shape)),
  } satisfies Partial<Device> as Device
  return { backend, device, counts }
}

const failing = (what: string) => async () => {
  throw new Error(`no ${what}`)
}

test.each<[string, Device['gridSequence']]>([
  ['sequences', failing('sequences')],
  ['runs', async () => ({ run: failing('runs'), dispose() {} })],
])('a device without %s', async (what, gridSequence) => {
  expect(checks.length).toBeGreaterThan(0)
  for (const check of checks) {
    const { backend, device, counts } = await counted(gridSequence)
    await expect(check.faults(device, backend)).rejects.toThrow(`no ${what}`)
    expect(counts.made).toBeGreaterThan(5)
    expect(counts.disposed).toBe(counts.made)
    device.dispose()
  }
})
