/**
 * Gathers the sources near a group of blocks of targets, once for all blocks of the group. `filter-block.ts` then filters them for
 * each block.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { mostSources } from '../../design/list-layout.ts'
import { walkNumbers } from '../../design/walk-layout.ts'
import { value, write } from '../language/kernel.ts'
import { aroundOf } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Local, laned, type Node, plus } from '../wasm/nodes.ts'
import { fourSources, numbersOf } from './coordinates.ts'
import {
  appendMarked,
  arrayBytes,
  gapOf,
  type ListOptions,
  nodeSources,
  parts,
  splatOf,
  squareOfReach,
} from './neighbour-lists.ts'

/** Coordinates in the frame of a group have errors of some 2^-24 of the largest. */
const loss = 2 ** -20

/** A group of targets: the address of its node, its first place, and its blocks. */
interface Group {
  readonly node: Node
  readonly place: Node
  readonly firstBlock: Node
  readonly endBlock: Node
}

/** The gathering of the sources near a group. */
export interface NearSources {
  readonly start: (code: FunctionBuilder, group: Group) => void
  /** How far the targets of the group reach, besides the size of a source, in float64; undefined if they reach equally far. */
  readonly own: Local | undefined
  /** Whether the pairs of all sources of a node have been met. */
  readonly isMet: (code: FunctionBuilder, from: Node, to: Node) => Node
  /** Empties the lists. */
  readonly clear: (code: FunctionBuilder) => void
  /** Adds the near sources of a node. */
  readonly gather: (code: FunctionBuilder, from: Node, to: Node) => void
  /** Whether the sources of another node might not fit in a list. */
  readonly full: (code: FunctionBuilder) => Node
  /** The ends of the lists. */
  readonly ends: readonly Local[]
}

