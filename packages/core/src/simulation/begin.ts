/**
 * Starts simulations for the engine. The engine loads this file with the first simulation, so that a page that only evaluates
 * forces does not fetch the code for stepping.
 *
 * @module
 */
import type { Precision } from '../precision.ts'
import { type DeviceSource, Simulation } from './simulation.ts'
import { restored } from './snapshot.ts'
import { type SimulationOptions, type SimulationState, stateOf } from './state.ts'

export function begin<P extends Precision>(source: DeviceSource, options: SimulationOptions): Simulation<P> {
  return new Simulation(source, stateOf(options))
}

export function resume<P extends Precision>(source: DeviceSource, snapshot: SimulationState): Simulation<P> {
  return new Simulation(source, restored(snapshot))
}
