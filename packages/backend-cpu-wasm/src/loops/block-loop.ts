/**
 * The loop over pairs of near blocks. A block of targets walks the tree of boxes over the sources, gathers the blocks within
 * reach in a list of ranges, and meets them whenever the list is as long as a tile.
 *
 * The units of the phase `pairs` are blocks of targets. Targets, sources and results are in the order of places; the phase
 * `scatter` puts the results in the order of points. `@manybody/core/backend` defines the layout of the trees, and the walks
 * do the same as its `walkWithin` and `walkNearest`.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { ResultLayout } from '../folds/fold.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineListedMark } from './listed-marks.ts'
import { type MarkOptions, maskBytes } from './marks.ts'
import { nearestWalk, waitingBytes } from './nearest-walk.ts'
import { type Pass, type PassOptions, targetRegisters } from './pair-loop.ts'
import { bytesOf } from './points.ts'
import { defineTile, rangeBytes } from './tile.ts'
import { type Walk, walkNumbers } from './walk.ts'

/** Number of blocks of targets in one call, each with some thousands of pairs. */
const callUnits = 64

/** Number of sources in a tile if targets keep what is nearest. It is small, because each tile shortens the reach. */
const nearTile = 16

export interface BlockPassOptions extends PassOptions {
  readonly periodic: boolean
  /** If targets keep what is nearest: the power of the distance that they keep. */
  readonly kept: 1 | 2 | undefined
  /** The most nodes that wait at the same time. */
  readonly deepest: number
}

/** Adds the phases `pairs` and `scatter`. */
export function defineBlockPass(given: BlockPassOptions): Pass {
  const options = { ...given, listed: true }
  const { writer, body, fold, registers } = options
  const unitTargets = registers * writer.v.lanes
  const stateBytes = registers * fold.stateBytes
  const masked = body.skipSelf || options.exclusions
  const mark: MarkOptions = { writer, targets: unitTargets, skipSelf: body.skipSelf, exclusions: options.exclusions }
  const plain = defineTile(options, false)
  const withMask = masked ? defineTile(options, true) : undefined
  const marks = masked ? defineListedMark(mark, options.kept === undefined) : undefined

  // Layout of scratch: the state of the fold, the list, the mask, scratch of a tile.
  const listAt = stateBytes
  // All blocks of sources are full but the last, which has at least one source.
  const maskAt = listAt + (writer.tile / blockPoints + 2) * rangeBytes
  const tileAt = maskAt + (masked ? maskBytes(mark) : 0)
  const stackAt = Math.ceil((tileAt + registers * fold.tileBytes) / 8) * 8
  const inTile = options.kept ? nearTile : writer.tile

  writer.phase('pairs', (f, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [targets, sources, sourceOrder, evaluated] = ['targets', 'sources', 'sourceOrder', 'evaluated'].map(slot) as [
      Node,
      Node,
      Node,
      Node,
    ]
    const list = f.let('i32', 'list', plus(scratch, listAt))
    const worst = () => Array.from({ length: registers }, (_, u) => at('v128.load', u * fold.stateBytes, scratch))
    const held = f.local('i32', 'held')
    const { kept: power } = options
    const stack = f.let('i32', 'stack', plus(scratch, stackAt))
    const shortened = () => op('i32.eqz', get(held))
    const walk = power
      ? nearestWalk(f, block, { ...options, power, stack, worst, shortened })
      : walkIn(f, writer, block, options, (sources) => {
          for (let u = 0; u < registers; u++) fold.whole?.(f, plus(scratch, u * fold.stateBytes), sources)
        })
    const registersOf = targetRegisters(options, f, block)
    const end = f.local('i32', 'listEnd')
    const met = f.local('i32', 'met')
    f.for('unit', first, last, 1, (unit) => {
      for (const { register } of registersOf(unit, scratch)) fold.start(f, register)
      const target = f.let('i32', 'target', plus(targets, times(unit, registers * bytesOf(writer, options.targets))))
      const meet = () => {
        const mask = plus(scratch, maskAt)
        const args = [block, target, scratch, sources, get(end), sourceOrder, plus(scratch, tileAt)]
        f.emit(set(met, plus(get(met), get(held))))
        if (!withMask || !marks) f.emit(call(plain, ...args, list))
        else
          f.if(
            call(marks, block, times(unit, unitTargets), list, get(end), mask),
            () => f.emit(call(withMask, ...args, mask, list)),
            () => f.emit(call(plain, ...args, list)),
          )
      }
      const clear = () => f.emit(set(end, list), set(held, i32(0)))
      f.emit(set(met, i32(0)))
      clear()
      walk(op('i32.div_u', times(unit, unitTargets), i32(blockPoints)), (from, to) => {
        const count = f.let('i32', 'count', op('i32.sub', to, from))
        const goesOn = op('i32.eq', at('i32.load', 0, op('i32.sub', get(end), i32(4))), from)
        f.if(
          op('i32.and', op('i32.ne', get(held), i32(0)), goesOn),
          () => f.emit(at('i32.store', 0, op('i32.sub', get(end), i32(4)), to)),
          () => {
            f.emit(at('i32.store', 0, get(end), from), at('i32.store', 4, get(end), to))
            f.emit(set(end, plus(get(end), rangeBytes)))
          },
        )
        f.emit(set(held, plus(get(held), count)))
        // The next block may be full.
        f.if(op('i32.gt_u', get(held), i32(inTile - blockPoints)), () => {
          meet()
          clear()
        })
      })
      f.if(get(held), meet)
      f.emit(at('i32.store', 0, plus(evaluated, times(unit, 4)), get(met)))
      for (const { register, scale } of registersOf(unit, scratch)) fold.finish(f, register, scale())
    })
  })
  defineScatter(writer, fold.results)
  return { unitTargets, callUnits, scratchBytes: stackAt + (options.kept ? options.deepest * waitingBytes : 0) }
}

