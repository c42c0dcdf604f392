/**
 * The fold of `list`: appends each source that counts to the list of its target. The loop sets the order of sources in a list;
 * `sort-list.ts` sorts it later.
 *
 * The state of a target is the address of its next entry, and the end of its list. An earlier pass has counted the sources, so
 * a list is full at the end. Nothing is written behind its end, whatever the points do.
 *
 * @module
 */
import { write } from '../language/kernel.ts'
import type { Fold, FoldOf } from './fold.ts'

/** Offset of the ends of lists in the state. */
const endsAt = 16

export const list: FoldOf = ({ vector }): Fold => ({
  additive: false,
  results: [{ name: 'index', entries: 1, type: 'i32', empty: -1, listed: true }],
  stateBytes: 32,
  tileBytes: 0,
  start: (code, { state, target, remaining, result, starts }) => write(code)`
    unroll lane of 0..${vector.lanes} {
      // Registers may have lanes without a target.
      unroll at of ${[0, endsAt]} { i32[${state} + (at + 4 * lane)] = 0 }
      if i32.gt_s(${remaining}, lane) {
        let start = ${starts} + (${target} + lane) * 4
        i32[${state} + 4 * lane] = ${result('index')} + i32[start] * 4
        i32[${state} + (${endsAt} + 4 * lane)] = ${result('index')} + i32[start + 4] * 4
      }
    }`,
  tile(code, given) {
    const state = code.let('i32', 'state', given)
    return {
      add({ condition = vector.always(code), index }) {
        write(code)`
          lanes whole = ${vector.integers}
          let counted = whole.bitmask(${condition})
          if counted {
            unroll lane of 0..${vector.lanes} {
              if counted & 1 << lane {
                let entry = i32[${state} + 4 * lane]
                if entry < i32[${state} + (${endsAt} + 4 * lane)] {
                  i32[entry] = ${index}
                  i32[${state} + 4 * lane] = entry + 4
                }
              }
            }
          }`
      },
      end() {},
    }
  },
  finish() {},
})
