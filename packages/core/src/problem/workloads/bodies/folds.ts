/**
 * The folds of a pair loop: sums over the components of vectors. A loop computes them before its other bindings, component by
 * component. Folds over vectors of one side are computed once for each point. A term that is a vector has a value for each component.
 *
 * @module
 */
import type { Tables } from '../../../ground/table.ts'
import { foldBody } from '../../../language/fold-bodies.ts'
import { requireNumbers, vectorsIn } from '../../../language/fold-names.ts'
import { type Expr, symbol, symbolsOf } from '../../../language/nodes.ts'
import { rebuildWith } from '../../../language/rebuild.ts'
import { type Binding, type Rate, type ScheduleOptions, schedule } from '../../../language/schedule.ts'
import { vectorStart } from '../tables/layout.ts'
import type { VectorTerm } from './vector-term.ts'

/** An expression of components, which a loop computes for each of them. */
export interface ComponentLoop {
  /** The vectors whose components it reads: `x_i`, `y_j`. All have one length. */
  readonly vectors: readonly string[]
  /** The vectors among the parameters: the name of a component, and the number of the run with its place among all tables. */
  readonly parameters: readonly { readonly name: string; readonly start: string }[]
  /** The value in the components of vectors and numbers: bindings in order, and the value. */
  readonly loop: readonly Binding[]
  readonly value: Expr
}

/** A component of a term that is a vector, and its parts that points of one side have. These are computed once for each point. */
export interface TermLoop extends ComponentLoop {
  /** In components of vectors of that side, among the parameters, and numbers of the run. */
  readonly parts: Readonly<Record<'target' | 'source', readonly Binding[]>>
}

/** A sum over components. */
export interface Fold extends ComponentLoop {
  readonly name: string
  /** The side with all vectors; undefined if they belong to both. */
  readonly side: 'target' | 'source' | undefined
}

/**
 * The folds of some expressions, with names that any language allows, and the numbers of the run that they read.
 *
 * @param vector a term that is a vector, divided (`vector-term.ts`)
 */
export function foldsIn(
  expressions: readonly Expr[],
  roots: ScheduleOptions['roots'],
  tables: Tables | undefined,
  vector?: VectorTerm,
): {
  readonly folds: readonly Fold[]
  readonly vector: TermLoop | undefined
  readonly run: readonly Binding[]
  readonly rename: (e: Expr) => Expr
} {
  const names = [...symbolsOf(...expressions)].filter((name) => vectorsIn(name)).sort()
  requireNumbers(names)
  if (names.length === 0 && !vector) return { folds: [], vector, run: [], rename: (e) => e }
  const numbers = new Map<string, string>()
  const ofRun = (name: string): string => {
    const own = numbers.get(name) ?? `number${numbers.size}`
    numbers.set(name, own)
    return own
  }
  const placesIn = (given: Expr) =>
    [...symbolsOf(given)].flatMap((one) => {
      const start = vectorStart(one, tables)
      return start === undefined ? [] : [{ of: one, name: `given${ofRun(start).slice(6)}`, start: ofRun(start) }]
    })
  /** A component with names of this loop. @param kept those that stay */
  const own = (given: Expr, kept: ReadonlySet<string>) => {
    const places = placesIn(given)
    const names = new Map(places.map(({ of, name }) => [of, name]))
    const body = renamed(given, (one) => (kept.has(one) ? one : (names.get(one) ?? ofRun(one))))
    return { body, parameters: places.map(({ name, start }) => ({ name, start })) }
  }
  const folds = names.map((name, n): Fold => {
    const vectors = vectorsIn(name) as readonly string[]
    const sides = new Set(vectors.map(sideOf))
    const side = sides.size === 2 ? undefined : [...sides][0]
    const { body, parameters } = own(foldBody(name) as Expr, new Set(vectors))
    const { loop, outputs } = schedule([body], { rateOf: () => 'loop', ...(roots && { roots }) })
    return { name: `fold${n}`, side, vectors, parameters, loop, value: outputs[0] as Expr }
  })
  const ofTerm = (term: VectorTerm): TermLoop => {
    const kept = [...term.vectors, ...term.names]
    const { body, parameters } = own(term.component, new Set(kept))
    const rateOf = (name: string): Rate =>
      term.names.includes(name) ? 'loop' : kept.includes(name) ? sideOf(name) : 'run'
    const { run, target, source, loop, outputs } = schedule([body], { rateOf, ...(roots && { roots }) })
    // Numbers of the run have such names, too.
    const names = new Set([...run, ...target, ...source].map(({ name }) => name))
    const apart = (e: Expr) => renamed(e, (name) => (names.has(name) ? `part:${name}` : name))
    const named = (bindings: readonly Binding[]) =>
      bindings.map(({ name, expr }) => ({ name: names.has(name) ? `part:${name}` : name, expr: apart(expr) }))
    return {
      ...{ vectors: term.vectors, parameters },
      parts: { target: named([...run, ...target]), source: named([...run, ...source]) },
      loop: named([...run, ...loop]),
      value: apart(outputs[0] as Expr),
    }
  }
  const found = vector && ofTerm(vector)
  const run = [...numbers].map(([name, own]) => ({ name: own, expr: symbol(name) }))
  const rename = (e: Expr) =>
    renamed(e, (name) => (names.includes(name) ? (folds[names.indexOf(name)] as Fold).name : name))
  return { folds, vector: found, run, rename }
}

/** The side of a vector, `x_i` or `y_j`. */
const sideOf = (vector: string): 'target' | 'source' => (vector.endsWith('_i') ? 'target' : 'source')

const renamed = (e: Expr, nameOf: (name: string) => string): Expr =>
  rebuildWith(e, { symbol: (s) => (nameOf(s.name) === s.name ? s : symbol(nameOf(s.name))) })
