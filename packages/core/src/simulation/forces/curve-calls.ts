/**
 * Calls of tabulated functions in expressions of points and of links. A map cannot look a step up, so stages before it do: one finds the
 * number of the step, and another brings the numbers of this step. The expression then reads these as attributes.
 *
 * This file has these maps. `force-stages.ts` puts them in order, and `stepping/curve-buffers.ts` has the arrays.
 *
 * @module
 */
import { type CurveNumbers, stepIn } from '../../language/curves.ts'
import { evaluate } from '../../language/evaluate.ts'
import { toText } from '../../language/infix.ts'
import { stepParts, wholeParts } from '../../language/lookups.ts'
import { type Expr, sum, symbol } from '../../language/nodes.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import { curveLists } from '../../problem/workloads/tables/function-tables.ts'
import type { Gathered, MapWorkload } from '../../problem/workloads/workload.ts'
import { type Looked, numbersOf } from './curve-scope.ts'

/** The arrays that hold the numbers of a call for each point or end. */
export const arraysOf = ({ array, kind }: Looked): readonly string[] => [
  ...stepParts.map((part) => `${array}${part}`),
  ...['step', ...(kind === undefined ? [] : ['from', 'to'])].map((name) => `${array}${name}`),
]

/** The name of a number in the map that gathers it. An argument may read any attribute, so no attribute has such a name. */
const gathered = ({ array }: Looked, part: string): string => `${array}of${part}`

/** The arrays that maps of a call gather numbers from: `kinds` for the whole functions, `steps` for their steps. */
export function sourcesOf({ curves }: Looked, of: 'kinds' | 'steps'): Readonly<Record<string, Float64Array>> {
  const { whole, steps } = curveLists(curves)
  const lists = Object.entries(of === 'kinds' ? whole : steps)
  return Object.fromEntries(lists.map(([part, list]) => [`curve${part}`, Float64Array.from(list as readonly number[])]))
}

/** The number of the step among those of all functions. @param argument that of the call, in numbers that the map has */
export const stepOf = (looked: Looked, argument: Expr): Expr => {
  const number: CurveNumbers = looked.kind === undefined ? numbersOf(looked) : (part) => symbol(gathered(looked, part))
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
  const gather = wholeParts.map((part): [string, Gathered] => [
    gathered(looked, part),
    { of: `curve${part}`, at: kind },
  ])
  const ends = { [`${array}from`]: gathered(looked, 'from'), [`${array}to`]: gathered(looked, 'to') }
  return gatherMap({ ...step, ...ends }, Object.fromEntries(gather), parameters)
}

/** The map that brings the numbers of the step. */
export function numbersMap(looked: Looked): MapWorkload {
  const { array } = looked
  const names = stepParts.map((part) => [part, gathered(looked, part)] as const)
  const gather = names.map(([part, name]): [string, Gathered] => [name, { of: `curve${part}`, at: `${array}step` }])
  const outputs = names.map(([part, name]) => [`${array}${part}`, name] as const)
  return gatherMap(Object.fromEntries(outputs), Object.fromEntries(gather))
}

/** The numbers of the steps on the host, by the names of their arrays. @param steps the numbers of the steps */
export function numbersAt(looked: Looked, steps: ArrayLike<number>): Readonly<Record<string, Float64Array>> {
  const all = curveLists(looked.curves).steps
  const of = (list: readonly number[]) => Float64Array.from(steps, (step) => list[step] ?? Number.NaN)
  return Object.fromEntries(stepParts.map((part) => [`${looked.array}${part}`, of(all[part])]))
}

/** Numbers by name with those that maps find for calls, on the host. @param numbers those that arguments read, and the kinds */
export function withSteps(
  calls: readonly Looked[],
  numbers: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const all: Record<string, number> = { ...numbers }
  for (const call of calls) {
    const { array, kind, curves } = call
    if (kind !== undefined)
      for (const part of wholeParts)
        all[gathered(call, part)] = all[`${array}${part}`] = curveLists(curves).whole[part][
          all[kind] as number
        ] as number
    const step = evaluate(stepOf(call, call.argument), all)
    for (const [name, [number = Number.NaN]] of Object.entries(numbersAt(call, [step]))) all[name] = number
  }
  return all
}
