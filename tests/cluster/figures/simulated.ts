// A backend that simulates a host: it takes as long as a device of a given speed would, and computes only the proof.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Backend, Range } from '@manybody/core'
import { lengthOf, resultArrays } from '@manybody/core/backend'
import { reference } from 'manybody'

/** The number of targets in the proof of a device; any other run has more. */
const proofTargets = 67

/** @param speed pairs per millisecond; infinite to answer at once */
export function simulated(speed: number): Backend {
  const real = reference()
  const open: Backend['open'] = async (options) => {
    const device = await real.open(options)
    const prepare: typeof device.prepare = async (workload, shape, plan) => {
      const program = await device.prepare(workload, shape, plan)
      if (workload.loop !== 'pair' || shape.targets <= proofTargets) return program
      return {
        dispose: () => program.dispose(),
        get report() {
          return program.report
        },
        async run(_, { targets = [0, shape.targets], sources = [0, shape.sources], signal, into = {} } = {}) {
          const rows = lengthOf(targets as Range)
          const milliseconds = (rows * lengthOf(sources as Range)) / speed
          if (milliseconds > 0) await sleep(milliseconds, undefined, { ...(signal && { signal }) })
          const arrays = resultArrays(workload, { ...shape, targets: rows }, device.info.precision)
          return Object.fromEntries(
            Array.from(arrays, ([name, { Type, length }]) => [name, into[name] ?? new Type(length)]),
          )
        },
      }
    }
    return { ...device, prepare }
  }
  return { ...real, open }
}
