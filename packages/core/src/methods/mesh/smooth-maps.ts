/**
 * The maps around the grid of a mesh, on a device whose sequences take grids: one gives the numbers that points add to the grid, and one
 * adds the fields to the sum over near pairs.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import { symbol } from '../../language/nodes.ts'
import { map } from '../../problem/typed-at-once.ts'
import type { MapWorkload } from '../../problem/workloads/workload.ts'
import type { SmoothParts } from './smooth-parts.ts'

/** The results are `weight0`, `weight1` and so on. */
export const weightsMap = ({ weights }: Pick<SmoothParts, 'weights'>): MapWorkload =>
  map(Object.fromEntries(weights.map((e, n) => [weightName(n), toText(e)])))

export const weightName = (n: number): string => `weight${n}`

/**
 * The result is `sum`. A term of a point with itself has its weight from the array: the square of a large mass may exceed float32.
 *
 * @param given arrays with one number for each component, and the array of each weight and field
 * @param components 1 for a scalar, otherwise the dimension
 */
export function sumMap(
  parts: SmoothParts,
  given: Readonly<Record<'arrays' | 'weights' | 'fields', readonly string[]>>,
  components: number,
): MapWorkload {
  const shares = [
    ...parts.fields.map(({ component, of }, n) => ({
      component,
      of: productOf([of, symbol(given.fields[n] as string)]),
    })),
    ...parts.itself.map(({ component, of, weight }) => ({
      component,
      of: productOf([of, symbol(given.weights[weight] as string)]),
    })),
  ]
  const total = axesOf(parts.sum.dimension)
    .slice(0, components)
    .map((axis, component) => {
      const arrays = given.arrays.map((name) => symbol(components === 1 ? name : `${name}_${axis}`))
      const own = shares.filter((share) => share.component === component)
      return toText(sumOf([...arrays, ...own.map(({ of }) => of)]))
    })
  return map({ sum: components === 1 ? (total[0] as string) : total })
}
