/**
 * Verlet lists: neighbour lists with a skin, reused for several rounds. The phase `list` rebuilds them, and the phase `listed`
 * meets them. A list holds until a point has moved by half of the skin, which the phase `displacements` tells. The host decides
 * when to rebuild (`run/placement/lasting.ts`).
 *
 * Each piece of a block, the targets that a tile takes in one call, has its own lists. The lists of a unit follow each other in
 * the order of their use. Each has a header of three words: the number of the piece plus 1, how its places are met, and its
 * bytes. A 0 ends the lists of a group. If the lists do not fit, the unit goes on counting, and reports the bytes that they
 * need.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { headerBytes, spareBytes } from '../../design/list-layout.ts'
import { value, write } from '../language/kernel.ts'
import { defineDisplacements } from '../lists/displacements.ts'
import { defineFilterPiece } from '../lists/filter-piece.ts'
import { type ListOptions, pickedAt, parts as shared } from '../lists/neighbour-lists.ts'
import { defineFilters, groupGatherer } from '../parts/group-lists.ts'
import { type BlockPassOptions, blockState, piecesOf, type ScratchAddresses } from '../parts/target-block.ts'
import type { UnitGroups } from '../parts/unit-groups.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, type Node, plus } from '../wasm/nodes.ts'

/** Bits of the second word of a header. */
const [onceBit, directBit] = [2, 1]

