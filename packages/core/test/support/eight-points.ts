// A small simulation under gravity, for tests that look at its state.

import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { numbersBetween, random } from './random.ts'

export const count = 8
const next = random(12)
export const particles: Readonly<Record<'position' | 'velocity' | 'mass', Float64Array>> = {
  position: numbersBetween(next, 3 * count, -1, 1),
  velocity: numbersBetween(next, 3 * count, -0.5, 0.5),
  mass: numbersBetween(next, count, 0.5, 2),
}
export const setup: SimulationOptions = { law: gravity({ softening: 0.3 }), particles, dt: 0.02 }
