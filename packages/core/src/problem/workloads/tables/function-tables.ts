/**
 * Tabulated functions as tables: lists with the numbers of all steps, and tables with the numbers of whole functions by the kinds
 * of points. Equal functions share their steps.
 *
 * @module
 */

import { type Curve, type Curves, cubicsOf, type Functions } from '../../../ground/curves.ts'
import { record } from '../../../ground/names.ts'
import { Remembered } from '../../../ground/remember.ts'
import { requireFew, type Table, type Tables } from '../../../ground/table.ts'
import { stepParts, wholeParts } from '../../../language/lookups.ts'
import { scopeOf } from './function-scope.ts'

const known = new Remembered<Functions, Tables>()

/** The tables of functions, by names that no caller can choose. */
export function functionTables(functions: Functions): Tables {
  return known.of(functions, () =>
    Object.freeze(record(Object.entries(functions).flatMap(([name, curves]) => tablesOf(name, curves)))),
  )
}

function tablesOf(name: string, curves: Curves): readonly (readonly [string, Table])[] {
  const { whole, steps } = curveLists(curves)
  const mark = scopeOf(curves).indices === 0 ? '::' : ':'
  return [
    ...wholeParts.map((part) => [`${name}${mark}${part}`, whole[part]] as const),
    ...stepParts.map((part) => [`${name}.${part}`, steps[part]] as const),
  ]
}

/** The numbers of functions as lists. */
interface CurveLists {
  /** Those of the whole functions, in rows if the functions are. */
  readonly whole: Readonly<Record<(typeof wholeParts)[number], Table>>
  /** Those of all steps. */
  readonly steps: Readonly<Record<(typeof stepParts)[number], readonly number[]>>
}

const lists = new Remembered<Curves, CurveLists>()

export const curveLists = (curves: Curves): CurveLists => lists.of(curves, () => listed(curves))

function listed(curves: Curves): CurveLists {
  const firsts = new Map<string, number>()
  const steps: Record<(typeof stepParts)[number], number>[] = []
  const whole = (curve: Curve): Record<(typeof wholeParts)[number], number> => {
    const { from, to, pieces } = cubicsOf(curve)
    const content = JSON.stringify(curve)
    const first = firsts.get(content) ?? steps.length
    if (first === steps.length) for (const { c, d, ...piece } of pieces) steps.push({ ...piece, c: 2 * c, d: 3 * d })
    firsts.set(content, first)
    return { from, to, scale: pieces.length / (to - from), last: pieces.length - 1, first }
  }
  const { indices } = scopeOf(curves)
  const each = (list: readonly Curve[]) => list.map(whole)
  const found =
    indices === 2 ? (curves as readonly (readonly Curve[])[]).map(each) : each([curves].flat() as readonly Curve[])
  const of = (part: (typeof wholeParts)[number]) =>
    indices === 2
      ? (found as ReturnType<typeof each>[]).map((row) => Object.freeze(row.map((one) => one[part])))
      : (found as ReturnType<typeof each>).map((one) => one[part])
  const named = <Part extends string, List>(parts: readonly Part[], list: (part: Part) => List) =>
    Object.fromEntries(parts.map((part) => [part, Object.freeze(list(part))])) as Record<Part, List>
  return {
    whole: named(wholeParts, (part) => of(part) as Table),
    steps: named(stepParts, (part): readonly number[] => steps.map((step) => step[part])),
  }
}

/** The tables of a law: its own, and those of its functions. @throws RangeError if they have too many numbers */
export function lawTables(tables: Tables, functions: Functions): Tables {
  const more = functionTables(functions)
  if (Object.keys(more).length === 0) return tables
  const all = Object.freeze(record([...Object.entries(tables), ...Object.entries(more)]))
  requireFew(all)
  return all
}
