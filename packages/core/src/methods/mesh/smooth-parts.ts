/**
 * The smooth part of a sum over one set of points, for the stages of a device: functions of a point to spread, the grid, and functions of
 * a point to multiply its fields with.
 *
 * @module
 */
import type { GridSum } from '../../contract/backend.ts'
import { parseAttribute } from '../../ground/names.ts'
import { productOf } from '../../language/canonical.ts'
import { constant, type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import type { Kernel, MeshKernels } from './kernels.ts'
import type { MeshPlan } from './mesh-plan.ts'

/** A function of a point that adds to a component of its sum. */
interface Share {
  readonly component: number
  readonly of: Expr
}

/** The term of a point with itself: a function of the point times one of its weights. */
interface OwnShare extends Share {
  readonly weight: number
}

/** Expressions read attributes by their names, and have numbers in place of parameters. */
export interface SmoothParts {
  readonly sum: GridSum
  readonly weights: readonly Expr[]
  /** The factor of each field. */
  readonly fields: readonly Share[]
  /** The terms of each point with itself, which a grid adds and a sum must not have. */
  readonly itself: readonly OwnShare[]
  /** The law that takes excluded pairs out, with its numbers; absent if no pair is excluded. */
  readonly takenOut?: { readonly workload: PairWorkload; readonly numbers: Readonly<Record<string, number>> }
}

/** @param skipsSelf whether a point is no source of its own */
export function smoothParts(
  { grid, splits }: MeshPlan,
  { list, weights }: MeshKernels,
  parameters: Readonly<Record<string, number>>,
  skipsSelf: boolean,
): SmoothParts {
  const ofPoint = (e: Expr): Expr => {
    const known = [...symbolsOf(e)].map((name) => {
      const { attribute } = parseAttribute(name) ?? {}
      return [name, attribute === undefined ? constant(parameters[name] as number) : symbol(attribute)] as const
    })
    return substitute(e, Object.fromEntries(known))
  }
  const own = weights.map(ofPoint)
  const withItself = ({ component, factor, target, weight, radial }: Kernel): OwnShare => {
    const number = constant(-factor * (splits[radial]?.smooth(0) as number))
    return { component, weight, of: productOf([number, ofPoint(target)]) }
  }
  return {
    sum: grid.sum,
    weights: own,
    fields: grid.fields.map(({ component, kernels: [first] }) => {
      return { component, of: ofPoint((list[first as number] as Kernel).target) }
    }),
    // Vectors vanish where a point meets itself.
    itself: skipsSelf ? list.filter(({ axis }) => axis === undefined).map(withItself) : [],
  }
}
