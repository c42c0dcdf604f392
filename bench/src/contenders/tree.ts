/**
 * A sum within a tolerance: whole calls of an engine, which measure the error, and next to each call the tree alone on the device's clock.
 */

import type { Backend, TreeSetting } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import type { Contender, Sample } from '../contender.ts'
import { repeated } from '../timing/sampler.ts'
import { type Devices, hasClock } from './backend.ts'
import { wholeCallContender } from './whole-call.ts'

export function treeContender(who: string, backend: Backend, devices: Devices, tolerance: number): Contender {
  const call = wholeCallContender(`${who}, tolerance ${tolerance}`, backend, { tolerance })
  return {
    ...call,
    async prepare(problem) {
      const whole = await call.prepare(problem)
      const { dispose } = whole
      const device = await devices.of(backend, {})
      const { shape, bindings } = bind(problem.workload, problem.particles)
      const program = await device.prepare(problem.workload, shape)
      /** Milliseconds of the tree in the engine's latest run; absent if that run took all pairs, or if the device has no clock. */
      const onDevice = async () => {
        const setting = settingIn(whole.who.variant ?? '')
        const tree = setting && hasClock(device) && (await program.tree?.())
        if (!tree) return undefined
        await tree.run(bindings, setting)
        return program.report.timings.compute
      }
      return Object.assign(whole, {
        async sample(span: number): Promise<Sample> {
          const { call, parts } = await repeated(() => whole.run(), span)
          const clocked = await onDevice()
          return { call, parts: parts && { ...parts, ...(clocked === undefined ? {} : { device: clocked }) } }
        },
        dispose() {
          dispose()
          program.dispose()
        },
      })
    },
  }
}

/** The setting that a report names; undefined if all pairs ran. */
function settingIn(variant: string): TreeSetting | undefined {
  const [, degree, opening] = /^tree \((?:simplex|degree (\d+)), opening ([\d.]+)\)/.exec(variant) ?? []
  return opening === undefined
    ? undefined
    : { proxies: degree === undefined ? 'simplex' : Number(degree), opening: Number(opening) }
}
