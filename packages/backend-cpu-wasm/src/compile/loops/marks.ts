/**
 * Marks the pairs of a tile to leave out: a point with itself, and explicit exclusions. The mask has one register for each
 * source and register of targets. Most tiles have no marks, and run without a mask.
 *
 * The sources of a tile are consecutive, or listed. In a list of places, a point with itself has the same place on both sides,
 * and excluded sources are found by their places.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, get, i32, i64, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'

export interface MarkOptions {
  readonly writer: ModuleWriter
  /** Number of targets in the tile. */
  readonly targets: number
  readonly skipSelf: boolean
  readonly exclusions: boolean
}

/** Bytes of the mask of a tile. */
export const maskBytes = ({ writer, targets }: Pick<MarkOptions, 'writer' | 'targets'>): number =>
  targets * writer.tile * writer.vector.bytes

/**
 * Adds `mark(block, cursors, first, source, count, mask)`. It marks the pairs to leave out between the targets from `first` and
 * `count` sources from `source`, both counted within the run. It returns whether there are any.
 *
 * `cursors` contains a position for each target of the tile, in its list of excluded sources.
 */
export function defineMark({ writer, targets, skipSelf, exclusions }: MarkOptions): Callable {
  const parameters = integers('block', 'cursors', 'first', 'source', 'count', 'mask')
  return writer.module.define('mark', parameters, 'i32', (code, { block, cursors, first, source, count, mask }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targetCount, targetFirst, sourceFirst] = [slot('targetCount'), slot('targetFirst'), slot('sourceFirst')]
    const { marked, leaveOut } = marksIn(code, { writer, targets }, mask, count)
    const base = code.let('i32', 'base', plus(sourceFirst, source))
    const each = (write: (target: Node, index: Node) => void) =>
      code.for('target', i32(0), i32(targets), 1, (target) => {
        const number = code.let('i32', 'number', plus(first, target))
        code.if(op('i32.lt_u', number, targetCount), () =>
          write(target, code.let('i32', 'i', plus(targetFirst, number))),
        )
      })
    if (skipSelf) {
      // Tests whether the targets overlap the sources: the last target is not before them, and the first not after them.
      const offset = op('i32.sub', plus(plus(targetFirst, first), targets - 1), base)
      code.if(op('i32.lt_u', offset, plus(count, targets - 1)), () =>
        each((target, i) => {
          const j = code.let('i32', 'j', op('i32.sub', i, base))
          code.if(op('i32.lt_u', j, count), () => leaveOut(target, j))
        }),
      )
    }
    if (exclusions) {
      const [offsets, list] = [slot('exclusionOffsets'), slot('exclusionSources')]
      each((target, i) => {
        const cursor = code.local('i32', 'cursor')
        const place = code.let('i32', 'place', plus(cursors, times(target, 4)))
        const end = code.let('i32', 'end', at('i32.load', 4, plus(offsets, times(i, 4))))
        const here = code.local('i32', 'here')
        const test = () => {
          code.emit(set(here, i32(0)))
          code.if(op('i32.lt_u', get(cursor), end), () => {
            const excluded = at('i32.load', 0, plus(list, times(get(cursor), 4)))
            const j = code.let('i32', 'j', op('i32.sub', excluded, base))
            code.if(op('i32.lt_u', j, count), () => leaveOut(target, j))
            code.emit(set(here, op('i32.lt_s', j, count)))
          })
        }
        code.emit(set(cursor, at('i32.load', 0, place)))
        test()
        code.if(get(here), () =>
          code.repeat(() => {
            code.emit(set(cursor, plus(get(cursor), 1)))
            test()
            return get(here)
          }),
        )
        code.emit(at('i32.store', 0, place, get(cursor)))
      })
    }
    code.return(get(marked))
  })
}

/**
 * The marks of a tile of `sources` sources: `leaveOut` marks a target with the n-th source; `marked` tells whether any pair is
 * marked.
 */
function marksIn(
  code: FunctionBuilder,
  { writer, targets }: Pick<MarkOptions, 'writer' | 'targets'>,
  mask: Node,
  sources: Node,
): { readonly marked: Local; readonly leaveOut: (target: Node, n: Node) => void } {
  const marked = code.local('i32', 'marked')
  const leaveOut = (target: Node, n: Node) => {
    code.if(op('i32.eqz', get(marked)), () =>
      code.emit(op('memory.fill', mask, i32(0), times(sources, targets * writer.vector.bytes)), set(marked, i32(1))),
    )
    const address = plus(mask, times(plus(times(n, targets), target), writer.vector.bytes))
    code.emit(writer.vector.bytes === 4 ? at('i32.store', 0, address, i32(-1)) : at('i64.store', 0, address, i64(-1n)))
  }
  return { marked, leaveOut }
}

/** Sets the cursor of each target of a tile to the start of its list. */
export function startCursors(
  { writer, targets }: MarkOptions,
  code: Parameters<ModuleWriter['slot']>[0],
  { block, cursors, first }: { readonly block: Node; readonly cursors: Node; readonly first: Node },
): void {
  const offsets = writer.slot(code, block, 'exclusionOffsets')
  const [targetCount, targetFirst] = [writer.slot(code, block, 'targetCount'), writer.slot(code, block, 'targetFirst')]
  code.for('target', i32(0), i32(targets), 1, (target) => {
    const number = code.let('i32', 'number', plus(first, target))
    code.if(op('i32.lt_u', number, targetCount), () => {
      const start = at('i32.load', 0, plus(offsets, times(plus(targetFirst, number), 4)))
      code.emit(at('i32.store', 0, plus(cursors, times(target, 4)), start))
    })
  })
}

