// Simulations of several forces on the reference and on the processor.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, externalPotential, langevin, reference } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { adaptiveSimulations } from '../support/simulations/adaptive.ts'
import { angleSimulations } from '../support/simulations/angles.ts'
import { approximatedSimulations } from '../support/simulations/approximated.ts'
import { measures } from '../support/simulations/measures.ts'
import { simulations } from '../support/simulations.ts'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends: [reference()], precision: 'f64' }),
  createEngine({ backends, precision: 'f64', threads: 1 }),
  createEngine({ backends, precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

describe.each(
  engines.map((engine) => [`${engine.device.info.backend} ${engine.device.info.precision}`, engine] as const),
)('%s', (_, engine) => {
  test.each([...simulations, ...measures, ...angleSimulations, ...adaptiveSimulations, ...approximatedSimulations])(
    '%s',
    (_, run) => run(engine),
  )
})

test('a Langevin thermostat brings points in a trap to its temperature, with the distributions of Maxwell and Boltzmann', async () => {
  const [, , engine] = engines
  const count = 400
  const trap = externalPotential('2*(position_x^2 + position_y^2 + position_z^2)', { inertia: 'mass' })
  const mass = Float64Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 1 : 4))
  const simulation = await engine.simulate({
    forces: [trap()],
    particles: { position: new Float64Array(3 * count), mass },
    integrator: langevin({ temperature: 1.5, boltzmann: 2, friction: 1, seed: 7 }),
    dt: 0.1,
  })
  await simulation.step(60)
  let [squares, fourths, places, samples] = [0, 0, 0, 0]
  for (let n = 0; n < 12; n++) {
    await simulation.step(15)
    const [velocity, position] = [await simulation.read('velocity'), await simulation.read('position')]
    for (const [k, v] of velocity.entries()) {
      const energy = ((mass[Math.floor(k / 3)] as number) * v * v) / 3
      squares += energy
      fourths += energy * energy
      places += (4 * (position[k] as number) ** 2) / 3
      samples++
    }
  }
  // 14400 samples, little correlated: a standard error of sqrt(2/14400) = 0.012, and of 0.08 for the fourth moment.
  expect(Math.abs(squares / samples - 1)).toBeLessThan(0.05)
  expect(Math.abs(places / samples - 1)).toBeLessThan(0.05)
  expect(Math.abs(fourths / samples / 3 - 1)).toBeLessThan(0.12)
})
