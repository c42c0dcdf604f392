/**
 * The names that an expression may use, and how messages list them.
 *
 * @module
 */
import type { CurveCall, CurveScope } from '../curves.ts'
import type { Expr } from '../nodes.ts'

/** The names that an expression may use. */
export interface Scope {
  readonly names: readonly string[]
  /** Whether another name is allowed, and how such names look, for the message if one is not. */
  readonly open?: {
    readonly test: (name: string) => boolean
    readonly describe: string
    /** Why a name is not allowed although it looks right. */
    readonly refuse?: (name: string) => string | undefined
  }
  /** Tables by name, with their number of indices. Names that are open index them. */
  readonly tables?: Readonly<Record<string, 1 | 2>>
  /** Tabulated functions by name. */
  readonly functions?: Readonly<Record<string, CurveScope>>
  /** The value of their calls, whose argument may then be any expression. By default they take the distance `r` of a pair. */
  readonly curve?: (call: CurveCall) => Expr
  /** Whether calls at the distance stay whole: a symbol with the text of the call, which has no derivative. */
  readonly wholeCalls?: boolean
  /**
   * Whether names that are open may be vectors, which `dot`, `sqdist`, `norm` and `sum` turn into numbers, and `vector` into a term with
   * components, where `all` allows it.
   */
  readonly vectors?: 'numbers' | 'all'
}

/** The number of indices of a table; undefined if no table has this name. */
export function indicesOf({ tables = {} }: Scope, name: string): number | undefined {
  return Object.hasOwn(tables, name) ? tables[name] : undefined
}

/** The tabulated function with this name, if there is one. */
export function curveIn({ functions: curves = {} }: Scope, name: string): CurveScope | undefined {
  return Object.hasOwn(curves, name) ? curves[name] : undefined
}

/** Names for a message: all of them, or some if a text defines very many. */
export function some(names: readonly string[], between = ', '): string {
  const most = 50
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names
  return shown.map((name) => (name.length > 64 ? `${name.slice(0, 61)}...` : name)).join(between)
}
