/**
 * The fold of a reduction that keeps nothing but its value, such as a minimum: each term joins the value by an expression.
 *
 * @module
 */
import type { Join } from '@manybody/core/backend'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import { at, get, op, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

export const joined =
  ({ empty, next }: Join): FoldOf =>
  (writer): Fold => {
    const { v } = writer
    return {
      additive: false,
      results: [{ name: 'value', entries: 1, type: 'number', empty }],
      stateBytes: 16,
      tileBytes: 0,
      start(f, { state, target, result, merge }) {
        const address = element(f, result('value'), target, v.bytes)
        f.emit(at('v128.store', 0, state, v.constant(f, empty)))
        f.if(merge, () => f.emit(at('v128.store', 0, state, loadElements(f, v, { address, stride: 1, offset: 0 }))))
      },
      tile(f, state) {
        const value = f.local('v128', 'value')
        f.emit(set(value, at('v128.load', 0, state)))
        return {
          add({ terms: [given], condition }) {
            if (given === undefined) return
            const term = f.let('v128', 'term', given)
            const after = writer.evaluate(
              f,
              new Map([['value', get(value)] as const, ['term', term] as const]),
              [],
            )(next)
            f.emit(set(value, condition ? op('v128.bitselect', after, get(value), condition) : after))
          },
          end: () => f.emit(at('v128.store', 0, state, get(value))),
        }
      },
      finish(f, { state, target, remaining, result }) {
        const values = { address: element(f, result('value'), target, v.bytes), stride: 1, offset: 0 }
        storeElements(f, v, remaining, [strided(f, v, values, at('v128.load', 0, state))])
      },
    }
  }
