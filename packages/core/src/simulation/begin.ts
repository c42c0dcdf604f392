/**
 * How the engine starts simulations. It loads this file when it is first asked for one, so that a page that only
 * evaluates forces does not fetch the code for stepping.
 *
 * @module
 */
import { type DeviceSource, Simulation } from './simulation.ts'
import { restored, type SimulationOptions, type SimulationState, stateOf } from './state.ts'

export function begin(source: DeviceSource, options: SimulationOptions): Simulation {
  return new Simulation(source, stateOf(options))
}

export function resume(source: DeviceSource, snapshot: SimulationState): Simulation {
  return new Simulation(source, restored(snapshot))
}
