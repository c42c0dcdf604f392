/**
 * Marks the pairs of a listed tile to leave out; `marks.ts` does so for consecutive tiles. A point with itself has the same
 * place on both sides, and excluded sources are found by their places.
 *
 * @module
 */
import { at, type Callable, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { type MarkOptions, marksIn } from './marks.ts'
import { rangeBytes } from './tile.ts'

/**
 * Adds `mark(block, first, list, end, mask)`. It marks the pairs to leave out between the targets from place `first` and the
 * sources of a list of ranges, and returns whether there are any.
 *
 * @param ascending whether the places in a list ascend
 */
export function defineListedMark(options: MarkOptions, ascending: boolean): Callable {
  const { writer, targets, skipSelf, exclusions } = options
  const parameters = { block: 'i32', first: 'i32', list: 'i32', end: 'i32', mask: 'i32' } as const
  return writer.module.define('mark', parameters, 'i32', (f) => {
    const [block, first, list, end, mask] = [0, 1, 2, 3, 4].map((n) => f.parameter(n)) as [Node, Node, Node, Node, Node]
    const slot = (name: string) => writer.slot(f, block, name)
    const count = slot('targetCount')
    const [offsets, excluded, order, places] = exclusions
      ? ['exclusionOffsets', 'exclusionSources', 'targetOrder', 'sourcePlaces'].map(slot)
      : []
    const { marked, leaveOut } = marksIn(f, options, mask)
    /** Visits each range of the list, with its first place, its length, and the number of sources before it. */
    const ranges = (write: (from: Node, length: Node, before: Node) => void) => {
      const before = f.local('i32', 'before')
      f.emit(set(before, i32(0)))
      f.for('range', list, end, rangeBytes, (range) => {
        const from = f.let('i32', 'from', at('i32.load', 0, range))
        const length = f.let('i32', 'length', op('i32.sub', at('i32.load', 4, range), from))
        write(from, length, get(before))
        f.emit(set(before, plus(get(before), length)))
      })
    }
    const each = (write: (target: Node, here: Node) => void) =>
      f.for('target', i32(0), i32(targets), 1, (target) => {
        const here = f.let('i32', 'here', plus(first, target))
        f.if(op('i32.lt_u', here, count), () => write(target, here))
      })
    if (skipSelf)
      ranges((from, length, before) => {
        // The targets overlap the range if the last target is not before it, and the first is not after it.
        const offset = op('i32.sub', plus(first, targets - 1), from)
        f.if(op('i32.lt_u', offset, plus(length, targets - 1)), () =>
          each((target, here) => {
            const n = f.let('i32', 'n', op('i32.sub', here, from))
            f.if(op('i32.lt_u', n, length), () => leaveOut(target, plus(before, n)))
          }),
        )
      })
    if (offsets && excluded && order && places) {
      // Most excluded sources are far from a list whose places ascend.
      const low = f.let('i32', 'low', ascending ? at('i32.load', 0, list) : i32(0))
      const behind = ascending ? at('i32.load', 0, op('i32.sub', end, i32(4))) : i32(-1)
      const extent = f.let('i32', 'extent', op('i32.sub', behind, low))
      each((target, here) => {
        const point = f.let('i32', 'point', at('i32.load', 0, plus(order, times(here, 4))))
        const row = f.let('i32', 'row', plus(offsets, times(point, 4)))
        f.for('entry', at('i32.load', 0, row), at('i32.load', 4, row), 1, (entry) => {
          const source = at('i32.load', 0, plus(excluded, times(entry, 4)))
          const place = f.let('i32', 'place', at('i32.load', 0, plus(places, times(source, 4))))
          f.if(op('i32.lt_u', op('i32.sub', place, low), extent), () =>
            ranges((from, length, before) => {
              const n = f.let('i32', 'n', op('i32.sub', place, from))
              f.if(op('i32.lt_u', n, length), () => leaveOut(target, plus(before, n)))
            }),
          )
        })
      })
    }
    f.return(get(marked))
  })
}
