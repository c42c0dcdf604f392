/**
 * Tabulated functions in expressions: `u(r)`, or `u[kind_i, kind_j](r)` with a function for each pair of kinds.
 *
 * A call becomes a cubic in the distance, with numbers that loops look up: those of the step at this distance, `u.a`, and those of
 * the whole function, `u:from`, or `u::from` if it is the same for all pairs. They are constant within a step, so derivatives are
 * exact.
 *
 * @module
 */
import type { Outside } from '../ground/curves.ts'
import { stepNumber, type stepParts, wholeNumber, type wholeParts } from './lookups.ts'
import { call, constant, type Expr, product, sqrt, subtract, sum, symbol } from './nodes.ts'

/** A tabulated function as the text of a law sees it. */
export interface CurveScope {
  /** How many kinds choose a function. */
  readonly indices: 0 | 1 | 2
  readonly outside: Outside
}

/** The value of a function at the distance `r`. */
export function curveAt(name: string, indices: readonly string[], outside: Outside): Expr {
  const r = symbol('r')
  const step = (part: (typeof stepParts)[number]) => symbol(stepNumber(name, part, indices))
  const [from, to] = [symbol(wholeNumber(name, 'from', indices)), symbol(wholeNumber(name, 'to', indices))]
  const place = outside === 'edge' ? call('min', call('max', r, from), to) : r
  const t = subtract(place, step('x'))
  const cubic = sum(step('a'), product(t, sum(step('b'), product(t, sum(step('c'), product(t, step('d')))))))
  const inside = call('and', call('lessEqual', from, r), call('lessEqual', r, to))
  if (outside === 'edge') return cubic
  if (outside === 'zero') return call('select', inside, cubic, constant(0))
  // The root of a number below 0 is not a number, and the engine then says which pair it was.
  return sum(cubic, call('select', inside, constant(0), sqrt(product(subtract(r, from), subtract(to, r)))))
}

/** The number of the step at a distance, within those of the function. */
export function stepAt(r: Expr, name: string, indices: readonly string[]): Expr {
  const whole = (part: (typeof wholeParts)[number]) => symbol(wholeNumber(name, part, indices))
  const steps = product(subtract(r, whole('from')), whole('scale'))
  const step = call('floor', call('min', call('max', steps, constant(0)), whole('last')))
  return indices.length === 0 ? step : sum(whole('first'), step)
}
