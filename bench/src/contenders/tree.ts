/** A sum within a tolerance by a tree of a backend, at one setting: calls with copies, and the time on the device by its own clock. */

import type { Backend, TreeSetting } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import type { Contender, Results } from '../contender.ts'
import { type Devices, whoOf } from './backend.ts'

export function treeContender(name: string, backend: Backend, devices: Devices, setting: TreeSetting): Contender {
  const { proxies, opening } = setting
  const method = `${proxies === 'simplex' ? proxies : `degree ${proxies}`}, opening ${opening}`
  return {
    name: `${name}, ${method}`,
    about: { name, variant: method },
    async prepare({ workload, particles }) {
      const device = await devices.of(backend, {})
      const { shape, bindings } = bind(workload, particles)
      const program = await device.prepare(workload, shape)
      const { tree } = program
      if (!tree) throw new Error(`${backend.name} has no tree for this workload`)
      let latest = await tree.run(bindings, setting)
      return {
        who: whoOf(name, device, `tree (${method}), ${program.report.variant}`, undefined),
        accuracy: program.report,
        approximate: method,
        async run() {
          latest = await tree.run(bindings, setting)
          const { upload, compute, readback } = program.report.timings
          return { upload, compute, readback, device: compute }
        },
        results: async () => latest as Results,
        dispose: () => program.dispose(),
      }
    },
  }
}
