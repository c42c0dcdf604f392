// The numbers of a simulation with all their digits: in float32, positions and velocities have low parts beside them.

import type { Precision, Simulation } from '@manybody/core'

export async function exactly(simulation: Simulation<Precision>, name: 'position' | 'velocity'): Promise<Float64Array> {
  const { arrays } = await simulation.snapshot()
  const low = arrays[`${name}Low`]
  return Float64Array.from(arrays[name], (x, n) => x + (low?.[n] ?? 0))
}
