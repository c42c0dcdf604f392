/**
 * Time steps that follow the motion: the rule as a user gives it, and as plain data.
 *
 * @module
 */

import { axesOf } from '../ground/axes.ts'
import { hasNames, onlyNamed, positive, unexpected } from '../ground/checks.ts'
import { pairTerm } from '../problem/interactions/define.ts'
import { open } from '../problem/workloads/define-domain.ts'
import { type Boundary, halfOf, isTilted } from '../problem/workloads/domain.ts'
import { reduce } from '../problem/workloads/pair.ts'
import { map } from '../problem/workloads/particle.ts'
import type { Dimension, MapWorkload, PairWorkload } from '../problem/workloads/workload.ts'

/** The limits of a step. Within them, the point or pair that allows the shortest step decides for all. */
interface StepLimits {
  /** The shortest step that is taken, > 0. */
  readonly shortest: number
  /** The longest one. */
  readonly longest: number
  /**
   * How long a step may be for a pair of points, so that encounters are resolved: an expression of `r`, attributes, velocities
   * and parameters, such as `0.03*sqrt(r^3/(mass_i + mass_j))`. A pair does not count if the result is not a number.
   */
  readonly pairs?: string
  /** The numbers that `step` and `pairs` read by name. */
  readonly parameters?: Readonly<Record<string, number>>
}

/** A rule of one's own. */
export interface StepRule extends StepLimits {
  /**
   * How long a step may be for a point: an expression of `position_x`, `velocity_x`, `acceleration_x` and so on, attributes and
   * parameters. A point does not count if the result is not a number.
   */
  readonly step: string
}

/** A rule for pairs alone. */
export interface PairStepRule extends StepLimits {
  readonly pairs: string
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
export type AdaptiveStep = StepRule | StepAccuracy | PairStepRule

/** The rule in the form of a snapshot. */
export type AdaptiveRule = Required<Omit<StepRule, 'pairs'>> & Pick<StepRule, 'pairs'>

export const isAdaptive = (dt: unknown): dt is AdaptiveStep => hasNames(dt)

/** The map that evaluates a rule for each point. Its output is `limit`. */
export const limitMap = ({ step, parameters }: AdaptiveRule): MapWorkload<'limit'> => map({ limit: step }, parameters)

/** The shortest step that a pair of each point allows; undefined without a rule for pairs. @param boundary of the forces */
export function pairLimits(
  { pairs, parameters }: AdaptiveRule,
  boundary: Boundary = open(),
): PairWorkload<'value'> | undefined {
  if (pairs === undefined) return undefined
  const term = pairTerm(pairs, { name: 'the step that a pair allows', parameters })
  // In a triclinic box, farther images compete.
  return reduce('min', term(), { boundary, ...(isTilted(boundary) && { cutoff: halfOf(boundary) }) })
}

/** Checks everything that needs no points. @throws TypeError, RangeError, {@link ExpressionError} */
export function adaptiveRule(given: AdaptiveStep, dimension: Dimension): AdaptiveRule {
  const own = 'step' in given
  const alone = !own && 'pairs' in given && !('accuracy' in given || 'length' in given)
  const ofPoints = own ? ['step'] : alone ? [] : ['accuracy', 'length']
  const known = ['shortest', 'longest', ...ofPoints, 'pairs', 'parameters']
  const options = onlyNamed(given, 'part of dt', known)
  const shortest = positive(options.shortest, 'dt.shortest')
  const longest = positive(options.longest, 'dt.longest')
  if (longest < shortest)
    throw new RangeError(`"dt.longest" expected a number >= "dt.shortest", which is ${shortest}, got ${longest}`)
  const { pairs, parameters: named = {} } = options
  if ((alone || pairs !== undefined) && typeof pairs !== 'string')
    throw unexpected('dt.pairs', 'one expression of a pair', pairs)
  const rest = { shortest, longest, ...(pairs !== undefined && { pairs }) }
  const ruleOf = (step: string, parameters: Readonly<Record<string, number>>): AdaptiveRule => {
    const rule = { ...rest, step, parameters: { ...parameters } }
    limitMap(rule)
    pairLimits(rule)
    return rule
  }
  if (alone) return ruleOf(`${longest}`, named)
  if ('step' in options) {
    const { step } = options
    if (typeof step !== 'string') throw unexpected('dt.step', 'one expression', step)
    return ruleOf(step, named)
  }
  const { accuracy = 0.025, length } = options as StepAccuracy
  const parameters = {
    ...named,
    accuracy: positive(accuracy, 'dt.accuracy'),
    length: positive(length, 'dt.length'),
    longest,
  }
  const squares = axesOf(dimension).map((axis) => `acceleration_${axis}^2`)
  // A point without acceleration allows the longest step.
  const step = `sqrt(allowed/max(sqrt(${squares.join(' + ')}), allowed/longest^2)); allowed = 2*accuracy*length`
  return ruleOf(step, parameters)
}