/** Writes the gathering. If pairs inside a unit are met once, earlier sources of the unit are left out. */
export function gatherNear(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  lists: readonly Node[],
  options: ListOptions,
): NearSources {
  const { writer, dimension, periodic, apart, once, sized } = options
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) =>
    aroundOf(walk, axis, (x) => code.let('v128', 'around', splatOf(code, writer, x))),
  )
  const [lengths, shares] = [boxes.map(({ length }) => length), boxes.map(({ share }) => share)]
  const along = (name: string) => Array.from({ length: dimension }, () => code.local('v128', name))
  const [middles, halves] = [along('middle'), along('halfEdge')]
  const reach2 = code.local('v128', 'within')
  const allowed = code.local('v128', 'allowed')
  const ends = lists.map(() => code.local('i32', 'gatheredEnd'))
  const iota = code.let('v128', 'iota', at('v128.load', parts.iota, frame))
  /** If pairs inside a unit are met once: its first place, the number of its places, and the number of places before the group. */
  const [onceFrom, onceCount, met] = ['onceFrom', 'onceCount', 'met'].map((name) => code.local('i32', name)) as [
    Local,
    Local,
    Local,
  ]
  const { addressOf, load, sizes } = fourSources(code, block, options)
  const own = sized ? code.local('f64', 'ownReach') : undefined
  const ownReach = sized ? code.local('v128', 'ownReach') : reach2
  const targetBlocks = sized ? writer.slot(code, block, 'targetBlocks') : walk
  /** The largest size of the targets, and the numbers that all pairs of the group add to sizes. */
  const startSizes = (code: FunctionBuilder, { firstBlock, endBlock }: Group, loss: Node) =>
    own &&
    write(code)`
      const frame = ${frame}
      const own: f64 = ${own}
      var largest: f32
      largest = 0
      for number in ${firstBlock}..${endBlock} {
        largest = max(largest, f32[${targetBlocks} + number * ${nodeBytes} + ${nodeLinks.size}])
      }
      // Both points may be rounded.
      let slack = f64[${walk} + ${walkNumbers.skin}] * ${1 + 2 ** -16} + f64[${walk} + ${walkNumbers.start}] * 2 + ${loss}
      own = f64(largest) + slack
      f32[frame + ${parts.slack}] = f32(slack)
      ${ownReach} = f32x4(f32(own))`

  const start = (code: FunctionBuilder, group: Group) => {
    const startOwn = (code: FunctionBuilder, loss: Node) => startSizes(code, group, loss)
    write(code)`
    lanes real = ${vector.type}
    scalar number = ${writer.vector.number}
    const frame = ${frame}
    const box = ${group.node}
    const middles = ${middles}
    const halves = ${halves}
    if ${once} {
      const onceFrom: i32 = ${onceFrom}
      const onceCount: i32 = ${onceCount}
      onceFrom = i32[frame + ${parts.onceFrom}]
      onceCount = i32[frame + ${parts.onceCount}]
      ${met} = onceCount ? ${group.place} - onceFrom : 0
    }
    unroll axis of 0..${dimension} {
      let centre = f64[box + 8 * axis]
      let rounded = f64(number(centre))
      f64[frame + ${parts.centre} + 8 * axis] = rounded
      middles[axis] = real(number(rounded))
      let size[axis] = f64[box + 24 + 8 * axis] + abs(centre - rounded)
    }
    let filter = f64[${walk} + ${walkNumbers.filter}]
    const largest = max(axis of 0..${dimension}: size[axis]) + filter
    let reach = filter + (largest + filter) * ${loss} + ${2 ** -60}
    if ${sized} {
      f32[frame + ${parts.most}] = f32(reach)
      ${reach2} = f32x4(f32(reach))
      ${startOwn}(reach - filter)
    } else {
      let square = f32(reach * reach)
      f32[frame + ${parts.reach2}] = square
      ${reach2} = f32x4(square)
    }
    unroll axis of 0..${dimension} {
      if ${periodic} {
        // Nearly half a box: farther apart, another image of the source may be nearer. An open axis has no other image.
        let length = f64[${walk} + ${walkNumbers.lengths} + 8 * axis]
        const space = length > 0 ? 0.49 * length : infinity
        let bound[axis] = space - f64[${walk} + ${walkNumbers.skin}] - (size[axis] + reach)
        f64[frame + ${parts.bounds} + 8 * axis] = bound[axis]
      }
      halves[axis] = f32x4(f32(size[axis]))
    }
    if ${periodic} { i32[frame + ${parts.loose}] = any(axis of 0..${dimension}: !(bound[axis] >= 0)) }
    if ${apart} { ${allowed} = i32x4(-all(axis of 0..${dimension}: bound[axis] >= size[axis])) }`
  }

  const append = (code: FunctionBuilder, end: Node, marked: Node, displacements: readonly Node[], places: Node) =>
    appendMarked(code, plus(frame, parts.table), arrayBytes, end, marked, [...displacements, places])
  /** Appends the near sources to the lists with these ends: to the first, or to the second if they need no images. */
  const appendTo = (
    code: FunctionBuilder,
    ends: readonly Local[],
    near: Node,
    straight: readonly Node[],
    displacements: readonly Node[],
    from: Node,
    places: Node,
  ) => {
    const numbers = sized ? [...displacements, sizesFrom(code, from)] : displacements
    write(code)`
    const straight: v128 = ${straight}
    const ends = ${ends}
    let found = i32x4.bitmask(${near})
    if ${apart} {
      const none = ${allowed} & all(axis of 0..${dimension}: straight[axis])
      let without = i32x4.bitmask(${near} & none)
      let needing = found ^ without
      ${append}(ends[1], without, ${numbers}, ${places})
      if needing { ${append}(ends[0], needing, ${numbers}, ${places}) }
    } else { ${append}(ends[0], found, ${numbers}, ${places}) }`
  }

  const sizesFrom = (code: FunctionBuilder, from: Node) => {
    const halves = Array.from({ length: 4 / vector.lanes }, (_, n) => sizes(code, from, n))
    return code.let('v128', 'sizes', numbersOf(code, halves))
  }
  const withinOf = (code: FunctionBuilder, from: Node) =>
    sized ? squareOfReach(code, sizesFrom(code, from), ownReach, reach2) : reach2

  const kinds = apart ? 2 : 1
  const gatherFour = (code: FunctionBuilder, place: Node, to: Node) => write(code)`
    lanes real = ${vector.type}
    const middle: real = ${middles}
    const length: real = ${lengths}
    const share: real = ${shares}
    const half = ${halves}
    const load: real = ${load}
    const numbersOf: f32x4 = ${numbersOf}
    const conditionOf: v128 = ${conditionOf}
    const gapOf: f32x4 = ${gapOf}
    let places = i32x4(${place}) + ${iota}
    let from: i32 = ${addressOf}(${place})
    unroll axis of 0..${dimension} {
      unroll n of 0..${4 / vector.lanes} {
        let apart = load(from, axis, n) - middle[axis]
        if ${periodic} {
          let images = nearest(apart * share[axis])
          const moved[n] = apart - length[axis] * images
          if ${apart} { const same[n] = images == real(0) }
        } else { const moved[n] = apart }
      }
      let displacement[axis] = numbersOf(moved)
      if ${apart} { const straight[axis] = conditionOf(same) }
    }
    unroll axis of 0..${dimension} { let gap[axis] = gapOf(displacement[axis], half[axis]) }
    const within: f32x4 = ${withinOf}(from)
    const beyond = sum(axis of 0..${dimension}: gap[axis] * gap[axis]) > within
    let near = v128.andnot(places < i32x4(${to}), beyond)
    if ${once} {
      if ${place} - ${onceFrom} < ${onceCount} { ${appendTo}(${ends.slice(kinds)}, near, straight, displacement, from, places) } else {
        ${appendTo}(${ends.slice(0, kinds)}, near, straight, displacement, from, places)
      }
    } else { ${appendTo}(${ends}, near, straight, displacement, from, places) }`

  return {
    start,
    isMet: (code, from, to) => value(code)`${from} - ${onceFrom} < ${met} && ${to} - ${onceFrom} <= ${met}`,
    clear: (code) => write(code)`
      const ends = ${ends}
      const lists = ${lists}
      unroll n of 0..${lists.length} { ends[n] = lists[n] }`,
    gather: (code, from, to) => write(code)`
      for place in ${from}..${to} step 4 {
        if ${once} {
          if !(place - ${onceFrom} < ${met}) { ${gatherFour}(place, ${to}) }
        } else { ${gatherFour}(place, ${to}) }
      }`,
    own,
    full: (code) => value(code)`
      const ends = ${ends}
      const lists = ${lists}
      any(n of 0..${lists.length}: ends[n] - lists[n] > ${4 * (mostSources - nodeSources)})`,
    ends,
  }
}

/** Four conditions, one in each lane of a float32 register. */
const conditionOf = (_: FunctionBuilder, halves: readonly Node[]): Node =>
  halves.length === 1
    ? (halves[0] as Node)
    : laned('i8x16.shuffle', [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27], ...halves)
