/**
 * Verlet lists: neighbour lists with a skin, reused for several rounds. The phase `list` rebuilds them, and the phase `listed`
 * meets them. A list holds until a point has moved by half of the skin. The host decides when to rebuild
 * (`run/placement/lasting.ts`).
 *
 * Each piece of a block, the targets that a tile takes in one call, has its own lists. The lists of a unit follow each other in
 * the order of their use. Each has a header of three words: the number of the piece plus 1, how its places are met, and its
 * bytes. A 0 ends the lists of a group. If the lists do not fit, the unit goes on counting, and reports the bytes that they
 * need.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { headerBytes, spareBytes } from '../../design/list-layout.ts'
import { type BlockPassOptions, blockState, piecesOf, type ScratchAddresses } from '../loops/target-block.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { definePicks, groupGatherer } from './gather-groups.ts'
import { type NearOptions, pickedAt, parts as shared } from './near-lists.ts'
import { definePickTargets } from './pick-targets.ts'
import type { UnitGroups } from './unit-groups.ts'

/** Bits of the second word of a header. */
const [onceBit, directBit] = [2, 1]

export function defineLastingLists(
  options: BlockPassOptions,
  near: NearOptions,
  groups: UnitGroups,
  parts: ScratchAddresses,
): void {
  const { writer } = options
  const bytes = blockState(options)
  const frameOf = (code: FunctionBuilder, scratch: Node) => code.let('i32', 'frame', plus(scratch, parts.walk))
  const word = (frame: Node, name: 'stream' | 'streamEnd' | 'needed' | 'ownFrom') => at('i32.load', shared[name], frame)

  const pieces = piecesOf(options)
  /** Whether lists also have the places of the block itself. With marks they do not, because marks expect ascending places. */
  const listsOwn = options.once && !options.body.skipSelf
  const pickTargets = definePickTargets(near, blockPoints / pieces)
  const append = definePicks('append', options, near, { parts, displacements: true }, (code, block, scratch) => {
    const frame = frameOf(code, scratch)
    const picked = code.let('i32', 'pickedFrom', plus(frame, pickedAt(near)))
    const lastFull = near.apart ? 1 : 0
    const targetCount = listsOwn ? writer.slot(code, block, 'targetCount') : i32(0)
    const iota = code.let('v128', 'iota', at('v128.load', shared.iota, frame))
    return ({ number, how, pick, direct }) => {
      const pickedEnd = code.let('i32', 'pickedEnd', pick(picked))
      const once = i32(how.once ? onceBit : 0)
      const kind = how.kind === 0 ? once : code.let('i32', 'kind', op('i32.or', direct as Node, once))
      /** Number of places of the block itself. They come first, in the first list with the block's kind of images. */
      const own = code.local('i32', 'own')
      const hasOwn = listsOwn && !how.once
      code.emit(set(own, i32(0)))
      if (hasOwn) {
        const due = op('i32.ge_u', number, word(frame, 'ownFrom'))
        const suits = direct && (how.kind === 0 ? op('i32.eqz', direct) : direct)
        code.if(suits ? op('i32.and', due, suits) : due, () => {
          const left = code.let('i32', 'left', op('i32.sub', targetCount, times(number, blockPoints)))
          code.emit(set(own, op('select', left, i32(blockPoints), op('i32.lt_u', left, i32(blockPoints)))))
        })
        if (how.kind === lastFull) code.emit(at('i32.store', shared.ownFrom, frame, plus(number, 1)))
      }
      code.if(op('i32.or', get(own), op('i32.lt_u', picked, pickedEnd)), () =>
        code.for('n', i32(0), i32(pieces), 1, (n) => {
          const stream = code.let('i32', 'stream', word(frame, 'stream'))
          const fits = code.let('i32', 'fits', op('i32.le_u', plus(stream, spareBytes), word(frame, 'streamEnd')))
          const to = code.let('i32', 'to', op('select', plus(stream, headerBytes), plus(scratch, parts.list), fits))
          if (hasOwn)
            for (let place = 0; place < blockPoints; place += 4) {
              const first = op('i32x4.splat', plus(times(number, blockPoints), place))
              code.emit(at('v128.store', 4 * place, to, op('i32x4.add', first, iota)))
            }
          const from = plus(to, times(get(own), 4))
          const end = code.let(
            'i32',
            'listEnd',
            call(pickTargets, frame, pickedEnd, from, times(n, blockPoints / pieces)),
          )
          const size = code.let('i32', 'size', op('i32.sub', end, to))
          code.if(size, () => {
            const needed = plus(word(frame, 'needed'), plus(size, headerBytes))
            code.emit(at('i32.store', shared.needed, frame, needed))
            code.if(fits, () =>
              code.emit(
                at('i32.store', 0, stream, plus(plus(times(number, pieces), n), 1)),
                at('i32.store', 4, stream, kind),
                at('i32.store', 8, stream, size),
                at('i32.store', shared.stream, frame, end),
              ),
            )
          })
        }),
      )
    }
  })

  /** The first byte of the lists of a unit, and the byte after its last. */
  const boundsOf = (code: FunctionBuilder, block: Node, unit: Node) => {
    const [lists, starts] = [writer.slot(code, block, 'lists'), writer.slot(code, block, 'listStarts')]
    return [0, 4].map((next) => plus(lists, at('i32.load', next, plus(starts, times(unit, 4))))) as [Node, Node]
  }

  writer.phase('list', (code, of) => {
    const { block, scratch } = of
    const frame = frameOf(code, scratch)
    const needs = writer.slot(code, block, 'listNeeds')
    const gather = groupGatherer(code, of, options, { near, parts, wholes: false })
    code.for('unit', of.first, of.last, 1, (unit) => {
      const [from, to] = boundsOf(code, block, unit)
      code.emit(
        at('i32.store', shared.stream, frame, from),
        at('i32.store', shared.streamEnd, frame, to),
        at('i32.store', shared.needed, frame, i32(spareBytes)),
        at('i32.store', shared.ownFrom, frame, i32(0)),
      )
      groups.each(code, { ...of, first: unit, last: plus(unit, 1) }, (group) => {
        gather(group, append, () => {})
        code.emit(at('i32.store', shared.needed, frame, plus(word(frame, 'needed'), 4)))
        code.if(op('i32.lt_u', word(frame, 'stream'), word(frame, 'streamEnd')), () => {
          const stream = code.let('i32', 'stream', word(frame, 'stream'))
          code.emit(at('i32.store', 0, stream, i32(0)), at('i32.store', shared.stream, frame, plus(stream, 4)))
        })
      })
      code.emit(at('i32.store', 0, plus(needs, times(unit, 4)), word(frame, 'needed')))
    })
  })

  writer.phase('listed', (code, of) => {
    const { block, scratch } = of
    const steps = groups.steps(code, block, scratch)
    const stream = code.local('i32', 'stream')
    code.for('unit', of.first, of.last, 1, (unit) => {
      code.emit(set(stream, boundsOf(code, block, unit)[0]))
      groups.each(code, { ...of, first: unit, last: plus(unit, 1) }, ({ firstBlock }, each) => {
        each((number, state) => {
          steps.start(number, state)
          if (!listsOwn) steps.meetOwn(number, state)
        })
        code.repeat(() => {
          const mark = code.let('i32', 'mark', at('i32.load', 0, get(stream)))
          code.if(
            mark,
            () => {
              const piece = code.let('i32', 'piece', op('i32.sub', mark, i32(1)))
              const before = op('i32.sub', piece, times(firstBlock, pieces))
              const state = code.let('i32', 'state', plus(scratch, times(before, bytes / pieces)))
              const how = code.let('i32', 'how', at('i32.load', 4, get(stream)))
              const first = code.let('i32', 'first', plus(get(stream), headerBytes))
              const end = code.let('i32', 'end', plus(first, at('i32.load', 8, get(stream))))
              const meet = (once: boolean, kind: number) => steps.meet(piece, state, first, end, { once, kind })
              const meetKinds = (once: boolean) => {
                if (!near.apart) return meet(once, 0)
                code.if(
                  op('i32.and', how, i32(directBit)),
                  () => meet(once, 1),
                  () => meet(once, 0),
                )
              }
              if (options.once)
                code.if(
                  op('i32.and', how, i32(onceBit)),
                  () => meetKinds(true),
                  () => meetKinds(false),
                )
              else meetKinds(false)
              code.emit(set(stream, end))
            },
            () => code.emit(set(stream, plus(get(stream), 4))),
          )
          return mark
        })
        each(steps.finish)
      })
    })
  })
}
