// A worker on one thread that cannot receive or send for some seconds, while it computes its first call. It prints the number of targets
// of each call.
//   busy-worker.ts SERVER NAME SECONDS

import { joinCluster } from '@manybody/cluster'
import type { Backend } from '@manybody/core'
import { reference } from 'manybody'

/** The number of targets in the proof of a device; any other run has more. */
const proofTargets = 67

const [servers = '', name = '', seconds = ''] = process.argv.slice(2)
const real = reference()
let calls = 0

const open: Backend['open'] = async (options) => {
  const device = await real.open(options)
  const prepare: typeof device.prepare = async (workload, shape, plan) => {
    const program = await device.prepare(workload, shape, plan)
    if (shape.targets <= proofTargets) return program
    return {
      dispose: () => program.dispose(),
      get report() {
        return program.report
      },
      run(bindings, options = {}) {
        const [first, last] = options.targets ?? [0, shape.targets]
        process.stdout.write(`computes ${last - first} targets\n`)
        if (calls++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(seconds) * 1000)
        return program.run(bindings, options)
      },
    }
  }
  return { ...device, prepare }
}

await joinCluster({ servers, name, backends: [{ ...real, open }] })
process.stdout.write('waits\n')
