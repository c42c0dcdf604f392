/**
 * Tabulated functions in the text of forces on points and of links: their calls, and the arrays with the numbers of each. `curve-calls.ts` has the maps
 * that find these numbers.
 *
 * @module
 */
import { type Curves, checkedFunctions, type Functions } from '../../ground/curves.ts'
import { record } from '../../ground/names.ts'
import {
  type CurveCall,
  type CurveNumbers,
  type CurveScope,
  curveAt,
  isWhole,
  type WholePart,
} from '../../language/curves.ts'
import { constant, type Expr, key, symbol } from '../../language/nodes.ts'
import type { Scope } from '../../language/syntax/scope.ts'
import { scopeOf } from '../../problem/workloads/tables/function-scope.ts'
import { curveLists } from '../../problem/workloads/tables/function-tables.ts'

/** A call, and the arrays with its numbers: `simulationCurve0x` and so on. */
export interface Looked {
  readonly array: string
  /** The name of the function. */
  readonly name: string
  readonly curves: Curves
  readonly argument: Expr
  /** The attribute that chooses the function, if there is one for each kind. */
  readonly kind?: string
  /** The numbers of the whole function, if they are known before. */
  readonly whole?: (part: WholePart) => Expr
}

/** A call, and its argument in numbers that are known. */
export interface KnownCall {
  readonly looked: Looked
  readonly argument: Expr
}

/** The scope of text with functions. @param calls gets each call of the text once @param arrayOf the names of its arrays by its place */
export function scopeWith(
  functions: Functions | undefined,
  scope: Scope,
  calls: Looked[] = [],
  arrayOf: (place: number) => string = (place) => `simulationCurve${place}`,
): Scope {
  if (!functions) return scope
  const scopes = Object.entries(functions).map(([name, curves]): [string, CurveScope] => [name, scopeOf(curves)])
  const curve = ({ name, indices: [kind], argument, outside }: CurveCall): Expr => {
    const curves = functions[name] as Curves
    const same = (one: Looked) => one.curves === curves && one.kind === kind && key(one.argument) === key(argument)
    const whole = (part: WholePart) => constant(curveLists(curves).whole[part][0] as number)
    const array = arrayOf(calls.length)
    const found = calls.find(same) ?? { array, name, curves, argument, ...(kind === undefined ? { whole } : { kind }) }
    if (!calls.includes(found)) calls.push(found)
    return curveAt(argument, numbersOf(found), outside)
  }
  return { ...scope, functions: record(scopes), curve }
}

/** The functions of expressions of one point, or of one angle. @throws TypeError, RangeError */
export function functionsOfOne(given: unknown, kinds: 'kinds' | 'no kinds'): Functions {
  const functions = checkedFunctions(given, Number.NEGATIVE_INFINITY)
  for (const [name, curves] of Object.entries(functions)) {
    const { indices } = scopeOf(curves)
    if (indices > (kinds === 'kinds' ? 1 : 0))
      throw new TypeError(
        `"functions.${name}" expected ${kinds === 'kinds' ? 'a function, or one for each kind of a point' : 'one function, because an angle has no kind'}, got ${indices === 2 ? 'a row of functions' : 'a function'} for each kind`,
      )
  }
  return functions
}

/** The numbers of a call in expressions: attributes, unless they are known. */
export const numbersOf =
  ({ array, whole }: Looked): CurveNumbers =>
  (part) =>
    whole && isWhole(part) ? whole(part) : symbol(`${array}${part}`)
