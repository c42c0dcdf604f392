// A run over a million points on a thousand workers in this process. They share one device, one cache and what they compute with, so that
// only messages and the giving out of blocks are measured.

import { cluster } from '@manybody/cluster'
import { accelerations, createEngine, gravity } from 'manybody'
import { ByteCache } from '../../../packages/cluster/src/wire/cache.ts'
import { link } from '../../../packages/cluster/src/wire/link.ts'
import { Devices } from '../../../packages/cluster/src/worker/devices.ts'
import { ClusterWorker } from '../../../packages/cluster/src/worker/worker.ts'
import { numbers } from '../../support/numbers.ts'
import type { NatsServer } from '../nats-server.ts'
import { simulated } from './simulated.ts'

const points = 1_000_000
const count = 1000

/** @param speed of a worker, in pairs in a millisecond @returns milliseconds */
export async function thousandWorkers({ url }: NatsServer, speed: number): Promise<{ wall: number; model: number }> {
  const devices = new Devices({ backends: [simulated(speed)] })
  const { info } = await devices.device('f32')
  const cache = new ByteCache(2 ** 30)
  const options = { servers: url }
  const workers: ClusterWorker[] = []
  for (let n = 0; n < count; n++)
    workers.push(new ClusterWorker(await link(options, { as: 'worker' }), devices, info, cache, () => {}))
  const engine = await createEngine({ backends: [cluster({ ...options, always: true })] })
  const particles = { position: numbers(3 * points, 1), mass: numbers(points, 2) }
  const { report } = await engine.run(accelerations(gravity({ softening: 0.05 })), particles)
  console.log(report.spread)
  engine.dispose()
  // Each has a device to leave; they end with the process.
  return {
    wall: report.timings.upload + report.timings.compute,
    model: points ** 2 / (count * speed) + (28 * points) / 1e6,
  }
}
