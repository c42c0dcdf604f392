/**
 * The parts of a law that a mesh can sum. Each component of a term is a sum of products: a function of the target, a function of the
 * source, a radial function, and perhaps one component of the displacement.
 *
 * @module
 */

import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { productOf } from '../../language/canonical.ts'
import { evaluator } from '../../language/evaluate.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, isConstant, key, splitCoefficient, symbol, symbolsOf } from '../../language/nodes.ts'
import { partsOf } from '../../language/parts.ts'
import { type Group, type SeparatedPart, separate } from '../../language/separate.ts'
import { ruleOf } from '../../problem/reductions/table.ts'
import { termOf } from '../../problem/typed-at-once.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { inComponents } from '../tolerance/derived-law.ts'
import type { Radial, SpaceDimension } from './split/shells.ts'

/** A radial function of the law. */
export interface RadialPart {
  /** In `r2` and parameters. */
  readonly e: Expr
  /** Whether it is the factor of the displacement. */
  readonly along: boolean
}

/** One product of a component: `factor * target * source * radial`, times a displacement if the radial part is along it. */
export interface Kernel {
  readonly component: number
  readonly factor: number
  readonly target: Expr
  /** The number of the source's function among the weights. */
  readonly weight: number
  /** The number of the radial function. */
  readonly radial: number
  /** The axis of the displacement; undefined for a scalar. */
  readonly axis: number | undefined
}

export interface MeshKernels {
  readonly components: number
  /** Functions of a source. */
  readonly weights: readonly Expr[]
  readonly radials: readonly RadialPart[]
  readonly list: readonly Kernel[]
  /** Of the points. */
  readonly dimension: SpaceDimension
}

/** Each weight has a grid of its own. */
const mostWeights = 8

const known = new Remembered<PairWorkload, MeshKernels>()

/** @throws TypeError with the part of the workload that a mesh cannot sum */
export const kernelsOf = (workload: PairWorkload, shape: Pick<Shape, 'dimension'>): MeshKernels =>
  known.of(workload, () => derived(workload, shape), String(shape.dimension))

function derived(workload: PairWorkload, { dimension }: Pick<Shape, 'dimension'>): MeshKernels {
  const refuse = (reason: string) => new TypeError(`"method" does not suit ${workload.law.name}: ${reason}`)
  const { law, domain } = workload
  if (!ruleOf(workload).linear) throw refuse(`a mesh computes sums, not "${workload.reduction}"; leave out the mesh`)
  const { boundary } = domain
  if (boundary.kind === 'periodic' && boundary.open && boundary.lengths.length - boundary.open.length < 2)
    throw refuse(
      `a mesh sums images along two axes or three, and the box is open along ${boundary.open.join(' and ')}; give finite lengths that leave wide gaps, or use a cutoff`,
    )
  if (domain.cutoff)
    throw refuse('a mesh sums all sources, and a cutoff leaves out far points; leave out one of the two')
  const remedy = remedyIn(domain.boundary)
  if (dimension === 1)
    throw refuse(
      `a mesh needs points in 2-D or 3-D, got 1-D; ${boundary.kind === 'open' ? 'leave out the method' : remedy}`,
    )
  if (law.tables)
    throw refuse(
      `a mesh adds up sources before they meet a target, and ${Object.keys(law.tables).join(', ')} needs both points; ${remedy}, or sum each kind of source by itself`,
    )
  return new Collected(workload, dimension, refuse, remedy).kernels
}

/** What a user does who has a law that no mesh sums. */
const remedyIn = ({ kind }: Boundary): string => (kind === 'open' ? 'use a tree or all pairs' : 'use a cutoff')

class Collected {
  readonly #weights = new Map<string, Expr>()
  readonly #radials = new Map<string, RadialPart>()
  readonly #list: Kernel[] = []
  readonly kernels: MeshKernels

