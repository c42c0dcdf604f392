/**
 * Forces that act on each point by itself: a halo, a trap, a wall, drag, a field that changes with time. As data they resemble
 * laws of pairs: an energy, whose force is the exact derivative, or a force.
 *
 * Expressions are those of maps: `position_x`, `velocity_x`, attributes, parameters, and `time`.
 *
 * @module
 */
import { describe, finite, hasNames, onlyNamed } from '../../checks.ts'
import { differentiate } from '../../expression/differentiate.ts'
import { parseFinite } from '../../expression/finite-constants.ts'
import { constant, type Expr, negate, symbolsOf } from '../../expression/nodes.ts'
import { simplify, substitute } from '../../expression/simplify.ts'
import { axesOf, setNames } from '../../interactions/interaction.ts'
import { Known } from '../../known.ts'
import { nameOf, numbersByName, record } from '../../names.ts'
import { mapComponents } from '../../workloads/bodies/element-body.ts'
import { pointScope } from '../../workloads/outputs.ts'
import { map } from '../../workloads/particle.ts'
import type { Shape } from '../../workloads/workload.ts'

/** A force on each point by itself, with its parameters set. Plain frozen data, as an interaction is. */
export interface ExternalForce {
  readonly name: string
  readonly kind: 'external potential' | 'external force'
  /** The energy of a point; or its force: one expression of vectors, or one per component. */
  readonly expression: string | readonly string[]
  readonly parameters: Readonly<Record<string, number>>
  /** The attribute that turns force into acceleration. Without it, that of the other forces. */
  readonly inertia?: string
}

/** Call it with parameter values to get an {@link ExternalForce}. */
export type ExternalLaw<Parameter extends string = string> = (
  parameters?: Readonly<Partial<Record<Parameter, number>>>,
) => ExternalForce

export interface ExternalOptions<Parameter extends string = string> {
  /** The name in errors; by default the expression. */
  readonly name?: string
  /** The parameters and their default values. */
  readonly parameters?: Readonly<Record<Parameter, number>>
  /** The attribute that divides the force, such as `mass`. Without it, that of the other forces. */
  readonly inertia?: string
}

/** The name of the time in these expressions. */
const time = 'time'

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
  const { parameters: defaults = {}, inertia } = onlyNamed(options, 'option of an external force', [
    ...['name', 'parameters', 'inertia'],
  ])
  numbersByName(defaults, ['pi', time])
  if (inertia !== undefined) nameOf(inertia, 'inertia', setNames)
  const names = Object.keys(defaults)
  const texts = typeof expression === 'string' ? [expression] : expression
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string'))
    throw new TypeError(`"${kind}" expected an expression, or a list of one per component, got ${describe(expression)}`)
  for (const text of texts) parseFinite(text, pointScope(names))
  const { name = texts.join(', ') } = options
  if (typeof name !== 'string' || name === '') throw new TypeError(`"name" expected text, got ${describe(name)}`)
  return (values) => {
    const given = record<unknown>(Object.entries(onlyNamed(values ?? {}, `parameter of ${name}`, names)))
    const all = { ...defaults, ...given } as Record<string, unknown>
    const parameters = names.map((parameter) => [parameter, finite(all[parameter], parameter)] as const)
    return known.made(
      Object.freeze({
        ...{ name, kind, expression },
        parameters: Object.freeze(Object.fromEntries(parameters)),
        ...(inertia !== undefined && { inertia }),
      }),
    )
  }
}

/** Whether data describes an external force. */
export const isExternal = (given: unknown): given is ExternalForce =>
  typeof given === 'object' && given !== null && /^external /.test(String((given as Partial<ExternalForce>).kind))

/** The same force, checked, if it comes from data. @throws TypeError, RangeError, {@link ExpressionError} */
export function externalForceOf(force: ExternalForce): ExternalForce {
  return known.of(force, ({ name, kind, expression, parameters, inertia }) => {
    if (kind !== 'external potential' && kind !== 'external force')
      throw new TypeError(`"force.kind" expected "external potential" or "external force", got ${describe(kind)}`)
    if (!hasNames(parameters)) throw new TypeError(`"force.parameters" expected an object, got ${describe(parameters)}`)
    return define(kind, expression, { name, parameters, ...(inertia !== undefined && { inertia }) })()
  })
}

/** The force on a point, one expression per component, in attributes, `position_x` and so on, and `time`. */
export function componentsOfForce(force: ExternalForce, shape: Pick<Shape, 'dimension' | 'vectors'>): readonly Expr[] {
  const { kind, expression, name } = force
  if (kind === 'external potential') {
    const energy = energyOfPoint(force)
    return axesOf(shape.dimension).map((axis) => simplify(negate(differentiate(energy, `position_${axis}`))))
  }
  const components = mapComponents(map({ force: expression }, force.parameters), shape).get('force') ?? []
  if (components.length !== shape.dimension)
    throw new TypeError(
      `"${name}" expected a force of ${shape.dimension} components, as points are in ${shape.dimension}-D, got ${components.length}; write an expression of vectors, such as -velocity, or a list`,
    )
  return components.map((e) => withValues(e, force))
}

/** The energy of a point. */
export function energyOfPoint(force: ExternalForce): Expr {
  const text = force.expression as string
  const energy = simplify(parseFinite(text, pointScope(Object.keys(force.parameters))))
  const vector = ['position', 'velocity'].find((name) => symbolsOf(energy).has(name))
  if (vector !== undefined)
    throw new TypeError(
      `"${force.name}" expected an energy, one number per point, got an expression of the vector "${vector}"; write ${vector}_x`,
    )
  return withValues(energy, force)
}

/** The expression with the time given by another one. */
export const atTime = (e: Expr, moment: Expr): Expr => substitute(e, { [time]: moment })

export const readsTime = (force: ExternalForce): boolean =>
  [force.expression].flat().some((text) => symbolsOf(parseFinite(text, pointScope([]))).has(time))

/** Parameters become numbers: a simulation never changes them. */
function withValues(e: Expr, { parameters }: ExternalForce): Expr {
  return substitute(e, Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, constant(value)])))
}
