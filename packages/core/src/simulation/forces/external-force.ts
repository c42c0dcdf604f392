/**
 * Forces that act on each point by itself: a halo, a trap, a wall, drag, a field that changes with time. As data they resemble
 * laws of pairs: an energy with its exact derivative as the force, or a force.
 *
 * Expressions are as in maps: they read `position_x`, `velocity_x`, attributes, parameters, and `time`.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import { Known } from '../../ground/made-or-given.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { pointScope } from '../../problem/workloads/outputs.ts'
import { scopeWith } from './curve-scope.ts'
import { defineLaw, type ForceLaw, type ForceLawOptions, optionsOf } from './define-law.ts'

/** A force on each point by itself, with its parameters set. Plain frozen data, as an interaction is. */
export interface ExternalForce extends ForceLaw {
  readonly kind: 'external potential' | 'external force'
  /** The energy of a point; or its force: one expression of vectors, or one per component. */
  readonly expression: string | readonly string[]
}

/** Call it with parameter values to get an {@link ExternalForce}. */
export type ExternalLaw<Parameter extends string = string> = (
  parameters?: Readonly<Partial<Record<Parameter, number>>>,
) => ExternalForce

export type ExternalOptions<Parameter extends string = string> = ForceLawOptions<Parameter>

/** The name of the time in these expressions. */
export const time = 'time'

/**
 * A force given by the energy of a point; the force is the exact derivative.
 *
 * @param energy expression in `position_x`, `position_y`, `position_z`, attributes, `time` and parameters
 * @throws {@link ExpressionError} if the text does not parse
 * @example
 * const trap = externalPotential('mass*omega^2*(position_x^2 + position_y^2)/2', { parameters: { omega: 1 } })
 */
export function externalPotential<P extends string = never>(
  energy: string,
  options: ExternalOptions<P> = {},
): ExternalLaw<P> {
  return define('external potential', energy, options)
}

/**
 * A force given by itself, such as drag. It needs no energy.
 *
 * @param force one expression of vectors, such as `-drag*velocity`, or a list of one per component
 */
export function externalForce<P extends string = never>(
  force: string | readonly string[],
  options: ExternalOptions<P> = {},
): ExternalLaw<P> {
  return define('external force', Array.isArray(force) ? Object.freeze([...force]) : force, options)
}

const known = new Known<ExternalForce>('force', [])

function define<P extends string>(
  kind: ExternalForce['kind'],
  expression: ExternalForce['expression'],
  options: ExternalOptions<P>,
): ExternalLaw<P> {
  return defineLaw(
    { what: 'an external force', own: time, known, kinds: 'kinds' },
    { kind, expression },
    options,
    (names, functions) => {
      const texts = typeof expression === 'string' ? [expression] : expression
      if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string'))
        throw unexpected(kind, 'an expression, or a list of one per component', expression)
      for (const text of texts) parseFinite(text, scopeWith(functions, pointScope(names)))
    },
  )
}

/** Whether data describes an external force. */
export const isExternal = (given: unknown): given is ExternalForce =>
  typeof given === 'object' && given !== null && /^external /.test(String((given as Partial<ExternalForce>).kind))

/** The same force, checked, if it comes from data. @throws TypeError, RangeError, {@link ExpressionError} */
export function externalForceOf(force: ExternalForce): ExternalForce {
  return known.of(force, (given) => {
    const { kind, expression } = given
    if (kind !== 'external potential' && kind !== 'external force')
      throw unexpected('force.kind', '"external potential" or "external force"', kind)
    return define(kind, expression, optionsOf(given, 'force'))()
  })
}
