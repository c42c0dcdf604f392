/**
 * How far a block of targets still reaches, from the sources that its targets keep.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { type Fold, greatest } from '../folds/fold.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { i32, type Node, plus } from '../wasm/nodes.ts'

/** Any source. */
export const anySource = -1

/** Both take the address of the state of a block. */
export interface KeptReach {
  /** The reach of a block: none of its targets would keep a source beyond it. */
  readonly reachOf: (code: FunctionBuilder, state: Node) => Node
  /**
   * The latest source that a block may still keep. Where all targets have met enough sources at no distance, later ones are not
   * better.
   */
  readonly latestOf: (code: FunctionBuilder, state: Node) => Node
}

/** @param walk the address of the numbers of the walk; @param power the power of the distance that the targets keep */
export function keptReach(
  { writer, fold }: { readonly writer: ModuleWriter; readonly fold: Fold },
  walk: Node,
  power: 1 | 2,
): KeptReach {
  const { vector } = writer
  const registers = blockPoints / vector.lanes
  const farthest = (code: FunctionBuilder, state: Node) =>
    vector.widened(
      code,
      value(code)`
        lanes real = ${vector.type}
        pmax(u of 0..${registers}: v128[${state} + u * ${fold.stateBytes}] as real)`,
    )
  /** The latest source of all targets. Without an index, no source is better than another. */
  const lastOf = (code: FunctionBuilder, state: Node) => {
    const states = Array.from({ length: registers }, (_, u) => plus(state, u * fold.stateBytes))
    return fold.lastIndex
      ? greatest(
          code,
          states.map((one) => fold.lastIndex?.(code, one) as Node),
        )
      : i32(anySource)
  }
  return {
    reachOf(code, state) {
      const halves = farthest(code, state)
      return value(code)`
        const halves: f64x2 = ${halves}
        let pair = pmax(n of 0..${halves.length}: halves[n])
        // V8 compares two numbers by a branch, but not two lanes.
        const largest = lane(pmax(pair, f64x2(lane(pair, 1))), 0)
        const distance = ${power === 2} ? sqrt(largest) : largest
        const reach = distance * f64[${walk} + ${walkNumbers.slope}] + f64[${walk} + ${walkNumbers.start}]
        let within = min(f64[${walk} + ${walkNumbers.filter}], reach)
        within`
    },
    latestOf: (code, state) => value(code)`
      lanes real = ${vector.type}
      var latest = ${anySource}
      if ${fold.lastIndex !== undefined} {
        const apart = any(u of 0..${registers}: v128[${state} + u * ${fold.stateBytes}] as real > 0)
        if !v128.any_true(apart) { latest = ${lastOf}(${state}) }
      }
      latest`,
  }
}
