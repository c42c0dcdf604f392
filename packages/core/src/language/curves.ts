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
import { stepNumber, type stepParts, wholeNumber, wholeParts } from './lookups.ts'
import { call, constant, type Expr, product, sqrt, subtract, sum, symbol } from './nodes.ts'

/** A tabulated function as the text of a law sees it. */
export interface CurveScope {
  /** How many kinds choose a function. */
  readonly indices: 0 | 1 | 2
  readonly outside: Outside
}

/** The numbers of a step and of a whole function, as expressions. */
export type WholePart = (typeof wholeParts)[number]
type PartName = (typeof stepParts)[number] | WholePart
export type CurveNumbers = (part: PartName) => Expr

/** A call of a function in an expression. */
export interface CurveCall {
  readonly name: string
  readonly indices: readonly string[]
  readonly argument: Expr
  readonly outside: Outside
}

/** The value of a function of the distance `r`, in numbers that a loop over pairs looks up. */
export const curveOfDistance = ({ name, indices, argument, outside }: CurveCall): Expr =>
  curveAt(argument, lookedUp(name, indices), outside)

export const isWhole = (part: PartName): part is WholePart => wholeParts.some((one) => one === part)

const lookedUp =
  (name: string, indices: readonly string[]): CurveNumbers =>
  (part) =>
    symbol(isWhole(part) ? wholeNumber(name, part, indices) : stepNumber(name, part, indices))

/** The value of a function at `x`, in the numbers of the step there. */
export function curveAt(x: Expr, number: CurveNumbers, outside: Outside): Expr {
  const [from, to] = [number('from'), number('to')]
  const place = outside === 'edge' ? call('min', call('max', x, from), to) : x
  const t = subtract(place, number('x'))
  // A force, which is the more frequent, then multiplies by no constants.
  const [c, d] = [product(constant(1 / 2), number('c')), product(constant(1 / 3), number('d'))]
  const cubic = sum(number('a'), product(t, sum(number('b'), product(t, sum(c, product(t, d))))))
  if (outside === 'edge') return cubic
  // An argument that is not a number is not beyond the ends, so that the value is not a number, too.
  if (outside === 'zero')
    return call('select', call('or', call('less', x, from), call('less', to, x)), constant(0), cubic)
  const inside = call('and', call('lessEqual', from, x), call('lessEqual', x, to))
  // The root of a number below 0 is not a number, also in derivatives, and the engine then says which pair it was. No compiler may know its
  // sign, as some take it that no number is NaN. So if the ends are constants it reads the step, which begins at most at `to`.
  const negative = from.kind === 'constant' ? subtract(number('x'), sum(to, subtract(to, from))) : subtract(from, to)
  return product(cubic, call('select', inside, constant(1), sqrt(negative)))
}

/** The number of the step at the distance `r`, within those of the function. */
export const stepAt = (r: Expr, name: string, indices: readonly string[]): Expr => {
  const number = lookedUp(name, indices)
  const step = stepIn(r, number)
  return indices.length === 0 ? step : sum(number('first'), step)
}

/** The number of the step at `x` among those of its function. */
export const stepIn = (x: Expr, number: CurveNumbers): Expr =>
  call(
    'floor',
    call('min', call('max', product(subtract(x, number('from')), number('scale')), constant(0)), number('last')),
  )
