/**
 * Time steps that follow the motion: the rule as a user gives it, and as plain data.
 *
 * @module
 */

import { axesOf } from '../ground/axes.ts'
import { hasNames, onlyNamed, positive, unexpected } from '../ground/checks.ts'
import { map } from '../problem/workloads/particle.ts'
import type { Dimension, MapWorkload } from '../problem/workloads/workload.ts'

/** The limits of a step. Within them, the point that allows the shortest step decides for all. */
interface StepLimits {
  /** The shortest step that is taken, > 0. */
  readonly shortest: number
  /** The longest one. */
  readonly longest: number
}

/** A rule of one's own. */
export interface StepRule extends StepLimits {
  /**
   * How long a step may be for a point: an expression of `position_x`, `velocity_x`, `acceleration_x` and so on, attributes and
   * parameters. A point does not count if the result is not a number.
   */
  readonly step: string
  readonly parameters?: Readonly<Record<string, number>>
}

/** The usual rule: `sqrt(2*accuracy*length/|acceleration|)`. */
export interface StepAccuracy extends StepLimits {
  /** 0.025 by default. The error is proportional to `accuracy^(order/2)`, with the order of the integrator. */
  readonly accuracy?: number
  /** The distance that changes forces notably, such as the softening. */
  readonly length: number
}

/**
 * Steps that are as long as the state at their start allows.
 *
 * @source V. Springel, Mon. Not. R. Astron. Soc. 364 (2005) 1105: the usual rule, with the softening as its length
 */
export type AdaptiveStep = StepRule | StepAccuracy

/** The rule in the form of a snapshot. */
export type AdaptiveRule = Required<StepRule>

export const isAdaptive = (dt: unknown): dt is AdaptiveStep => hasNames(dt)

/** The map that evaluates a rule for each point. Its output is `limit`. */
export const limitMap = ({ step, parameters }: AdaptiveRule): MapWorkload<'limit'> => map({ limit: step }, parameters)

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function adaptiveRule(given: AdaptiveStep, dimension: Dimension): AdaptiveRule {
  const own = 'step' in given
  const known = ['shortest', 'longest', ...(own ? ['step', 'parameters'] : ['accuracy', 'length'])]
  const options = onlyNamed(given, 'part of dt', known)
  const shortest = positive(options.shortest, 'dt.shortest')
  const longest = positive(options.longest, 'dt.longest')
  if (longest < shortest)
    throw new RangeError(`"dt.longest" expected a number >= "dt.shortest", which is ${shortest}, got ${longest}`)
  if ('step' in options) {
    const { step, parameters = {} } = options
    if (typeof step !== 'string') throw unexpected('dt.step', 'one expression', step)
    limitMap({ step, parameters, shortest, longest })
    return { step, parameters: { ...parameters }, shortest, longest }
  }
  const parameters = {
    accuracy: positive(options.accuracy ?? 0.025, 'dt.accuracy'),
    length: positive(options.length, 'dt.length'),
    longest,
  }
  const squares = axesOf(dimension).map((axis) => `acceleration_${axis}^2`)
  // A point without acceleration allows the longest step.
  const step = `sqrt(allowed/max(sqrt(${squares.join(' + ')}), allowed/longest^2)); allowed = 2*accuracy*length`
  return { step, parameters, shortest, longest }
}
