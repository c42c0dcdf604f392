/**
 * Probe, device and backend must agree on the names of the backend and the device, and on the device's kind.
 *
 * @module
 */
import { type Check, unless } from './check.ts'

export const identityChecks: readonly Check[] = [
  {
    name: 'device: info agrees with the backend and its probe',
    async faults({ info }, backend) {
      const probe = await backend.probe({ precision: info.precision })
      if (!probe.available) return [`probe expected the device that is open, got unavailable: ${probe.reason}`]
      const badLimit = Object.entries(info.limits).find(([, limit]) => !((limit ?? 0) > 0))
      return [
        ...unless(info.backend === backend.name, `info.backend expected "${backend.name}", got "${info.backend}"`),
        ...unless(info.name === probe.device, `info.name expected "${probe.device}", as probed, got "${info.name}"`),
        ...unless(info.kind === probe.kind, `info.kind expected "${probe.kind}", as probed, got "${info.kind}"`),
        ...unless(info.name.length > 0, 'info.name expected what the driver calls the device, got nothing'),
        ...(badLimit ? [`info.limits.${badLimit[0]} expected a number > 0, got ${badLimit[1]}`] : []),
      ]
    },
  },
  {
    name: 'device: is not lost while it is in use',
    async faults({ lost }) {
      const state = await Promise.race([lost, Promise.resolve(undefined)])
      return unless(state === undefined, `lost expected to be pending, got ${state?.reason}`)
    },
  },
]