  constructor(
    workload: PairWorkload,
    dimension: SpaceDimension,
    readonly refuse: (reason: string) => TypeError,
    readonly remedy: string,
  ) {
    const components = inComponents(termOf(workload, dimension), dimension)
    const parameters = Object.keys(workload.law.parameters)
    for (const [component, e] of components.entries()) this.#add(e, component, parameters)
    const [weights, radials] = [[...this.#weights.values()], [...this.#radials.values()]]
    if (weights.length > mostWeights)
      throw refuse(
        `its term needs ${weights.length} numbers of each source that can be added up, and a mesh takes at most ${mostWeights}; ${remedy}`,
      )
    // The laws of the parts are texts around those of these expressions.
    const written = [...components, ...weights, ...radials.map(({ e }) => e), ...this.#list.map(({ target }) => target)]
    if (written.some((e) => partsOf(e).definitions.length > 0))
      throw refuse(`its expressions are too long for a mesh; ${remedy}`)
    this.kernels = { components: components.length, weights, radials, list: this.#list, dimension }
  }

  #add(e: Expr, component: number, parameters: readonly string[]): void {
    const side = (wanted: 'i' | 'j') => (name: string) => parseAttribute(name)?.side === wanted
    const parts = (inner: Expr, isWeight: (name: string) => boolean, what: string) => {
      const groupOf = (name: string): Group =>
        parameters.includes(name) ? 'either' : isWeight(name) ? 'weight' : 'coefficient'
      const found = separate(inner, groupOf)
      if ('mixed' in found) throw this.refuse(`"${toText(found.mixed)}" is not a product of ${what}; ${this.remedy}`)
      return found.parts.filter(({ coefficient }: SeparatedPart) => !isConstant(coefficient, 0))
    }
    for (const source of parts(e, side('j'), 'a function of the source and a function of the rest'))
      for (const target of parts(
        source.coefficient,
        side('i'),
        'a function of the target and a function of the distance',
      ))
        for (const { weight, coefficient } of parts(
          target.coefficient,
          isAxis,
          'a radial function and a displacement',
        )) {
          const axis = this.#axisOf(weight)
          const [number, radial] = splitCoefficient(coefficient)
          const kernel = {
            component,
            factor: number * splitCoefficient(weight)[0],
            target: target.weight,
            weight: numberOf(this.#weights, key(source.weight), source.weight),
            radial: numberOf(this.#radials, `${axis === undefined} ${key(radial)}`, {
              e: radial,
              along: axis !== undefined,
            }),
            axis,
          }
          this.#list.push(kernel)
        }
  }

  /** The axis of a weight that is a number, or a number times one displacement. */
  #axisOf(weight: Expr): number | undefined {
    const [, rest] = splitCoefficient(weight)
    if (isConstant(rest, 1)) return undefined
    const axis = rest.kind === 'symbol' ? axes.indexOf(rest.name) : -1
    if (axis >= 0) return axis
    throw this.refuse(
      `its term has the factor "${toText(weight)}", and a mesh takes radial functions, alone or times one of dx, dy, dz; ${this.remedy}`,
    )
  }
}

const axes = ['dx', 'dy', 'dz']
const isAxis = (name: string): boolean => axes.includes(name)

function numberOf<T>(map: Map<string, T>, name: string, value: T): number {
  if (!map.has(name)) map.set(name, value)
  return [...map.keys()].indexOf(name)
}

/** The values of a radial function. */
export function radialOf({ e }: RadialPart, parameters: Readonly<Record<string, number>>): Radial {
  const names = [...symbolsOf(e)].filter((name) => name !== 'r2')
  const values = Float64Array.from([0, ...names.map((name) => parameters[name] as number)])
  const of = evaluator(e, ['r2', ...names])
  return (r) => {
    values[0] = r * r
    return of(values)
  }
}

/** The product of a kernel without its radial part. @param along whether it has its displacement */
export const productIn = (kernel: Kernel, { weights }: MeshKernels, along: boolean): Expr =>
  productOf([outerIn(kernel, along), weights[kernel.weight] as Expr])

/** The same without its weight. */
export const outerIn = ({ factor, target, axis }: Kernel, along: boolean): Expr =>
  productOf([constant(factor), target, ...(along && axis !== undefined ? [symbol(axes[axis] as string)] : [])])
