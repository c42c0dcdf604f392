/**
 * The loop over pairs of a sum with a tolerance. A few blocks of targets walk the tree together. What they find, sources and
 * proxies of far nodes, is copied side by side, and each block meets it in tiles, as it does in the loop over all pairs.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import { openingWalk } from '../ranges/opening-walk.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineMark, type MarkOptions, maskBytes } from './marks.ts'
import { type LoopUnits, type PassOptions, targetRegisters } from './pair-loop.ts'
import { bytesOf } from './points.ts'
import { placesOfUnit } from './target-block.ts'
import { defineTile } from './tile.ts'

/** The most blocks of targets that walk together. */
const groupBlocks: Readonly<Record<number, number>> = { 2: 2, 3: 4 }
/** The most blocks of a node that is in one unit as a whole, and the number of units in a call. */
const [unitBlocks, callUnits] = [32, 2]
/** The most records that are copied side by side before they are met. */
const mostGathered = 2048
/** The most proxies of a node, and the most points of one that is taken directly. */
const mostAtOnce = 1024

/** Adds the phase `pairs`. */
export function defineTreePass(options: PassOptions & { readonly sameSet: boolean }): LoopUnits {
  const { writer, body, fold, registers, dimension } = options
  const { vector } = writer
  const pieceTargets = registers * vector.lanes
  const pieces = blockPoints / pieceTargets
  const blockState = pieces * registers * fold.stateBytes
  const most = groupBlocks[dimension] as number
  const record = bytesOf(writer, options.sources)
  const mark: MarkOptions = { writer, targets: pieceTargets, skipSelf: body.skipSelf, exclusions: false }
  const plain = defineTile(options, false)
  const masked = body.skipSelf ? { tile: defineTile(options, true), marks: defineMark(mark) } : undefined

  // Layout of scratch: fold states, the mask, scratch of a tile, records.
  const maskAt = most * blockState
  const tileAt = maskAt + (masked ? maskBytes(mark) : 0)
  const recordsAt = Math.ceil((tileAt + registers * fold.tileBytes) / 16) * 16

  /** The address of the state of a piece of a block, of the blocks from `first` on. */
  const stateOf = (scratch: Node, piece: Node, first: Node) =>
    plus(scratch, times(op('i32.sub', piece, times(first, pieces)), registers * fold.stateBytes))

  /** `meet(block, scratch, first, last, end)` meets the blocks of targets from `first` on with the records up to `end`. */
  const parameters = integers('block', 'scratch', 'first', 'last', 'end')
  const meet = writer.module.define('meet', parameters, undefined, (code, { block, scratch, first, last, end }) => {
    const [targets, evaluated] = [writer.slot(code, block, 'targets'), writer.slot(code, block, 'evaluated')]
    const records = code.let('i32', 'records', plus(scratch, recordsAt))
    const held = code.let('i32', 'held', op('i32.div_u', op('i32.sub', end, records), i32(record)))
    code.for('number', first, last, 1, (number) => {
      const met = code.let('i32', 'met', plus(evaluated, times(number, 4)))
      code.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), held)))
    })
    code.for('tile', records, end, writer.tile * record, (tile) => {
      const next = plus(tile, writer.tile * record)
      const tileEnd = code.let('i32', 'tileEnd', op('select', next, end, op('i32.lt_u', next, end)))
      code.for('piece', times(first, pieces), times(last, pieces), 1, (piece) => {
        const target = plus(targets, times(piece, registers * bytesOf(writer, options.targets)))
        code.emit(
          call(plain, block, target, stateOf(scratch, piece, first), tile, tileEnd, i32(0), plus(scratch, tileAt)),
        )
      })
    })
  })
  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, starts, evaluated] = [slot('targetNodes'), slot('unitStarts'), slot('evaluated')]
    const [targets, sources, proxies, proxyBytes] = [
      slot('targets'),
      slot('sources'),
      slot('proxies'),
      slot('proxyBytes'),
    ]
    const records = code.let('i32', 'records', plus(scratch, recordsAt))
    const full = code.let('i32', 'full', plus(records, (mostGathered - mostAtOnce) * record))
    const walk = openingWalk(code, block, options)
    const registersOf = targetRegisters(options, code, block)
    const [node, going, end] = [
      code.local('i32', 'group'),
      code.local('i32', 'going'),
      code.local('i32', 'gatheredEnd'),
    ]
    code.for('unit', first, last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      code.emit(set(node, nodes))
      // The largest nodes of targets inside the unit, in their order.
      code.if(op('i32.lt_u', from, to), () =>
        code.repeat(() => {
          const place = code.let('i32', 'placeFrom', at('i32.load', nodeLinks.first, get(node)))
          const placeEnd = code.let('i32', 'placeTo', at('i32.load', nodeLinks.last, get(node)))
          const skip = code.let(
            'i32',
            'skipTo',
            plus(nodes, times(at('i32.load', nodeLinks.skip, get(node)), nodeBytes)),
          )
          const small = op('i32.le_u', op('i32.sub', placeEnd, place), i32(most * blockPoints))
          const inside = op('i32.and', op('i32.ge_u', place, from), op('i32.le_u', placeEnd, to))
          code.if(
            op('i32.and', inside, small),
            () => {
              const firstBlock = code.let('i32', 'firstBlock', op('i32.div_u', place, i32(blockPoints)))
              const endBlock = code.let(
                'i32',
                'endBlock',
                op('i32.div_u', plus(placeEnd, blockPoints - 1), i32(blockPoints)),
              )
              const each = (write: (piece: Node, state: Node) => void) =>
                code.for('piece', times(firstBlock, pieces), times(endBlock, pieces), 1, (piece) =>
                  write(piece, code.let('i32', 'state', stateOf(scratch, piece, firstBlock))),
                )
              const own = code.let('i32', 'own', op('i32.sub', placeEnd, place))
              code.for('number', firstBlock, endBlock, 1, (number) =>
                code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), masked ? own : i32(0))),
              )
              each((piece, state) => {
                for (const { register } of registersOf(piece, state)) fold.start(code, register)
              })
              const meetAll = () => code.emit(call(meet, block, scratch, firstBlock, endBlock, get(end)))
              const copy = (address: Node, bytes: Node) => {
                code.if(op('i32.gt_u', get(end), full), () => {
                  meetAll()
                  code.emit(set(end, records))
                })
                const source = code.let('i32', 'copied', address)
                const length = code.let('i32', 'bytes', bytes)
                // The last register may reach past the end: what follows it is overwritten.
                code.for('byte', i32(0), length, 16, (byte) =>
                  code.emit(at('v128.store', 0, plus(get(end), byte), at('v128.load', 0, plus(source, byte)))),
                )
                code.emit(set(end, plus(get(end), length)))
              }
              code.emit(set(end, records))
              walk(get(node), {
                take: (sourceFrom, sourceTo) => {
                  const [a, b] = [code.let('i32', 'from', sourceFrom), code.let('i32', 'to', sourceTo)]
                  const copySources = () => copy(plus(sources, times(a, record)), times(op('i32.sub', b, a), record))
                  // Targets meet each other below, where they leave themselves out.
                  if (masked) code.if(op('i32.or', op('i32.ge_u', a, placeEnd), op('i32.ge_u', place, b)), copySources)
                  else copySources()
                },
                takeProxies: (proxy) => copy(plus(proxies, times(proxy, record)), proxyBytes),
              })
              meetAll()
              if (masked) {
                const ownFrom = code.let('i32', 'ownFrom', plus(sources, times(place, record)))
                const ownEnd = code.let('i32', 'ownEnd', plus(sources, times(placeEnd, record)))
                const mask = plus(scratch, maskAt)
                each((piece, state) => {
                  const target = plus(targets, times(piece, registers * bytesOf(writer, options.targets)))
                  const args = [block, target, state, ownFrom, ownEnd, place, plus(scratch, tileAt)]
                  code.if(
                    call(masked.marks, block, i32(0), times(piece, pieceTargets), place, own, mask),
                    () => code.emit(call(masked.tile, ...args, mask)),
                    () => code.emit(call(plain, ...args)),
                  )
                })
              }
              each((piece, state) => {
                for (const { register, scale } of registersOf(piece, state)) fold.finish(code, register, scale())
              })
              code.emit(set(node, skip), set(going, op('i32.lt_u', placeEnd, to)))
            },
            () =>
              code.emit(
                set(node, op('select', skip, plus(get(node), nodeBytes), op('i32.le_u', placeEnd, from))),
                set(going, i32(1)),
              ),
          )
          return get(going)
        }),
      )
    })
  })
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits,
    scratchBytes: recordsAt + mostGathered * record + 16,
  }
}
