/**
 * Calls of tabulated functions in expressions of points and of links. A map cannot look a step up, so stages before it do: one finds the
 * number of the step, and another brings the numbers of this step. The expression then reads these as attributes.
 *
 * This file has the calls and their maps. `force-stages.ts` puts the maps in order, and `stepping/curve-buffers.ts` has the arrays.
 *
 * @module
 */
import { type Curves, checkedFunctions, type Functions } from '../../ground/curves.ts'
import { record } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { columnsOf, type Table } from '../../ground/table.ts'
import { type CurveCall, type CurveNumbers, type CurveScope, curveAt, stepIn } from '../../language/curves.ts'
import { toText } from '../../language/infix.ts'
import { stepParts, wholeParts } from '../../language/lookups.ts'
import { constant, type Expr, key, sum, symbol } from '../../language/nodes.ts'
import type { Scope } from '../../language/parse.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import { scopeOf } from '../../problem/workloads/tables/function-scope.ts'
import { functionTables } from '../../problem/workloads/tables/function-tables.ts'
import type { Gathered, MapWorkload } from '../../problem/workloads/workload.ts'

/** A call, and the arrays with its numbers: `simulationCurve0x` and so on. */
export interface Looked {
  readonly array: string
  readonly curves: Curves
  /** The attribute that chooses the function, if there is one for each kind. */
  readonly kind: string | undefined
  readonly argument: Expr
}

/** The scope of text with functions. @param calls gets each call of the text once @param first the place of the first of them */
export function scopeWith(functions: Functions | undefined, scope: Scope, calls: Looked[], first = 0): Scope {
  if (!functions) return scope
  const scopes = Object.entries(functions).map(([name, curves]): [string, CurveScope] => [name, scopeOf(curves)])
  const curve = ({ name, indices: [kind], argument, outside }: CurveCall): Expr => {
    const curves = functions[name] as Curves
    const same = (one: Looked) => one.curves === curves && one.kind === kind && key(one.argument) === key(argument)
    const found = calls.find(same) ?? { array: `simulationCurve${first + calls.length}`, curves, kind, argument }
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

/** The arrays that hold the numbers of a call for each point or end. */
export const arraysOf = ({ array, kind }: Looked): readonly string[] => [
  ...stepParts.map((part) => `${array}${part}`),
  ...['step', ...(kind === undefined ? [] : ['from', 'to'])].map((name) => `${array}${name}`),
]

/** The numbers of a call as attributes, and those of the whole function, if it is one, as constants. */
const numbersOf =
  ({ array, curves, kind }: Looked): CurveNumbers =>
  (part) => {
    const [whole] = kind === undefined ? (wholeOf(curves)[part] ?? []) : []
    return whole === undefined ? symbol(`${array}${part}`) : constant(whole)
  }

const split = new Remembered<Curves, ReturnType<typeof tablesOf>>()

/** The numbers of the whole functions by kind, and those of all their steps. */
const arraysIn = (curves: Curves) => split.of(curves, () => tablesOf(curves))

function tablesOf(curves: Curves): { readonly wholes: Lists; readonly steps: Lists } {
  const found: Record<'wholes' | 'steps', Record<string, readonly number[]>> = { wholes: {}, steps: {} }
  for (const [name, table] of Object.entries(functionTables({ f: curves }))) {
    const [, mark, part = ''] = /^f(\W+)(\w+)$/.exec(name) ?? []
    found[mark === '.' ? 'steps' : 'wholes'][part] = flat(table)
  }
  return found
}

type Lists = Readonly<Record<string, readonly number[]>>

const flat = (table: Table): readonly number[] => {
  if (columnsOf(table) !== undefined) throw new TypeError('a call in a map has one kind at most')
  return Array.from(table as ArrayLike<number>)
}

const wholeOf = (curves: Curves): Lists => arraysIn(curves).wholes

/** The arrays that maps of a call gather numbers from: `kinds` for the whole functions, `steps` for their steps. */
export function sourcesOf({ curves }: Looked, of: 'kinds' | 'steps'): Readonly<Record<string, Float64Array>> {
  const lists = of === 'kinds' ? wholeOf(curves) : arraysIn(curves).steps
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [`curve${name}`, Float64Array.from(list)]))
}

/** The map that finds the number of the step. @param argument that of the call, in numbers that the map has */
export function stepMap(
  looked: Looked,
  argument: Expr,
  parameters: Readonly<Record<string, number>> = {},
): MapWorkload {
  const { kind } = looked
  const number: CurveNumbers = (part) => (kind === undefined ? numbersOf(looked)(part) : symbol(`of${part}`))
  const step = stepIn(argument, number)
  if (kind === undefined) return gatherMap({ step: toText(step) }, {}, parameters)
  const gather = Object.fromEntries(
    wholeParts.map((part): [string, Gathered] => [`of${part}`, { of: `curve${part}`, at: kind }]),
  )
  return gatherMap(
    { step: toText(sum(number('first'), step)), from: toText(number('from')), to: toText(number('to')) },
    gather,
    parameters,
  )
}

/** The map that brings the numbers of the step. */
export function numbersMap({ array }: Looked): MapWorkload {
  const gather = stepParts.map((part): [string, Gathered] => [`of${part}`, { of: `curve${part}`, at: `${array}step` }])
  return gatherMap(Object.fromEntries(stepParts.map((part) => [part, `of${part}`])), Object.fromEntries(gather))
}
