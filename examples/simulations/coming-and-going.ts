/**
 * Points that come and go: in each frame the ten oldest leave and ten others come. Nothing is compiled again.
 *
 * `--points 100000 --backend webgpu --time` prints how long a frame takes: without changes, with them, and if their number changes, too.
 */

import { parseArgs } from 'node:util'
import { createEngine, pairPotential, periodic } from 'manybody'

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '500' },
    frames: { type: 'string', default: '100' },
    backend: { type: 'string' },
    time: { type: 'boolean', default: false },
  },
})
const [count, frames] = [Number(values.points), Number(values.frames)]
const edge = Math.cbrt(count)
const random = (() => {
  let state = 1
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
})()
const pointsBornIn = (frame: number, some: number) => ({
  position: Float32Array.from({ length: 3 * some }, () => edge * random()),
  mass: new Float32Array(some).fill(1),
  born: new Float32Array(some).fill(frame),
})

// Soft balls that push each other apart.
const soft = pairPotential('10*(1 - r)^2', { inertia: 'mass' })
await using engine = await createEngine({ ...(values.backend && { backend: values.backend }) })
await using simulation = await engine.simulate({
  particles: pointsBornIn(0, count),
  forces: [{ law: soft(), boundary: periodic([edge, edge, edge]), cutoff: 1 }],
  dt: 0.005,
  capacity: count + 10,
})

/** @param more how many more come than leave */
const frame = async (n: number, more: number): Promise<void> => {
  await simulation.remove(Array.from({ length: 10 }, (_, point) => point))
  await simulation.add(pointsBornIn(n, 10 + more))
  await simulation.step(1)
}

for (let n = 1; n <= frames; n++) await frame(n, 0)
const born = await simulation.read('born')
const first = Math.max(0, frames - count / 10 + 1)
console.log(`${born.length} points, the oldest of frame ${first}: ${Math.min(...born.subarray(0, 10)) === first}`)

if (values.time) {
  const timed = async (work: (n: number) => Promise<unknown>) => {
    const start = performance.now()
    for (let n = 0; n < 300; n++) await work(n)
    await simulation.read('mass')
    return (performance.now() - start) / 300
  }
  const kinds: Record<string, (n: number) => Promise<unknown>> = {
    'without changes': () => simulation.step(1),
    'ten leave and ten come': (n) => frame(n, 0),
    'their number changes': (n) => frame(n, n % 2 ? -1 : 1),
  }
  for (const [name, work] of Object.entries(kinds)) {
    await timed(work)
    console.log(`${name}: ${(await timed(work)).toFixed(3)} ms a frame`)
  }
}
