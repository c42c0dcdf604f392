/**
 * Forces that read velocities. Some of them turn velocities, as a magnetic field and a rotating frame do.
 *
 * The derivatives of a force by velocities are a matrix. If the matrix is symmetric, as for drag, velocities decay or grow as the
 * force says. An antisymmetric part turns them.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { evaluate } from '../../language/evaluate.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { attributesIn } from '../../language/lookups.ts'
import { type Expr, key, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { termOf } from '../../problem/workloads/quantity.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'
import { type PointArrays, vectorsOf } from '../arrays.ts'
import { atTime, atZero } from './at-time.ts'
import { readsVelocities } from './components.ts'
import { componentsOfForce } from './external-expressions.ts'
import type { ForceParts } from './force.ts'

/** A force that reads velocities, by components, with its names for the velocity components of a point. */
export interface VelocityForce {
  readonly name: string
  readonly components: readonly Expr[]
  readonly parameters: Readonly<Record<string, number>>
  /** Whether it is a force on each point by itself. */
  readonly external: boolean
  /** `velocity_x`, or with `_i` or `_j`. */
  readonly velocities: readonly ((axis: string) => string)[]
}

/** The forces that read velocities. */
export function velocityForces(parts: ForceParts, arrays: PointArrays, dimension: Dimension): readonly VelocityForce[] {
  const vectors = vectorsOf(arrays)
  const external = parts.external.map((force): VelocityForce => {
    const components = componentsOfForce(force, { dimension, vectors }).map((e) => atTime(e, atZero))
    return {
      ...{ name: force.name, components, parameters: {}, external: true },
      velocities: [(axis) => `velocity_${axis}`],
    }
  })
  const reading = external.filter(({ components }) =>
    axesOf(dimension).some((axis) => symbolsOf(...components).has(`velocity_${axis}`)),
  )
  const pairs = [...parts.pairs, ...parts.bonds].flatMap(({ workload }) =>
    readsVelocities(workload, arrays, dimension) ? [ofPairs(workload, dimension)] : [],
  )
  return [...pairs, ...reading]
}

function ofPairs(workload: PairWorkload, dimension: Dimension): VelocityForce {
  const { name, parameters } = workload.law
  const term = termOf(workload, dimension)
  const folded =
    term.form === 'components'
      ? term.components
      : axesOf(dimension).map((axis) => productOf([term.coefficient, symbol(`d${axis}`)]))
  const components = folded.map((e) => foldsWrittenOut(e, workload.law, dimension))
  const velocities = ['i', 'j'].map((side) => (axis: string) => `velocity_${axis}_${side}`)
  return { name, components, parameters, velocities, external: false }
}

/** The expression with the sums over components of velocities as sums of numbers, by which it has derivatives. */
function foldsWrittenOut(e: Expr, { vectors = {} }: Interaction, dimension: Dimension): Expr {
  const folds = [...symbolsOf(e)].filter((name) => attributesIn(name).some(({ attribute }) => attribute === 'velocity'))
  const written = folds.flatMap((name) => {
    const body = foldBody(name)
    const component = (axis: string): Readonly<Record<string, Expr>> =>
      Object.fromEntries([
        ...attributesIn(name).map(({ attribute, side }) => [
          `${attribute}_${side}`,
          symbol(`${attribute}_${axis}_${side}`),
        ]),
        ...Object.keys(vectors).map((parameter) => [parameter, symbol(`${parameter}_${axis}`)]),
      ])
    return body ? [[name, sumOf(axesOf(dimension).map((axis) => substitute(body, component(axis))))] as const] : []
  })
  return substitute(e, Object.fromEntries(written))
}

/** How many sets of values are tried. */
const samples = 24

/** Whether the derivatives by the velocity of some point have an antisymmetric part. */
export function turnsVelocities({ components, parameters, velocities }: VelocityForce): boolean {
  const axes = axesOf(components.length)
  return velocities.some((nameOf) =>
    axes.some((one, a) =>
      axes.slice(0, a).some((other, b) => {
        const [first, second] = [
          differentiate(components[a] as Expr, nameOf(other)),
          differentiate(components[b] as Expr, nameOf(one)),
        ]
        return key(first) !== key(second) && differ(first, second, parameters)
      }),
    ),
  )
}

/** Whether two expressions differ for some values, or are 0 for all. */
export function differ(a: Expr, b: Expr, parameters: Readonly<Record<string, number>> = {}): boolean {
  const names = [...symbolsOf(a, b)]
  let compared = false
  for (let n = 0; n < samples; n++) {
    const values: Record<string, number> = {}
    for (const [k, name] of names.entries()) values[name] = sample(n, k, /^(position|velocity|d[xyz])/.test(name))
    const [dx = 0, dy = 0, dz = 0] = ['dx', 'dy', 'dz'].map((name) => values[name])
    Object.assign(values, { r2: dx ** 2 + dy ** 2 + dz ** 2 || 1, ...parameters })
    const [x, y] = [evaluate(a, values), evaluate(b, values)]
    const size = Math.abs(x) + Math.abs(y)
    if (!Number.isFinite(size) || size === 0) continue
    if (Math.abs(x - y) > 1e-9 * size) return true
    compared = true
  }
  return !compared
}

/** Numbers of several orders of magnitude, the same at each call. */
function sample(n: number, k: number, signed: boolean): number {
  const share = ((n + 1) * 0.6180339887 + (k + 1) * 0.7548776662) % 1
  const size = 10 ** (4 * ((share * 7.31) % 1) - 2)
  return signed && share < 0.5 ? -size : size
}
