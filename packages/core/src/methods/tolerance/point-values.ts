/**
 * The values of a function of a point's attributes, for all points.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { evaluator } from '../../language/evaluate.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'

/** @returns the array of the attribute itself, if the function is one @param e in attributes of one side, and parameters */
export function pointValues(
  e: Expr,
  attributes: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, number>>,
  count: number,
): FloatArray {
  const columnOf = (name: string) => attributes[parseAttribute(name)?.attribute ?? ''] as FloatArray | undefined
  const own = e.kind === 'symbol' ? columnOf(e.name) : undefined
  if (own) return own
  const names = [...symbolsOf(e)]
  const of = evaluator(e, names)
  const values = Float64Array.from(names, (name) => parameters[name] ?? 0)
  const columns = names.map(columnOf)
  const found = new Float64Array(count)
  for (let point = 0; point < count; point++) {
    for (let n = 0; n < columns.length; n++) {
      const column = columns[n]
      if (column) values[n] = column[point] as number
    }
    found[point] = of(values)
  }
  return found
}
