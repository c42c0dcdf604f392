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
import { type CurveCall, type CurveNumbers, type CurveScope, curveAt, stepIn } from '../../language/curves.ts'
import { evaluator } from '../../language/evaluate.ts'
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
  readonly argument: Expr
  /** The attribute that chooses the function, if there is one for each kind. */
  readonly kind?: string
  /** The numbers of the whole function, if they are known before. */
  readonly whole?: CurveNumbers
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
    const whole: CurveNumbers = (part) => constant(wholesOf(curves)[part]?.[0] as number)
    const array = arrayOf(calls.length)
    const found = calls.find(same) ?? { array, curves, argument, ...(kind === undefined ? { whole } : { kind }) }
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

/** The numbers of a call in expressions: attributes, unless they are known. */
const numbersOf =
  ({ array, whole }: Looked): CurveNumbers =>
  (part) =>
    whole && wholeParts.some((one) => one === part) ? whole(part) : symbol(`${array}${part}`)

type Lists = Readonly<Record<string, readonly number[]>>

const lists = new Remembered<Curves, Lists>()

/** The numbers of the whole functions by kind, or those of all steps. */
const listsOf = (curves: Curves, mark: ':' | '.'): Lists =>
  lists.of(
    curves,
    () =>
      Object.fromEntries(
        Object.entries(functionTables({ f: curves })).flatMap(([name, table]) => {
          const [, found = '', part = ''] = /^f(\W)\W?(\w+)$/.exec(name) ?? []
          return found === mark ? [[part, Array.from(table as ArrayLike<number>)]] : []
        }),
      ),
    mark,
  )

const wholesOf = (curves: Curves): Lists => listsOf(curves, ':')

/** The arrays that maps of a call gather numbers from: `kinds` for the whole functions, `steps` for their steps. */
export const sourcesOf = ({ curves }: Looked, of: 'kinds' | 'steps'): Readonly<Record<string, Float64Array>> =>
  Object.fromEntries(
    Object.entries(listsOf(curves, of === 'kinds' ? ':' : '.')).map(([name, list]) => [
      `curve${name}`,
      Float64Array.from(list),
    ]),
  )

/** The number of the step among those of all functions. @param argument that of the call, in numbers that the map has */
export const stepOf = (looked: Looked, argument: Expr): Expr => {
  const number: CurveNumbers = looked.kind === undefined ? numbersOf(looked) : (part) => symbol(`of${part}`)
  return sum(number('first'), stepIn(argument, number))
}

/** The map that finds the number of the step, and with kinds the ends of the function. */
export function stepMap(
  looked: Looked,
  argument: Expr,
  parameters: Readonly<Record<string, number>> = {},
): MapWorkload {
  const { array, kind } = looked
  const step = { [`${array}step`]: toText(stepOf(looked, argument)) }
  if (kind === undefined) return gatherMap(step, {}, parameters)
  const gather = wholeParts.map((part): [string, Gathered] => [`of${part}`, { of: `curve${part}`, at: kind }])
  const ends = { [`${array}from`]: 'offrom', [`${array}to`]: 'ofto' }
  return gatherMap({ ...step, ...ends }, Object.fromEntries(gather), parameters)
}

/** The map that brings the numbers of the step. */
export function numbersMap({ array }: Looked): MapWorkload {
  const gather = stepParts.map((part): [string, Gathered] => [`of${part}`, { of: `curve${part}`, at: `${array}step` }])
  const outputs = stepParts.map((part) => [`${array}${part}`, `of${part}`] as const)
  return gatherMap(Object.fromEntries(outputs), Object.fromEntries(gather))
}

/** The numbers of the steps on the host, by the names of their arrays. @param steps the numbers of the steps */
export function numbersAt(looked: Looked, steps: ArrayLike<number>): Readonly<Record<string, Float64Array>> {
  const all = listsOf(looked.curves, '.')
  const of = (part: string) => Float64Array.from(steps, (step) => all[part]?.[step] ?? Number.NaN)
  return Object.fromEntries(stepParts.map((part) => [`${looked.array}${part}`, of(part)]))
}

/** Numbers by name with those of the steps of calls, on the host. @param numbers those that arguments read */
export function withSteps(
  calls: readonly Looked[],
  numbers: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const all: Record<string, number> = { ...numbers }
  for (const call of calls) {
    const names = Object.keys(all)
    const step = evaluator(stepOf(call, call.argument), names)(Float64Array.from(names, (name) => all[name] as number))
    for (const [name, [number = Number.NaN]] of Object.entries(numbersAt(call, [step]))) all[name] = number
  }
  return all
}
