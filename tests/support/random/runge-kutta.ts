// The classical Runge-Kutta method as a user would write it, with arrays for the stages of a step, on a known orbit.

import { type Engine, gravity, type Integrator } from '@manybody/core'

/**
 * For `x' = v, v' = a(x)`: `start` is the state at the beginning of the step; `sum` adds up slopes with weights 1, 2, 2, 1.
 *
 * @source W. Kutta, Z. Math. Phys. 46 (1901) 435
 */
export const rungeKutta: Integrator = {
  name: 'Runge-Kutta',
  order: 4,
  stages: [
    {
      kind: 'map',
      outputs: {
        startX: 'position',
        startV: 'velocity',
        sumX: 'velocity',
        sumV: 'acceleration',
        position: 'position + h*velocity',
        velocity: 'velocity + h*acceleration',
      },
      fraction: 1 / 2,
    },
    { kind: 'force' },
    {
      kind: 'map',
      outputs: {
        sumX: 'sumX + 2*velocity',
        sumV: 'sumV + 2*acceleration',
        position: 'startX + h*velocity',
        velocity: 'startV + h*acceleration',
      },
      fraction: 1 / 2,
    },
    { kind: 'force' },
    {
      kind: 'map',
      outputs: {
        sumX: 'sumX + 2*velocity',
        sumV: 'sumV + 2*acceleration',
        position: 'startX + h*velocity',
        velocity: 'startV + h*acceleration',
      },
      fraction: 1,
    },
    { kind: 'force' },
    {
      kind: 'map',
      outputs: {
        position: 'startX + h*(sumX + velocity)',
        velocity: 'startV + h*(sumV + acceleration)',
      },
      fraction: 1 / 6,
    },
    { kind: 'force' },
  ],
}

const [mass, eccentricity] = [Float64Array.of(0.75, 0.25), 0.3]

/** Two bodies at the apocentre of an orbit with semi-major axis 1 and total mass 1, and room for the method. */
function orbit(dimension: 2 | 3) {
  const vector = (x: number, y: number) => {
    const one = [x, y, 0].slice(0, dimension)
    return Float64Array.from([one.map((c) => -0.25 * c), one.map((c) => 0.75 * c)].flat())
  }
  const distance = 1 + eccentricity
  const zeros = () => new Float64Array(2 * dimension)
  return {
    dimension,
    position: vector(distance, 0),
    velocity: vector(0, Math.sqrt((1 - eccentricity) / (1 + eccentricity))),
    mass,
    ...{ startX: zeros(), startV: zeros(), sumX: zeros(), sumV: zeros() },
  }
}

/** How far the second body is from the solution of Kepler's equation, after some time in `steps` steps. */
export async function errorAfter(engine: Engine<'f32' | 'f64'>, dimension: 2 | 3, steps: number, time: number) {
  const simulation = await engine.simulate({
    law: gravity(),
    particles: orbit(dimension),
    integrator: rungeKutta,
    dt: time / steps,
  })
  await simulation.step(steps)
  const position = await simulation.read('position')
  simulation.dispose()
  const mean = time + Math.PI
  let anomaly = mean
  for (let n = 0; n < 50; n++)
    anomaly -= (anomaly - eccentricity * Math.sin(anomaly) - mean) / (1 - eccentricity * Math.cos(anomaly))
  const [x, y] = [-(Math.cos(anomaly) - eccentricity), -Math.sqrt(1 - eccentricity ** 2) * Math.sin(anomaly)]
  return Math.hypot((position[dimension] as number) - 0.75 * x, (position[dimension + 1] as number) - 0.75 * y)
}
