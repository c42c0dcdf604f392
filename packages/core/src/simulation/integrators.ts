/**
 * Symplectic integrators as data: maps over particles, and a force evaluation after each change of positions.
 *
 * Every step begins with the acceleration at the current positions and ends with the one at the new positions. So no scheme evaluates the
 * force twice at the same positions.
 *
 * @module
 */
import type { Motion } from './forces/force.ts'
import { drift, force, type IntegratorStage, inner, kick, outer } from './kicks.ts'

/** Plain data, so that a snapshot can carry it. */
export interface Integrator {
  readonly name: string
  /** The error after a fixed time falls as `dt^order`. */
  readonly order: number
  readonly stages: readonly IntegratorStage[]
  /** Numbers that its maps read by name, such as a temperature. A running simulation takes others. */
  readonly parameters?: Readonly<Record<string, number>>
  /** Lowest allowed values of the parameters that have one. */
  readonly minimum?: Readonly<Record<string, number>>
  /** Whether forces give `acceleration`, or `velocity`; the former by default. */
  readonly motion?: Motion
  /** Further vectors that hold numbers within a step only. The simulation provides them. */
  readonly scratch?: readonly string[]
  /**
   * For noise: the seed, how many random numbers a step draws for each point (see `noise/random.ts`), and the attribute that
   * divides it, which must then be positive.
   */
  readonly random?: { readonly seed: number; readonly draws: number; readonly inertia?: string }
}

/** Kick, then drift with the new velocity. One force per step, first order. */
export const semiImplicitEuler: Integrator = {
  name: 'semi-implicit Euler',
  order: 1,
  stages: [kick(1), drift(1), force],
}

/** Kick-drift-kick. One force per step, second order, time-reversible: the usual choice. */
export const leapfrog: Integrator = { name: 'leapfrog', order: 2, stages: [kick(1 / 2), drift(1), force, kick(1 / 2)] }

/**
 * Positions to second order, velocities with the mean of old and new acceleration: the leapfrog in other variables.
 *
 * @source W. C. Swope et al., J. Chem. Phys. 76 (1982) 637
 */
export const velocityVerlet: Integrator = {
  name: 'velocity Verlet',
  order: 2,
  stages: [
    {
      kind: 'map',
      outputs: { position: 'position + h*velocity + h^2/2*acceleration', previous: 'acceleration' },
      fraction: 1,
    },
    force,
    { kind: 'map', outputs: { velocity: 'velocity + h/2*(previous + acceleration)' }, fraction: 1 },
  ],
}

/**
 * Three leapfrog steps; the middle one goes backwards. Three forces per step, fourth order.
 *
 * @source H. Yoshida, Phys. Lett. A 150 (1990) 262
 */
export const yoshida4: Integrator = {
  name: 'Yoshida 4th order',
  order: 4,
  stages: [
    kick(outer / 2),
    drift(outer),
    { kind: 'force', at: outer },
    kick((outer + inner) / 2),
    drift(inner),
    { kind: 'force', at: outer + inner },
    kick((inner + outer) / 2),
    drift(outer),
    force,
    kick(outer / 2),
  ],
}
