/**
 * Langevin dynamics: motion under forces, friction and noise that keep a temperature.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { finite, onlyNamed, positive, whole } from '../../ground/checks.ts'
import { nameOf } from '../../ground/names.ts'
import { dimensionOf } from '../../problem/workloads/particles.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { Integrator } from '../integrators.ts'
import { drift, force, type IntegratorStage, kick } from '../kicks.ts'
import { draws } from './random.ts'

export interface LangevinOptions {
  /** The temperature to keep, >= 0. */
  readonly temperature: number
  /** The friction coefficient, > 0, in 1/time: a free point slows as `exp(-friction*time)`. */
  readonly friction: number
  /** Boltzmann's constant in the units of the simulation; 1 by default. */
  readonly boltzmann?: number
  /** A whole number >= 0: the same seed gives the same noise, on every backend. */
  readonly seed: number
  /** The attribute with the masses; `mass` by default. */
  readonly inertia?: string
  /** That of the points; 3 by default. */
  readonly dimension?: Dimension
}

/**
 * An integrator that keeps a temperature: half a kick, half a drift, friction with noise, half a drift, half a kick. One force per
 * step; averages over positions are exact to second order in `dt`.
 *
 * The noise is uniformly distributed with the right variance, which the sums over a few steps make normal. It needs `dt > 0`.
 *
 * @source B. Leimkuhler and C. Matthews, Appl. Math. Res. eXpress 2013 (2013) 34: the order BAOAB; B. Duenweg and W. Paul, Int. J. Mod.
 *   Phys. C 2 (1991) 817: noise that is not normal
 * @throws TypeError, RangeError
 */
export function langevin(options: LangevinOptions): Integrator {
  const known = ['temperature', 'friction', 'boltzmann', 'seed', 'inertia', 'dimension']
  const { boltzmann = 1, inertia = 'mass', dimension = 3, ...rest } = onlyNamed(options, 'option of langevin', known)
  const parameters = {
    temperature: finite(rest.temperature, 'temperature', 0),
    boltzmann: positive(boltzmann, 'boltzmann'),
    friction: positive(rest.friction, 'friction'),
  }
  const seed = whole(rest.seed, 'seed', 0)
  nameOf(inertia, 'inertia')
  const axes = axesOf(dimensionOf(dimension, ''))
  const { names, definitions, states } = draws(axes.length)
  // In float32, the share exp(-friction h) that is kept has no digits of a small friction: the share that is lost has them. A small
  // loss alone would be rounded away. Beside noise it is kept on average, so a maximum that changes nothing adds both first.
  const shares = `lost = 2*half/(1 + half); half = tanh(friction*h/2); gained = 2*full/(1 + full); full = tanh(friction*h)`
  // Only fixed points may have no mass. They have no noise either.
  const mass = `select(0 < ${inertia}, ${inertia}, 1)`
  const slowed = axes.map(
    (axis, n) =>
      `velocity_${axis} + max(-3e38, sqrt(boltzmann*temperature*gained/${mass})*${names[n]} - lost*velocity_${axis})${definitions}; ${shares}`,
  )
  const noise: IntegratorStage = { kind: 'map', outputs: { velocity: slowed, ...states }, fraction: 1 }
  return {
    name: 'Langevin',
    order: 2,
    stages: [kick(1 / 2), drift(1 / 2), noise, drift(1 / 2), force, kick(1 / 2)],
    parameters,
    minimum: { temperature: 0, boltzmann: Number.MIN_VALUE, friction: Number.MIN_VALUE },
    random: { seed, draws: axes.length, inertia },
  }
}
