// The CPU backend passes the suite in both precisions: all of it by default, on one thread. A twelfth of it runs with every job shared
// between threads, and a twelfth in each variant; blocks run seven twelfths of the cases that they can.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { describeConformance } from '@manybody/conformance'
import type { Backend, Plan } from 'manybody'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

/** The backend, making every program by a plan if the plan fits the workload. */
function planned(backend: Backend, plan: Plan): Backend {
  return {
    ...backend,
    async open(options) {
      const device = await backend.open(options)
      const prepare = device.prepare.bind(device)
      device.prepare = (workload, shape) =>
        prepare(workload, shape, plan).catch((error) => {
          if (error instanceof RangeError) return prepare(workload, shape)
          throw error
        })
      return device
    },
  }
}

/** The test runner, with a label before the names. If twelfths are given, it runs only those of the suite. */
const runner = (label: string, twelfths?: number | readonly number[]) => ({
  describe: (name: string, body: () => void) => describe(`${label}: ${name}`, body),
  test: twelfths === undefined ? test : sharing(test, twelfths, 12),
  afterAll,
})

const inReach =
  /near|cutoff|count|radius|moved|masks|two sets|source ranges|fewer points|argm|list|distance|switched|splines|tables|keeps no pair/

/** The runner for cases that blocks can compute, by their names: all others take a loop without blocks, even in a deep run. */
function within({ test: each, ...rest }: ReturnType<typeof runner>): ReturnType<typeof runner> {
  const register = (name: string, body: () => void | Promise<void>) => {
    if (inReach.test(name)) each(name, body)
  }
  return { ...rest, test: Object.assign(register, { skip: each.skip }) as typeof each }
}

await describeConformance(runner('one thread'), cpuWasm(), { required: true, open: { threads: 1 } })
await describeConformance(runner('every job shared by three threads', 0), cpuWasm({ threadsFrom: 0 }), {
  required: true,
  open: { threads: 3 },
})
await describeConformance(
  runner('each pair once, four registers', 1),
  planned(cpuWasm({ threadsFrom: 0 }), { variant: 'pairs-once', sizes: { registers: 4 } }),
  { required: true, open: { threads: 2 } },
)
await describeConformance(
  runner('every ordered pair, four registers', 2),
  planned(cpuWasm(), { variant: 'simd', sizes: { registers: 4 } }),
  { required: true },
)
await describeConformance(
  runner('short tiles', 3),
  planned(cpuWasm(), { variant: 'simd', sizes: { tile: 16, registers: 2 } }),
  { required: true },
)
const inBlocks = planned(cpuWasm({ threadsFrom: 0 }), { variant: 'blocks' })
await describeConformance(within(runner('blocks', [6, 7, 8, 9, 10])), inBlocks, {
  required: true,
  open: { threads: 1 },
})
await describeConformance(within(runner('blocks, two threads', [4, 11])), inBlocks, {
  required: true,
  open: { threads: 2 },
})

const probe = await cpuWasm().probe()
if (probe.available && probe.features.includes('relaxed-simd'))
  await describeConformance(
    runner('fused multiply-adds', 5),
    planned(planned(cpuWasm(), { variant: 'simd-relaxed' }), { variant: 'pairs-once-relaxed' }),
    { required: true },
  )
