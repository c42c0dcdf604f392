/**
 * The numbers of a simulation that may change while it runs: the parameters and tables of its forces, the parameters of its
 * integrator, and the length of a step. Programs read them, so other numbers compile nothing.
 *
 * @module
 */
import type { Tables } from '../../ground/table.ts'
import { sameParameters } from '../../problem/workloads/parameters.ts'
import type { ClockState } from '../stepping/clocks/clock-state.ts'

/** Numbers by name. */
export type NumbersByName = Readonly<Record<string, number>>

export interface SimulationNumbers {
  /** By their owners: see {@link ownerOf}, and {@link ofIntegrator}. */
  readonly parameters: Readonly<Record<string, NumbersByName>>
  readonly tables: Readonly<Record<string, Tables>>
  /** The time after a number of steps, and the length of the steps since. */
  readonly clock: ClockState
}

/** The owner of the parameters of the integrator. */
export const ofIntegrator = 'integrator'

/** The owner of the pressure of a barostat. */
export const ofBarostat = 'barostat'

/** The kinds of forces, each counted from 0 in the order of the description. Lists without links are no parts of the force. */
export type OwnerKind = 'Pair' | 'Bonds' | 'Angular' | 'External'

/** The owner of parameters: a force. No attribute may have a name that begins so. */
export const ownerOf = (kind: OwnerKind, n: number): string => `simulation${kind}${n}`

/** Whether two numbers of a simulation are equal. Parts that are equal are mostly one object. */
export function sameNumbers(some: SimulationNumbers, others: SimulationNumbers): boolean {
  return some === others || (some.clock === others.clock && !changedForces(some, others))
}

/** Whether the forces or the maps of the integrator read other numbers. */
export function changedForces(some: SimulationNumbers, others: SimulationNumbers): boolean {
  const owners = Object.keys(others.parameters)
  return owners.some(
    (owner) =>
      some.tables[owner] !== others.tables[owner] ||
      !sameParameters(some.parameters[owner] as NumbersByName, others.parameters[owner] as NumbersByName),
  )
}
