// A reference device that is disposed of while it works: the work stops soon.

import { expect, test } from 'vitest'
import { accelerations, createEngine, gravity, reference } from '../../src/index.ts'

const count = 8000
const particles = {
  position: Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(n * n)),
  mass: new Float32Array(count).fill(1),
}
const law = gravity({ softening: 0.1 })

test('a run and a simulation stop when their engine is disposed of', async () => {
  const engine = await createEngine({ backends: [reference()] })
  const simulation = await engine.simulate({ law, particles, dt: 0.1 })
  const disposed = 'Cannot run: the engine was disposed; create a new one'
  // Each of them would take many seconds.
  const working = [
    engine.run(accelerations(law), particles, { onProgress: () => engine.dispose() }),
    simulation.step(1),
    simulation.energy(),
  ]
  const outcomes = await Promise.allSettled(working)
  expect(outcomes).toEqual(working.map(() => ({ status: 'rejected', reason: new Error(disposed) })))
})
