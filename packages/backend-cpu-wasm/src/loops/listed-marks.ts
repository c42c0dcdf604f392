/**
 * Marks the pairs of a listed tile to leave out; `marks.ts` does so for consecutive tiles. A point with itself has the same
 * place on both sides, and excluded sources are found by their places.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { type MarkOptions, marksIn } from './marks.ts'

/**
 * Adds `mark(block, first, list, end, mask)`. It marks the pairs to leave out between the targets from place `first` and the
 * sources in a list of places, and returns whether there are any.
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
    const rows = f.let('i32', 'rows', op('i32.shr_u', op('i32.sub', end, list), i32(2)))
    const { marked, leaveOut } = marksIn(f, options, mask, rows)
    const row = (entry: Node) => op('i32.shr_u', op('i32.sub', entry, list), i32(2))
    const found = (entry: Node) => at('i32.load', 0, entry)
    /** Visits the entries from the first that is at least `from`, while they are below `to`. */
    const entriesOf = (from: Node, to: Node, write: (entry: Node) => void) => {
      if (!ascending)
        return f.for('entry', list, end, 4, (entry) =>
          f.if(op('i32.lt_u', op('i32.sub', found(entry), from), op('i32.sub', to, from)), () => write(entry)),
        )
      const entry = firstAtLeast(f, list, end, from)
      const inside = () => op('i32.lt_u', get(entry), end)
      const again = f.local('i32', 'again')
      f.emit(set(again, inside()))
      f.if(get(again), () =>
        f.repeat(() => {
          f.emit(set(again, op('i32.lt_u', found(get(entry)), to)))
          f.if(get(again), () => {
            write(get(entry))
            f.emit(set(entry, plus(get(entry), 4)), set(again, inside()))
          })
          return get(again)
        }),
      )
    }
    if (skipSelf)
      entriesOf(first, plus(first, targets), (entry) =>
        leaveOut(f.let('i32', 'target', op('i32.sub', found(entry), first)), row(entry)),
      )
    if (offsets && excluded && order && places)
      f.for('target', i32(0), i32(targets), 1, (target) => {
        const here = f.let('i32', 'here', plus(first, target))
        f.if(op('i32.lt_u', here, count), () => {
          const point = f.let('i32', 'point', at('i32.load', 0, plus(order, times(here, 4))))
          const run = f.let('i32', 'run', plus(offsets, times(point, 4)))
          f.for('number', at('i32.load', 0, run), at('i32.load', 4, run), 1, (number) => {
            const source = at('i32.load', 0, plus(excluded, times(number, 4)))
            const place = f.let('i32', 'place', at('i32.load', 0, plus(places, times(source, 4))))
            entriesOf(place, plus(place, 1), (entry) => leaveOut(target, row(entry)))
          })
        })
      })
    f.return(get(marked))
  })
}

/** Finds the first entry of an ascending list that is at least a number, by halving. */
function firstAtLeast(f: FunctionBuilder, list: Node, end: Node, number: Node) {
  const low = f.local('i32', 'low')
  const size = f.local('i32', 'size')
  f.emit(set(low, list), set(size, op('i32.shr_u', op('i32.sub', end, list), i32(2))))
  f.if(get(size), () =>
    f.repeat(() => {
      const half = f.let('i32', 'half', op('i32.shr_u', get(size), i32(1)))
      const middle = f.let('i32', 'middle', plus(get(low), times(half, 4)))
      f.if(
        op('i32.lt_u', at('i32.load', 0, middle), number),
        () => f.emit(set(low, plus(middle, 4)), set(size, op('i32.sub', op('i32.sub', get(size), half), i32(1)))),
        () => f.emit(set(size, half)),
      )
      return get(size)
    }),
  )
  return low
}
