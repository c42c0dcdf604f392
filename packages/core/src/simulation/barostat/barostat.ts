/**
 * A barostat as a user gives it, and its form in a snapshot.
 *
 * @module
 */
import { finite, onlyNamed, positive, unexpected, whole } from '../../ground/checks.ts'
import { symbolsOf } from '../../language/nodes.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { AdaptiveStep } from '../adaptive-step.ts'
import { componentsOfForce } from '../forces/external-expressions.ts'
import type { ForceParts } from '../forces/force.ts'
import { boxOfParts } from '../forces/system-box.ts'
import type { Integrator } from '../integrators.ts'
import { contentOf } from '../reading/thermodynamics.ts'

/** Keeps a pressure: the box and the places of points in it grow and shrink, with noise, so that volumes have the distribution of that pressure. */
export interface BarostatOptions {
  /** The pressure to keep, in the unit of energy by that of volume. */
  readonly pressure: number
  /** About how long it takes the volume to follow, in the unit of time. Means do not depend on it. */
  readonly time: number
  /** About the share of the volume that it loses by a unit of pressure. Only its ratio to `time` counts. */
  readonly compressibility: number
  /** The box changes after each multiple of so many steps; 10 by default. */
  readonly every?: number
  /** A whole number >= 0 for the noise of the volume. */
  readonly seed: number
}

/** A barostat as a snapshot has it. */
export type Barostat = Required<BarostatOptions>

/** The simulation that a barostat belongs to. */
interface Kept {
  readonly dimension: Dimension
  readonly parts: ForceParts
  readonly integrator: Integrator
  readonly dt: number | AdaptiveStep
  readonly vectors: readonly string[]
}

/** Checks a barostat against a simulation. @throws TypeError, RangeError */
export function checkedBarostat(given: unknown, simulation: Kept): Barostat {
  if (typeof given !== 'object' || given === null)
    throw unexpected('barostat', '{ pressure, time, compressibility, seed }', given)
  const known = ['pressure', 'time', 'compressibility', 'every', 'seed']
  const options = onlyNamed(given as BarostatOptions, 'option of barostat', known)
  requireSuited(simulation)
  return {
    pressure: finite(options.pressure, 'barostat.pressure'),
    time: positive(options.time, 'barostat.time'),
    compressibility: positive(options.compressibility, 'barostat.compressibility'),
    every: whole(options.every ?? 10, 'barostat.every', 1),
    seed: whole(options.seed, 'barostat.seed', 0),
  }
}

function requireSuited({ parts, integrator, dt, ...space }: Kept): void {
  const box = boxOfParts(parts)
  if (!box)
    throw new TypeError('"barostat" expected forces in a periodic box, got none; give them boundary: periodic([...])')
  if (contentOf(box) === Number.POSITIVE_INFINITY)
    throw new TypeError('"barostat" expected a box that repeats along all axes, got one with an open axis')
  if (integrator.parameters?.temperature === undefined)
    throw new TypeError(
      `"barostat" expected a thermostat beside it, such as langevin(), which gives the temperature, but the integrator is ${integrator.name || 'another'}`,
    )
  if (typeof dt !== 'number') throw new TypeError('"barostat" expected steps of one length, got a rule for dt')
  const placed = parts.external.find((force) =>
    [...symbolsOf(...componentsOfForce(force, space))].some((name) => name.startsWith('position_')),
  )
  if (placed)
    throw new TypeError(
      `"barostat" expected forces between points, got ${placed.name}, which depends on places in the box`,
    )
}
