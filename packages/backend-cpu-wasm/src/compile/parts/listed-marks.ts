/**
 * Marks the pairs of a tile to leave out (`marks.ts`) where the sources of a tile are listed. In a list of places, a point with itself has
 * the same place on both sides, and excluded sources are found by their places.
 *
 * @module
 */

import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'
import { type MarkOptions, marksIn } from './marks.ts'

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
    const own = numbered ? code.let('i32', 'own', value(code)`${slot('targetFirst')} + ${first}`) : first
    const rows = value(code)`
      let rows = ${end} - ${list} >> 2
      rows`
    const { marked, leaveOut } = marksIn(code, options, mask, rows)
    const entriesOf = ascending ? entriesInOrder(list, end) : entriesAnywhere(list, end)
    /** Leaves a target and the source of an entry out. */
    const leave = (code: FunctionBuilder, target: Node, entry: Node) => write(code)`
      ${leaveOut}(${target}, ${entry} - ${list} >> 2)`
    if (skipSelf)
      entriesOf(
        code,
        own,
        value(code)`${own} + ${targets}`,
        (code, entry) => write(code)`
          let target = i32[${entry}] - ${own}
          ${leave}(target, ${entry})`,
      )
    if (from && to)
      write(code)`
        let last = ${first} + ${targets}
        let ends = min(last, ${count})
        if ${first} as i32 < ${from} || ends > ${to} {
          for target in 0..${targets} {
            let here = ${first} + target
            if here < ${from} || here >= ${to} {
              for row in 0..${rows} { ${leaveOut}(target, row) }
            }
          }
        }`
    if (offsets && excluded) {
      const pointOf = (code: FunctionBuilder, here: Node, target: Node) =>
        order ? code.let('i32', 'point', word(code, order, here)) : value(code)`${own} + ${target}`
      const placeOf = (code: FunctionBuilder, source: Node) => (places ? word(code, places, source) : source)
      const leaveAll = (code: FunctionBuilder, target: Node, place: Node) =>
        entriesOf(code, place, value(code)`${place} + 1`, (code, entry) => leave(code, target, entry))
      write(code)`
        for target in 0..${targets} {
          let here = ${first} + target
          if here < ${count} {
            let run = ${offsets} + ${pointOf}(here, target) * 4
            for number in i32[run]..i32[run + 4] {
              let place: i32 = ${placeOf}(i32[${excluded} + number * 4])
              ${leaveAll}(target, place)
            }
          }
        }`
    }
    write(code)`return ${marked}`
  })
}

const word = (code: FunctionBuilder, list: Node, n: Node): Node => value(code)`i32[${list} + ${n} * 4]`

type Visit = (code: FunctionBuilder, entry: Node) => void

/** Visits the entries of a list that are at least `from` and below `to`. */
const entriesAnywhere =
  (list: Node, end: Node) =>
  (code: FunctionBuilder, from: Node, to: Node, visit: Visit): void =>
    write(code)`
    for entry in ${list}..${end} step 4 {
      if i32[entry] - ${from} < ${to} - ${from} { ${visit}(entry) }
    }`

/** The same for an ascending list: halving finds the first one. */
const entriesInOrder =
  (list: Node, end: Node) =>
  (code: FunctionBuilder, from: Node, to: Node, visit: Visit): void =>
    write(code)`
    var entry = ${list}
    var size = ${end} - ${list} >> 2
    while size {
      let half = size >> 1
      let middle = entry + half * 4
      if i32[middle] < ${from} {
        entry = middle + 4
        size = size - half - 1
      } else { size = half }
    }
    var again = entry < ${end}
    while again {
      again = i32[entry] < ${to}
      if again {
        ${visit}(entry)
        entry += 4
        again = entry < ${end}
      }
    }`