export interface ListedMarkOptions extends MarkOptions {
  /** Whether the list has the places or the numbers of its sources. */
  readonly listed: 'places' | 'numbers'
  /** Whether the list ascends. */
  readonly ascending: boolean
}

/**
 * Adds `mark(block, first, list, end, mask)`. It marks the pairs to leave out between the targets from `first` and the sources
 * in a list, and returns whether there are any.
 *
 * If sources are listed by their numbers, two more arguments are the first target that meets them, and the target after the
 * last. Other targets are left out.
 */
export function defineListedMark(options: ListedMarkOptions): Callable {
  const { writer, targets, skipSelf, exclusions, listed, ascending } = options
  const numbered = listed === 'numbers'
  const parameters = {
    ...integers('block', 'first', 'list', 'end', 'mask'),
    ...(numbered ? integers('from', 'to') : {}),
  }
  return writer.module.define('mark', parameters, 'i32', (code, { block, first, list, end, mask, from, to }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const count = slot('targetCount')
    const [offsets, excluded] = exclusions ? ['exclusionOffsets', 'exclusionSources'].map(slot) : []
    const [order, places] = exclusions && !numbered ? ['targetOrder', 'sourcePlaces'].map(slot) : []
    /** Where the first target is in the list, if it is there. */
    const own = numbered ? code.let('i32', 'own', plus(slot('targetFirst'), first)) : first
    const rows = code.let('i32', 'rows', op('i32.shr_u', op('i32.sub', end, list), i32(2)))
    const { marked, leaveOut } = marksIn(code, options, mask, rows)
    const row = (entry: Node) => op('i32.shr_u', op('i32.sub', entry, list), i32(2))
    const found = (entry: Node) => at('i32.load', 0, entry)
    /** Visits the entries from the first that is at least `from`, while they are below `to`. */
    const entriesOf = (from: Node, to: Node, write: (entry: Node) => void) => {
      if (!ascending)
        return code.for('entry', list, end, 4, (entry) =>
          code.if(op('i32.lt_u', op('i32.sub', found(entry), from), op('i32.sub', to, from)), () => write(entry)),
        )
      const entry = firstAtLeast(code, list, end, from)
      const inside = () => op('i32.lt_u', get(entry), end)
      const again = code.local('i32', 'again')
      code.emit(set(again, inside()))
      code.if(get(again), () =>
        code.repeat(() => {
          code.emit(set(again, op('i32.lt_u', found(get(entry)), to)))
          code.if(get(again), () => {
            write(get(entry))
            code.emit(set(entry, plus(get(entry), 4)), set(again, inside()))
          })
          return get(again)
        }),
      )
    }
    if (skipSelf)
      entriesOf(own, plus(own, targets), (entry) =>
        leaveOut(code.let('i32', 'target', op('i32.sub', found(entry), own)), row(entry)),
      )
    if (from && to) {
      const last = code.let('i32', 'last', plus(first, targets))
      const ends = code.let('i32', 'ends', op('select', last, count, op('i32.lt_u', last, count)))
      code.if(op('i32.or', op('i32.lt_u', first, from), op('i32.gt_u', ends, to)), () =>
        code.for('target', i32(0), i32(targets), 1, (target) => {
          const here = code.let('i32', 'here', plus(first, target))
          code.if(op('i32.or', op('i32.lt_u', here, from), op('i32.ge_u', here, to)), () =>
            code.for('row', i32(0), rows, 1, (n) => leaveOut(target, n)),
          )
        }),
      )
    }
    if (offsets && excluded)
      code.for('target', i32(0), i32(targets), 1, (target) => {
        const here = code.let('i32', 'here', plus(first, target))
        code.if(op('i32.lt_u', here, count), () => {
          const point = order
            ? code.let('i32', 'point', at('i32.load', 0, plus(order, times(here, 4))))
            : plus(own, target)
          const run = code.let('i32', 'run', plus(offsets, times(point, 4)))
          code.for('number', at('i32.load', 0, run), at('i32.load', 4, run), 1, (number) => {
            const source = at('i32.load', 0, plus(excluded, times(number, 4)))
            const place = code.let('i32', 'place', places ? at('i32.load', 0, plus(places, times(source, 4))) : source)
            entriesOf(place, plus(place, 1), (entry) => leaveOut(target, row(entry)))
          })
        })
      })
    code.return(get(marked))
  })
}

/** Finds the first entry of an ascending list that is at least a number, by halving. */
function firstAtLeast(code: FunctionBuilder, list: Node, end: Node, number: Node) {
  const low = code.local('i32', 'low')
  const size = code.local('i32', 'size')
  code.emit(set(low, list), set(size, op('i32.shr_u', op('i32.sub', end, list), i32(2))))
  code.if(get(size), () =>
    code.repeat(() => {
      const half = code.let('i32', 'half', op('i32.shr_u', get(size), i32(1)))
      const middle = code.let('i32', 'middle', plus(get(low), times(half, 4)))
      code.if(
        op('i32.lt_u', at('i32.load', 0, middle), number),
        () => code.emit(set(low, plus(middle, 4)), set(size, op('i32.sub', op('i32.sub', get(size), half), i32(1)))),
        () => code.emit(set(size, half)),
      )
      return get(size)
    }),
  )
  return low
}