const axes = [0, 1, 2] as const

/**
 * Writes the walk for the box of a block of targets. If the fold can count sources without their pairs, `whole` receives the
 * nodes whose sources count for every target.
 */
function walkIn(
  f: FunctionBuilder,
  writer: ModuleWriter,
  block: Node,
  { dimension, periodic, body, fold, exclusions }: BlockPassOptions,
  whole: (sources: Node) => void,
): Walk {
  const slot = (name: string) => writer.slot(f, block, name)
  const [nodes, nodesEnd, targetBlocks, walk] = ['nodes', 'nodesEnd', 'targetBlocks', 'walk'].map(slot) as [
    Node,
    Node,
    Node,
    Node,
  ]
  const used = axes.slice(0, dimension)
  const number = (offset: number, address: Node) => at('f64.load', offset, address)
  const named = (name: string, offset: number) => f.let('f64', name, number(offset, walk))
  const reach2 = named('reach2', walkNumbers.reach2)
  const boxes = periodic
    ? used.map((axis) => ({
        length: named('length', walkNumbers.lengths + axis * 8),
        share: named('share', walkNumbers.shares + axis * 8),
      }))
    : []
  const wholes = fold.whole && !exclusions ? { within2: named('within2', walkNumbers.within2) } : undefined
  const [node, apart, gap2] = [f.local('i32', 'node'), f.local('f64', 'apart'), f.local('f64', 'gap2')]
  const far2 = f.local('f64', 'far2')
  const square = (x: Node) => op('f64.mul', x, x)
  return (targetBlock, take) => {
    const box = f.let('i32', 'box', plus(targetBlocks, times(targetBlock, nodeBytes)))
    const target = used.map((axis) => ({
      centre: f.let('f64', 'centre', number(axis * 8, box)),
      half: f.let('f64', 'half', number(24 + axis * 8, box)),
    }))
    const own = f.let('i32', 'own', times(targetBlock, blockPoints))
    const zero: Node = { kind: 'constant', type: 'f64', value: 0 }
    f.emit(set(node, nodes))
    f.if(op('i32.lt_u', get(node), nodesEnd), () =>
      f.repeat(() => {
        f.emit(set(gap2, zero))
        if (wholes) f.emit(set(far2, zero))
        for (const axis of used) {
          const { centre, half } = target[axis] as (typeof target)[number]
          f.emit(set(apart, op('f64.sub', number(axis * 8, get(node)), centre)))
          const around = boxes[axis]
          if (around) {
            const images = op('f64.nearest', op('f64.mul', get(apart), around.share))
            f.emit(set(apart, op('f64.sub', get(apart), op('f64.mul', around.length, images))))
          }
          const nearest = f.let('f64', 'nearest', op('f64.abs', get(apart)))
          const halves = f.let('f64', 'halves', op('f64.add', number(24 + axis * 8, get(node)), half))
          const gap = f.let('f64', 'gap', op('f64.max', op('f64.sub', nearest, halves), zero))
          f.emit(set(gap2, op('f64.add', get(gap2), square(gap))))
          if (!wholes) continue
          const far = f.let('f64', 'far', op('f64.add', nearest, halves))
          f.emit(set(far2, op('f64.add', get(far2), square(far))))
        }
        const next = f.let('i32', 'next', plus(get(node), nodeBytes))
        const skipped = plus(nodes, times(at('i32.load', nodeLinks.skip, get(node)), nodeBytes))
        const skip = f.let('i32', 'skip', skipped)
        const from = f.let('i32', 'from', at('i32.load', nodeLinks.first, get(node)))
        const to = f.let('i32', 'to', at('i32.load', nodeLinks.last, get(node)))
        const open = () => {
          f.if(op('i32.eq', skip, next), () => take(from, to))
          f.emit(set(node, next))
        }
        const within = () => {
          if (!wholes) return open()
          const inside = op('f64.le', get(far2), wholes.within2)
          // A node with the targets themselves is opened, because a point does not count itself.
          const other = op('i32.ge_u', op('i32.sub', own, from), op('i32.sub', to, from))
          f.if(
            body.skipSelf ? op('i32.and', inside, other) : inside,
            () => {
              whole(op('i32.sub', to, from))
              f.emit(set(node, skip))
            },
            open,
          )
        }
        // A gap is NaN if a box is not finite. Comparing it is false, so such a box is never skipped.
        f.if(op('f64.gt', get(gap2), reach2), () => f.emit(set(node, skip)), within)
        return op('i32.lt_u', get(node), nodesEnd)
      }),
    )
  }
}

/** The phase `scatter`, whose units are places, puts results in the order of points. */
function defineScatter(writer: ModuleWriter, results: readonly ResultLayout[]): void {
  writer.phase('scatter', (f, { block, first, last }) => {
    const order = writer.slot(f, block, 'targetOrder')
    const arrays = results.map(({ name, entries, type }) => ({
      from: writer.slot(f, block, `result.${name}`),
      to: writer.slot(f, block, `final.${name}`),
      entries,
      number: type === 'number' && writer.v.bytes === 8 ? ('i64' as const) : ('i32' as const),
    }))
    f.for('place', first, last, 1, (place) => {
      const point = f.let('i32', 'point', at('i32.load', 0, plus(order, times(place, 4))))
      for (const { from, to, entries, number } of arrays) {
        const bytes = number === 'i64' ? 8 : 4
        const source = f.let('i32', 'source', plus(from, times(place, entries * bytes)))
        const target = f.let('i32', 'target', plus(to, times(point, entries * bytes)))
        f.for('byte', i32(0), i32(entries * bytes), bytes, (byte) =>
          f.emit(at(`${number}.store`, 0, plus(target, byte), at(`${number}.load`, 0, plus(source, byte)))),
        )
      }
    })
  })
}
