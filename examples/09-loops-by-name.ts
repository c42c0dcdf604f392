/** The loops of a backend by name, the plainest first: the time of each, and its error against float64. */

import { accelerations, createEngine, gravity } from 'manybody'
import { randomFrom } from './support/random.ts'

const ladders: Readonly<Record<string, readonly string[]>> = {
  'cpu-wasm': ['simd', 'pairs-once'],
  webgl: ['naive', 'texture-loop'],
  webgpu: ['naive', 'tiled', 'tiled-unrolled', 'register-blocked', 'split'],
}

// For example `npx tsx examples/09-loops-by-name.ts webgpu`.
const [backend = 'cpu-wasm'] = process.argv.slice(2)
await using engine = await createEngine({ backend })

const count = 1000
const random = randomFrom(1)
const position = Float32Array.from({ length: 3 * count }, random)
const mass = new Float32Array(count).fill(1 / count)
const workload = accelerations(gravity({ softening: 0.05 }))

for (const variant of ladders[backend] ?? []) {
  // Add sizes: { workgroup: 64 } to the plan for blocks of another size on webgpu.
  const plan = { variant }
  const { max, bound, report } = await engine.verify(workload, { position, mass }, { plan })
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    await engine.run(workload, { position, mass }, { plan })
    times.push(performance.now() - began)
  }
  const median = times.sort((a, b) => a - b)[2] ?? 0
  console.log(
    `${report.variant}: ${median.toFixed(1)} ms, error ${max.toExponential(1)}, at most ${bound.toExponential(1)}`,
  )
}
