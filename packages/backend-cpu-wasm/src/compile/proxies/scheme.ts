/**
 * The functions and options of one way to make proxies inside the module. The types are those of `ProxyScheme` of
 * `@manybody/core/backend`.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { Callable } from '../wasm/nodes.ts'

export interface SchemeOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  /** The attributes that proxies add up. */
  readonly weights: readonly string[]
  /** The name of the slot of the sources in the order of places. */
  readonly records: string
}

/** Functions over addresses of nodes and of their states. */
export interface SchemeFunctions {
  /** `(block, scratch, from, to, node, state)` adds the sources at places to a state. */
  readonly points: Callable
  /** `(block, scratch, inner, innerState, node, state)` adds the state of a child. */
  readonly node: Callable
  /** `(block, scratch, node, state, proxy)` writes the proxies of a node, from a number on. */
  readonly place: Callable
}
