/**
 * A fold that bounds what `nearest` will keep: the k-th least of the first few terms of each target. Only terms up to that have
 * to be inserted afterwards.
 *
 * The terms are written to memory, and a network of comparisons then sorts them in all lanes at once, without a branch.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, type Node, op, plus, set } from '../wasm/nodes.ts'
import type { FoldOf } from './fold.ts'

/** How many terms it takes at most. */
export const boundTerms = 32
/** The largest k: the network keeps that many numbers in registers, or fewer. */
const mostKept = 8

/** Whether a bound pays. */
export const boundsKept = (k: number): boolean => k <= mostKept

export const kthLeast =
  (k: number, stateBytes: number): FoldOf =>
  ({ module, vector }) => {
    const infinity = (code: FunctionBuilder) => vector.constant(code, Number.POSITIVE_INFINITY)
    const network = (): Callable =>
      module.once('kthLeast', () =>
        module.define('kthLeast', { terms: 'i32' }, 'v128', (code, { terms }) => {
          const load = (n: number) => at('v128.load', 16 * n, terms)
          const groups = Array.from({ length: boundTerms / mostKept }, (_, group) =>
            Array.from({ length: mostKept }, (_, n) => group * mostKept + n),
          )
          const exchange = (list: Node[], [low, high]: readonly [number, number]) => {
            const [a, b] = [list[low] as Node, list[high] as Node]
            list[low] = code.let('v128', 'less', vector.op('pmin', a, b))
            list[high] = code.let('v128', 'more', vector.op('pmax', a, b))
          }
          let least: Node[] | undefined
          for (const group of groups) {
            const next = group.map((n) => code.let('v128', 'term', load(n)))
            for (const pair of sorting) exchange(next, pair)
            if (!least) least = next
            else {
              // The lesser of each term and its counterpart are the least of both lists, in an order that `merging` sorts.
              const kept = least.map((term, n) =>
                code.let('v128', 'less', vector.op('pmin', term, next[mostKept - 1 - n] as Node)),
              )
              for (const pair of merging) exchange(kept, pair)
              least = kept
            }
          }
          code.return((least as Node[])[k - 1] as Node)
        }),
      )
    return {
      additive: false,
      results: [],
      stateBytes,
      tileBytes: 16 * boundTerms,
      start() {},
      tile(code, state, scratch) {
        const [terms, next] = [code.let('i32', 'terms', scratch), code.local('i32', 'nextTerm')]
        code.emit(set(next, terms))
        return {
          add({ terms: [term], condition }) {
            if (term === undefined) return
            const counted = condition ? op('v128.bitselect', term, infinity(code), condition) : term
            // A term that is not a number is not less, so it becomes infinite.
            code.emit(
              at('v128.store', 0, get(next), vector.op('pmin', infinity(code), counted)),
              set(next, plus(get(next), 16)),
            )
          },
          end() {
            code.for('rest', get(next), plus(terms, 16 * boundTerms), 16, (rest) =>
              code.emit(at('v128.store', 0, rest, infinity(code))),
            )
            const bound = call(network(), terms)
            code.emit(at('v128.store', 0, state, vector.op('pmin', at('v128.load', 0, state), bound)))
          },
        }
      },
      finish() {},
    }
  }

/** The pairs of places that sort eight numbers, after Batcher (1968), "Sorting networks and their applications". */
const sorting: readonly (readonly [number, number])[] = [
  ...([
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ] as const),
  ...([
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
  ] as const),
  ...([
    [1, 2],
    [5, 6],
  ] as const),
  ...([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ] as const),
  ...([
    [2, 4],
    [3, 5],
  ] as const),
  ...([
    [1, 2],
    [3, 4],
    [5, 6],
  ] as const),
]

/** The pairs that sort eight numbers which first increase and then decrease, or the other way round. */
const merging: readonly (readonly [number, number])[] = [
  ...([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ] as const),
  ...([
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
  ] as const),
  ...([
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ] as const),
]
