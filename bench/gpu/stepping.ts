// A simulation step as the device takes it: accelerations, then a kick and a drift, all arrays resident.

import type { GpuTimedSequence } from '@manybody/backend-webgpu'
import { accelerations, type Device, gravity, map, type PairWorkload } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { type Points, type Prepared, sampleOf, upload } from './measure.ts'

/** Steps of a softened cloud; `time` gives microseconds a step. Errors are the affair of the force, measured by itself. */
export async function prepareStepping(device: Device, points: Points): Promise<Prepared> {
  const force: PairWorkload = accelerations(gravity({ softening: 0.05 }))
  const push = map(
    { velocity: 'velocity + dt*acceleration', position: 'position + dt*(velocity + dt*acceleration)' },
    { dt: 1e-6 },
  )
  const { shape, bindings } = bind(force, points)
  const moving = { ...shape, vectors: ['position', 'velocity', 'acceleration'] }
  const [pull, kick] = await Promise.all([device.prepare(force, moving), device.prepare(push, moving)])
  const still = new Float32Array(points.position.length)
  const arrays = await upload(device, { ...points, velocity: still, acceleration: still })
  const { position, velocity, acceleration } = arrays
  if (!position || !velocity || !acceleration) throw new Error('no arrays on the device')
  const set = { count: shape.targets, arrays }
  const sequence = (await device.sequence([
    { program: pull, bindings: { ...bindings, targets: set, sources: set }, outputs: { acceleration } },
    {
      program: kick,
      bindings: { targets: set, sources: set, parameters: push.parameters },
      outputs: { velocity, position },
    },
  ])) as GpuTimedSequence
  return {
    variant: `step: ${pull.report.variant}, then ${kick.report.variant}`,
    compileMilliseconds: pull.report.timings.compile + kick.report.timings.compile,
    // Steps come by thousands: how a run begins and ends is no part of one.
    time: (times) => sampleOf(sequence, 10 * times),
    maxError: async () => undefined,
    dispose() {
      sequence.dispose()
      for (const program of [pull, kick]) program.dispose()
      for (const array of Object.values(arrays)) array.dispose()
    },
  }
}
