/**
 * A state from storage: what `simulation.snapshot()` gave, checked like what a user types.
 *
 * @module
 */
import { describe, type FloatArray, takenArray, whole } from '../checks.ts'
import { type SimulationOptions, type SimulationState, stateOf } from './state.ts'

/** Checks a state from storage. @throws TypeError, RangeError */
export function restored(snapshot: SimulationState): SimulationState {
  if (!snapshot?.arrays)
    throw new TypeError(`"snapshot" expected what simulation.snapshot() gave, got ${describe(snapshot)}`)
  const { position, velocity, acceleration, previous, ...attributes } = snapshot.arrays
  const { law, domain, integrator, dt, dimension } = snapshot
  const particles = { ...attributes, position, velocity, dimension } as SimulationOptions['particles']
  const state = stateOf({ law, domain, integrator, dt, particles })
  const moved: Record<string, FloatArray> = {}
  for (const [name, array] of Object.entries({ acceleration, previous }))
    if (array) moved[name] = takenArray(array, name, position.length)
  return { ...state, steps: whole(snapshot.steps, 'steps', 0), arrays: { ...state.arrays, ...moved } }
}
