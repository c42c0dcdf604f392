// The reference as a worker sees a GPU: it gets two calls at a time. The computation itself is the reference's.

import { type Backend, type Program, type RunOptions, reference } from '@manybody/core'

/** The number of targets in the proof of a device; any other run has more. */
const proofTargets = 67

/** @param before is awaited before each run, except the runs of the proof */
export function asGpu(before: (options: RunOptions) => Promise<void>): Backend {
  const good = reference()
  const open: Backend['open'] = async (how) => {
    const device = await good.open(how)
    const prepare: typeof device.prepare = async (...given) => {
      const program = await device.prepare(...given)
      if (given[1].targets <= proofTargets) return program
      const run: Program['run'] = async (bindings, options = {}) => {
        await before(options)
        return program.run(bindings, options)
      }
      return {
        dispose: () => program.dispose(),
        get report() {
          return program.report
        },
        run,
      }
    }
    return { ...device, info: { ...device.info, kind: 'hardware' }, prepare }
  }
  const probe: Backend['probe'] = async () => ({ available: true, device: 'as a GPU', kind: 'hardware', features: [] })
  return { ...good, probe, open }
}
