// The simulation that tests interrupt.

import { gravity } from 'manybody'
import { numbers } from '../support/numbers.ts'

export const moving = (count: number) => ({
  law: gravity({ softening: 0.05 }),
  particles: { position: numbers(3 * count, 1), mass: new Float32Array(count).fill(1 / count) },
  dt: 0.01,
})
