/**
 * External forces as a simulation evaluates them: the force and the energy of a point as expressions of its attributes, the time, and
 * parameters as `ForceValues` says.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { differentiate } from '../../language/differentiate.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, negate, symbolsOf } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import { pointScope } from '../../problem/workloads/outputs.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import { type Looked, scopeWith } from './curve-scope.ts'
import { type ExternalForce, time } from './external-force.ts'

/** The expressions that replace parameters in expressions that read them by their names. */
export type ForceValues = (...read: readonly Expr[]) => Readonly<Record<string, Expr>>

/** Numbers. */
const numbersIn =
  ({ parameters }: ExternalForce): ForceValues =>
  () =>
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, constant(value)]))

/** The force on a point, one expression per component, in attributes, `position_x` and so on, and `time`. */
export function componentsOfForce(
  force: ExternalForce,
  shape: Pick<Shape, 'dimension' | 'vectors'>,
  values: ForceValues = numbersIn(force),
): readonly Expr[] {
  const { kind, expression, name } = force
  if (kind === 'external potential') {
    const energy = energyOfPoint(force, values)
    return axesOf(shape.dimension).map((axis) => simplify(negate(differentiate(energy, `position_${axis}`))))
  }
  const components = mapComponents(map({ force: expression }, force.parameters), shape).get('force') ?? []
  if (components.length !== shape.dimension)
    throw new TypeError(
      `"${name}" expected a force of ${shape.dimension} components, as points are in ${shape.dimension}-D, got ${components.length}; write an expression of vectors, such as -velocity, or a list`,
    )
  const given = values(...components)
  return components.map((e) => substitute(e, given))
}

/** The energy of a point. */
export function energyOfPoint(force: ExternalForce, values: ForceValues = numbersIn(force)): Expr {
  const text = force.expression as string
  const energy = simplify(parseFinite(text, pointScope(Object.keys(force.parameters))))
  const vector = ['position', 'velocity'].find((name) => symbolsOf(energy).has(name))
  if (vector !== undefined)
    throw new TypeError(
      `"${force.name}" expected an energy, one number per point, got an expression of the vector "${vector}"; write ${vector}_x`,
    )
  return substitute(energy, values(energy))
}

/** The energy of a point with the names of parameters in it. */
export const energyByName = (force: ExternalForce): Expr => energyOfPoint(force, () => ({}))

export const readsTime = (force: ExternalForce): boolean =>
  [force.expression].flat().some((text) => symbolsOf(parseFinite(text, pointScope([]))).has(time))

/** A force without functions, which reads the numbers of steps in place of their calls. @param first the place of its first call */
export function withoutCalls(
  force: ExternalForce,
  first: number,
): { readonly force: ExternalForce; readonly calls: readonly Looked[] } {
  const { functions, expression, ...rest } = force
  if (!functions) return { force, calls: [] }
  const calls: Looked[] = []
  const arrayOf = (place: number) => `simulationCurve${first + place}`
  const scope = scopeWith(functions, pointScope(Object.keys(force.parameters)), calls, arrayOf)
  const written = (text: string) => toText(parseFinite(text, scope))
  const plain = typeof expression === 'string' ? written(expression) : expression.map(written)
  return { force: { ...rest, expression: plain }, calls }
}
