/**
 * Starts simulations for the engine. The engine loads this file with the first simulation, so that a page that only evaluates
 * forces does not fetch the code for stepping.
 *
 * @module
 */

import type { Precision } from '../ground/precision.ts'
import { held } from '../problem/loaded-at-once.ts'
import { boundSimulation } from './bound-simulation.ts'
import { radauIn } from './gauss-radau/ias15.ts'
import { inPrecision } from './low-parts.ts'
import { Simulation } from './simulation.ts'
import { restored } from './snapshot.ts'
import type { BoundSimulation, SimulationOptions, SimulationState } from './state.ts'
import type { DeviceSource } from './stepping/recovery.ts'

export function begin<P extends Precision>(source: DeviceSource, options: SimulationOptions): Promise<Simulation<P>> {
  return start(source, boundSimulation(options))
}

export function resume<P extends Precision>(source: DeviceSource, snapshot: SimulationState): Promise<Simulation<P>> {
  return start(source, restored(snapshot))
}

async function start<P extends Precision>(source: DeviceSource, given: BoundSimulation): Promise<Simulation<P>> {
  const { integrator } = given.state
  const { precision } = source.device.info
  const hurried = given.parts.pairs.some(({ method }) => method?.kind === 'fast')
  const chosen = hurried ? (await import('./forces/chosen-methods.ts')).withChosenMethods(given, source.device) : given
  const bound = inPrecision(chosen, precision)
  if (radauIn(integrator) && precision === 'f32')
    throw new TypeError(
      `"integrator" expected another one in float32, because all that ${integrator.name} gains is beyond its seven digits; create the engine with precision: 'f64', or use rungeKutta4`,
    )
  const approximated = bound.parts.pairs.filter(({ method }) => method)
  if (approximated.length > 0) {
    const { requireApproximable } = await import('./forces/tolerances.ts')
    for (const pair of approximated) await requireApproximable(pair, bound.state.dimension)
  }
  const { events, barostat } = bound.state
  const BarostatWatch = barostat && (await import('./barostat/barostat-watch.ts')).BarostatWatch
  const EventWatch = events?.length ? (await import('./events/event-watch.ts')).EventWatch : undefined
  const simulation = new Simulation<P>(source, bound, {
    ...(BarostatWatch && { pressing: (...parts) => new BarostatWatch(...parts) }),
    ...(EventWatch && { watching: (...parts) => new EventWatch(...parts) }),
  })
  return held(simulation)
}
