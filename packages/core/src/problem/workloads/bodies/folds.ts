/**
 * The folds of a pair loop: sums over the components of vectors. A loop computes them before its other bindings, component by
 * component. Folds over vectors of one side are computed once for each point.
 *
 * @module
 */
import type { Tables } from '../../../ground/table.ts'
import { foldBody } from '../../../language/fold-bodies.ts'
import { requireNumbers, vectorsIn } from '../../../language/fold-names.ts'
import { type Expr, symbol, symbolsOf } from '../../../language/nodes.ts'
import { rebuildWith } from '../../../language/rebuild.ts'
import { type Binding, type ScheduleOptions, schedule } from '../../../language/schedule.ts'
import { vectorStart } from '../tables/layout.ts'

export interface Fold {
  readonly name: string
  /** The side with all vectors; undefined if they belong to both. */
  readonly side: 'target' | 'source' | undefined
  /** The vectors whose components it reads: `x_i`, `y_j`. All have one length. */
  readonly vectors: readonly string[]
  /** The vectors among the parameters: the name of a component, and the number of the run with its place among all tables. */
  readonly parameters: readonly { readonly name: string; readonly start: string }[]
  /** What a component adds, in the components of vectors and numbers of the run: bindings in order, and the value. */
  readonly loop: readonly Binding[]
  readonly value: Expr
}

/** The folds of some expressions, with names that any language allows, and the numbers of the run that they read. */
export function foldsIn(
  expressions: readonly Expr[],
  roots: ScheduleOptions['roots'],
  tables: Tables | undefined,
): { readonly folds: readonly Fold[]; readonly run: readonly Binding[]; readonly rename: (e: Expr) => Expr } {
  const names = [...symbolsOf(...expressions)].filter((name) => vectorsIn(name)).sort()
  requireNumbers(names)
  if (names.length === 0) return { folds: [], run: [], rename: (e) => e }
  const numbers = new Map<string, string>()
  const ofRun = (name: string): string => {
    const own = numbers.get(name) ?? `number${numbers.size}`
    numbers.set(name, own)
    return own
  }
  const folds = names.map((name, n): Fold => {
    const vectors = vectorsIn(name) as readonly string[]
    const given = foldBody(name) as Expr
    const places = [...symbolsOf(given)].flatMap((one) => {
      const start = vectorStart(one, tables)
      return start === undefined ? [] : [{ of: one, name: `given${ofRun(start).slice(6)}`, start: ofRun(start) }]
    })
    const names = new Map(places.map(({ of, name }) => [of, name]))
    const body = renamed(given, (one) => (vectors.includes(one) ? one : (names.get(one) ?? ofRun(one))))
    const { loop, outputs } = schedule([body], { rateOf: () => 'loop', ...(roots && { roots }) })
    const sides = new Set(vectors.map((vector) => vector.slice(-1)))
    const side = sides.size === 2 ? undefined : sides.has('i') ? 'target' : 'source'
    const parameters = places.map(({ name, start }) => ({ name, start }))
    return { name: `fold${n}`, side, vectors, parameters, loop, value: outputs[0] as Expr }
  })
  const run = [...numbers].map(([name, own]) => ({ name: own, expr: symbol(name) }))
  const rename = (e: Expr) =>
    renamed(e, (name) => (names.includes(name) ? (folds[names.indexOf(name)] as Fold).name : name))
  return { folds, run, rename }
}

const renamed = (e: Expr, nameOf: (name: string) => string): Expr =>
  rebuildWith(e, { symbol: (s) => (nameOf(s.name) === s.name ? s : symbol(nameOf(s.name))) })
