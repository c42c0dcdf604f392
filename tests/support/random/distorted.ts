// A backend that is right until it is switched to be wrong, because engines prove their device before they trust it.

import type { ArrayResults, Backend, Workload } from '@manybody/core'

export interface Distortion {
  /** The workload to prepare in place of the requested one. */
  workload?: ((workload: Workload) => Workload) | undefined
  results?: ((results: ArrayResults) => ArrayResults) | undefined
}

/** @param distortion filled in once the engine is open */
export function distorted(backend: Backend, distortion: Distortion): Backend {
  return {
    ...backend,
    probe: (options) => backend.probe(options),
    async open(options) {
      const device = await backend.open(options)
      return Object.create(device, {
        prepare: {
          value: async (workload: Workload, ...rest: [never]) => {
            const program = await device.prepare(distortion.workload?.(workload) ?? workload, ...rest)
            return {
              run: async (...args: Parameters<typeof program.run>) => {
                const results = await program.run(...args)
                return distortion.results?.(results) ?? results
              },
              get report() {
                return program.report
              },
              dispose: () => program.dispose(),
            }
          },
        },
        info: { value: device.info },
        lost: { value: device.lost },
        dispose: { value: () => device.dispose() },
        supports: { value: (...args: Parameters<typeof device.supports>) => device.supports(...args) },
      })
    },
  }
}
