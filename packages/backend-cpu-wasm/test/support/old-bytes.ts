// A program that prints how many bytes of old objects each call leaves behind, for several kinds of calls. The test of garbage
// runs it.

import { getHeapSpaceStatistics } from 'node:v8'
import { accelerations, countWithin, createEngine, gravity, type Workload } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { cpuWasm } from '../../src/index.ts'
import { points } from './points.ts'

const calls = 4000
const particles = points(64)

/** Bytes of objects that have outlived collections of young ones. */
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_'))
    .reduce((sum, space) => sum + space.space_used_size, 0)

async function leftBy(call: () => Promise<unknown>): Promise<number> {
  const grown: number[] = []
  // The engine compiles meanwhile, and may collect old objects at any time.
  for (let round = 0; round < 5; round++) {
    const before = oldBytes()
    for (let n = 0; n < calls; n++) await call()
    grown.push((oldBytes() - before) / calls)
  }
  return grown.toSorted((a, b) => a - b)[2] as number
}

/** By runs of a program. */
async function byProgram(variant: string, workload: Workload): Promise<number> {
  const device = await cpuWasm().open({ threads: 1 })
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant })
  const left = await leftBy(() => program.run(bindings))
  device.dispose()
  return left
}

/** By calls of an engine. */
async function byEngine(workload: Workload): Promise<number> {
  const engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const left = await leftBy(() => engine.run(workload, particles))
  engine.dispose()
  return left
}

const near = countWithin(0.2)
const attracted = accelerations(gravity({ softening: 0.05 }))
const left = {
  simd: await byProgram('simd', near),
  blocks: await byProgram('blocks', near),
  'pairs-once': await byProgram('pairs-once', attracted),
  'engine.run': await byEngine(attracted),
}
console.log(JSON.stringify(left))
