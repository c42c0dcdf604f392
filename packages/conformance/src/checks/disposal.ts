/**
 * Everything must tolerate being disposed twice. This last check ends the device.
 *
 * @module
 */
import type { Device } from '@manybody/core'
import { type Check, unless } from './check.ts'
import { preparedPull } from './problem.ts'

export const disposalChecks: readonly Check[] = [
  {
    name: 'disposal: twice is as good as once, and others live on',
    async faults(device) {
      const [ended, other] = [await preparedPull(device), await preparedPull(device)]
      const buffer = await device.buffer(3)
      const sequence = await device.sequence([])
      const found = [
        ...disposedTwice('a program', ended.program),
        ...disposedTwice('a buffer', buffer),
        ...disposedTwice('a sequence', sequence),
      ]
      const { acceleration } = await other.program.run(other.bindings)
      other.program.dispose()
      return [...found, ...unless(acceleration !== undefined, 'a program expected to outlive another, got no results')]
    },
  },
  {
    name: 'disposal: the device itself, twice',
    faults: async (device) => disposedTwice('a device', device),
  },
]

function disposedTwice(what: string, owned: Pick<Device, 'dispose'>): readonly string[] {
  try {
    owned.dispose()
    owned.dispose()
    return []
  } catch (error) {
    return [`disposing ${what} twice threw ${error}`]
  }
}
