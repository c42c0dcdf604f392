/**
 * The fold of `list`: appends each source that counts to the list of its target. The loop sets the order of sources in a list;
 * `sort-list.ts` sorts it later.
 *
 * The state of a target is the address of its next entry, and the end of its list. An earlier pass has counted the sources, so
 * a list is full at the end. Nothing is written behind its end, whatever the points do.
 *
 * @module
 */
import { at, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

/** Offset of the ends of lists in the state. */
const endsAt = 16

export const list: FoldOf = ({ vector }): Fold => ({
  additive: false,
  results: [{ name: 'index', entries: 1, type: 'i32', empty: -1, listed: true }],
  stateBytes: 32,
  tileBytes: 0,
  start(code, { state, target, remaining, result, starts }) {
    for (let lane = 0; lane < vector.lanes; lane++) {
      const ends = [0, endsAt].map((offset) => offset + 4 * lane) as [number, number]
      // Registers may have lanes without a target.
      for (const offset of ends) code.emit(at('i32.store', offset, state, i32(0)))
      code.if(op('i32.gt_s', remaining, i32(lane)), () => {
        const start = code.let('i32', 'start', plus(starts, times(plus(target, lane), 4)))
        for (const [n, offset] of ends.entries())
          code.emit(at('i32.store', offset, state, plus(result('index'), times(at('i32.load', 4 * n, start), 4))))
      })
    }
  },
  tile(code, state) {
    const address = code.let('i32', 'state', state)
    return {
      add({ condition, index }) {
        const lanes = code.let('i32', 'lanes', op(`${vector.integers}.bitmask`, condition ?? vector.always(code)))
        code.if(lanes, () => {
          for (let lane = 0; lane < vector.lanes; lane++)
            code.if(op('i32.and', lanes, i32(1 << lane)), () => append(lane, index))
        })
      },
      end() {},
    }

    function append(lane: number, index: Node): void {
      const entry = code.let('i32', 'entry', at('i32.load', 4 * lane, address))
      code.if(op('i32.lt_u', entry, at('i32.load', endsAt + 4 * lane, address)), () =>
        code.emit(at('i32.store', 0, entry, index), at('i32.store', 4 * lane, address, plus(entry, 4))),
      )
    }
  },
  finish() {},
})