export function defineVerletLists(
  options: BlockPassOptions,
  near: ListOptions,
  groups: UnitGroups,
  parts: ScratchAddresses,
): void {
  const { writer } = options
  defineDisplacements(writer, options.dimension)
  const bytes = blockState(options)
  const frameOf = (code: FunctionBuilder, scratch: Node) => code.let('i32', 'frame', plus(scratch, parts.walk))

  const pieces = piecesOf(options)
  /** Whether lists also have the places of the block itself. With marks they do not, because marks expect ascending places. */
  const listsOwn = options.once && !options.body.skipSelf
  const filterPiece = defineFilterPiece(near, blockPoints / pieces)
  const append = defineFilters('append', options, near, { parts, displacements: true }, (code, block, scratch) => {
    const frame = frameOf(code, scratch)
    const picked = code.let('i32', 'pickedFrom', plus(frame, pickedAt(near)))
    const lastFull = near.apart ? 1 : 0
    const targetCount = listsOwn ? writer.slot(code, block, 'targetCount') : i32(0)
    const iota = code.let('v128', 'iota', at('v128.load', shared.iota, frame))
    return ({ number, how, fill, direct }) => {
      const hasOwn = listsOwn && !how.once
      const bits = how.once ? onceBit : 0
      write(code)`
        const frame = ${frame}
        const number = ${number}
        const direct: i32 = ${direct}
        let pickedEnd: i32 = ${fill}(${picked})
        // Number of places of the block itself. They come first, in the first list with the block's kind of images.
        var own = 0
        if ${hasOwn} {
          const due = number >= i32[frame + ${shared.ownFrom}]
          const suits = ${how.kind === 0} ? !direct : direct
          if (${near.apart} ? due && suits : due) {
            let left = ${targetCount} - number * ${blockPoints}
            own = min(left, ${blockPoints})
          }
          if ${how.kind === lastFull} { i32[frame + ${shared.ownFrom}] = number + 1 }
        }
        if own | (${picked} < pickedEnd) {
          for n in 0..${pieces} {
            let stream = i32[frame + ${shared.stream}]
            let fits = stream + ${spareBytes} <= i32[frame + ${shared.streamEnd}]
            let to = fits ? stream + ${headerBytes} : ${scratch} + ${parts.list}
            if ${hasOwn} {
              unroll four of 0..${blockPoints / 4} {
                v128[to + 16 * four] = i32x4(number * ${blockPoints} + 4 * four) + ${iota}
              }
            }
            let end: i32 = ${filterPiece}(frame, pickedEnd, to + own * 4, n * ${blockPoints / pieces})
            let size = end - to
            if size {
              i32[frame + ${shared.needed}] += size + ${headerBytes}
              if fits {
                i32[stream] = number * ${pieces} + n + 1
                i32[stream + 4] = ${how.kind === 0} ? ${bits} as i32 : direct | ${bits}
                i32[stream + 8] = size
                i32[frame + ${shared.stream}] = end
              }
            }
          }
        }`
    }
  })

  /** The first byte of the lists of a unit, and the byte after its last. */
  const boundsOf = (code: FunctionBuilder, block: Node) => {
    const [lists, starts] = [writer.slot(code, block, 'lists'), writer.slot(code, block, 'listStarts')] as const
    return {
      firstOf: (code: FunctionBuilder, unit: Node) => value(code)`${lists} + i32[${starts} + ${unit} * 4]`,
      endOf: (code: FunctionBuilder, unit: Node) => value(code)`${lists} + i32[${starts} + ${unit} * 4 + 4]`,
    }
  }

  writer.phase('list', (code, of) => {
    const { block, scratch } = of
    const frame = frameOf(code, scratch)
    const needs = writer.slot(code, block, 'listNeeds')
    const gather = groupGatherer(code, of, options, { near, parts, wholes: false })
    const { firstOf, endOf } = boundsOf(code, block)
    const listGroups = (code: FunctionBuilder, unit: Node) =>
      groups.each(code, { ...of, first: unit, last: plus(unit, 1) }, (group) => {
        gather(code, group, append, () => {})
        write(code)`
          const frame = ${frame}
          i32[frame + ${shared.needed}] += 4
          if i32[frame + ${shared.stream}] < i32[frame + ${shared.streamEnd}] {
            let stream = i32[frame + ${shared.stream}]
            i32[stream] = 0
            i32[frame + ${shared.stream}] = stream + 4
          }`
      })
    write(code)`
      const frame = ${frame}
      for unit in ${of.first}..${of.last} {
        i32[frame + ${shared.stream}] = ${firstOf}(unit)
        i32[frame + ${shared.streamEnd}] = ${endOf}(unit)
        i32[frame + ${shared.needed}] = ${spareBytes}
        i32[frame + ${shared.ownFrom}] = 0
        ${listGroups}(unit)
        i32[${needs} + unit * 4] = i32[frame + ${shared.needed}]
      }`
  })

  writer.phase('listed', (code, of) => {
    const { block, scratch } = of
    const steps = groups.steps(code, block, scratch)
    const stream = code.local('i32', 'stream')
    const { firstOf } = boundsOf(code, block)
    const start = (code: FunctionBuilder, number: Node, state: Node) => {
      steps.start(code, number, state)
      if (!listsOwn) steps.meetOwn(code, number, state)
    }
    /** Meets a list with a piece, by the second word of its header. */
    const meet = (code: FunctionBuilder, piece: Node, state: Node, first: Node, end: Node, how: Node) => {
      const by = (once: boolean, kind: number) => (code: FunctionBuilder) =>
        steps.meet(code, piece, state, first, end, { once, kind })
      const byKind = (once: boolean) => (code: FunctionBuilder) =>
        write(code)`
          if ${near.apart} {
            if ${how} & ${directBit} { ${by(once, 1)}() } else { ${by(once, 0)}() }
          } else { ${by(once, 0)}() }`
      write(code)`
        if ${options.once} {
          if ${how} & ${onceBit} { ${byKind(true)}() } else { ${byKind(false)}() }
        } else { ${byKind(false)}() }`
    }
    const meetGroups = (code: FunctionBuilder, unit: Node) =>
      groups.each(code, { ...of, first: unit, last: plus(unit, 1) }, ({ firstBlock }, each) => {
        each(code, start)
        write(code)`
          const stream: i32 = ${stream}
          do {
            let mark = i32[stream]
            if mark {
              let piece = mark - 1
              let state = ${scratch} + (piece - ${firstBlock} * ${pieces}) * ${bytes / pieces}
              let how = i32[stream + 4]
              let first = stream + ${headerBytes}
              let end = first + i32[stream + 8]
              ${meet}(piece, state, first, end, how)
              stream = end
            } else { stream += 4 }
          } while mark`
        each(code, steps.finish)
      })
    write(code)`
      for unit in ${of.first}..${of.last} {
        ${stream} = ${firstOf}(unit)
        ${meetGroups}(unit)
      }`
  })
}
