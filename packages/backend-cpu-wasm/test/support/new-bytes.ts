// A program that prints how many bytes of objects each small call makes, for several kinds of calls. The test of garbage bundles and
// runs it. Young objects must have room for all calls of a round, so that none is collected meanwhile.

import { accelerations, countWithin, createEngine, gravity } from '@manybody/core'
import { cpuWasm } from '../../src/index.ts'

const calls = 2000
const count = 200
const position = Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(n * n))
const particles = { position, mass: new Float32Array(count).fill(1e-4) }
const law = gravity({ softening: 0.1 })

/** Bytes for each call, with those of the loop that makes the calls. */
async function round(call: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < calls; n++) await call()
  return (process.memoryUsage().heapUsed - before) / calls
}

/** The fewest of several rounds, because V8 compiles meanwhile. */
async function madeBy(call: () => Promise<unknown>): Promise<number> {
  const made: number[] = []
  for (let n = 0; n < 10; n++) made.push(await round(call))
  return Math.min(...made)
}

const done = Promise.resolve()
const empty = await madeBy(() => done)

await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
const simulation = await engine.simulate({ law, particles, dt: 1e-3 })
const frames = simulation.frames({ reuse: true })
const [attracted, near] = [accelerations(law), countWithin(0.05)]
// Kept, because callers' own objects do not count.
const [toAcceleration, toCount] = [
  { into: { acceleration: new Float32Array(3 * count) } },
  { into: { count: new Uint32Array(count) } },
]
const made = {
  step: (await madeBy(() => simulation.step(1))) - empty,
  frames: (await madeBy(() => frames.next())) - empty,
  accelerations: (await madeBy(() => engine.run(attracted, particles, toAcceleration))) - empty,
  countWithin: (await madeBy(() => engine.run(near, particles, toCount))) - empty,
}
console.log(JSON.stringify(made))
