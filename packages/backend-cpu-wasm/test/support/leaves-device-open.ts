// A program that forgets to dispose of its device, for the test of sleeping workers.

import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { cpuWasm } from '../../src/index.ts'
import { points } from './points.ts'

const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
const workload = accelerations(gravity({ softening: 0.05 }))
const { bindings, shape } = bind(workload, points(1000))
const program = await device.prepare(workload, shape)
while (!program.report.variant.includes('2 threads')) {
  await program.run(bindings)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
console.log('done')
