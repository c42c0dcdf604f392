/**
 * The outer loop over pairs in ranges from the caller, chunk by chunk as in `pair-loop.ts`.
 *
 * @module
 */
import { define, write } from '../language/kernel.ts'
import { defineListedMark, type ListedMarkOptions } from '../parts/listed-marks.ts'
import { maskBytes } from '../parts/marks.ts'
import { bytesOf } from '../parts/points.ts'
import { targetRegisters } from '../parts/target-registers.ts'
import { defineTile, type PassOptions } from '../parts/tile.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { chunkOf, type LoopUnits } from './pair-loop.ts'

/**
 * Adds the phase `pairs` over ranges from the caller. Each block of targets lists the sources in its ranges, in ascending
 * order, and meets them in tiles. Where a unit holds targets of several blocks, a mask leaves out the other blocks' targets.
 */
export function defineRangedPass(given: PassOptions): LoopUnits {
  const options = { ...given, listed: 'numbers' as const }
  const { writer, body, fold, registers } = options
  const { unitTargets, unitState, callUnits } = chunkOf(options)
  const mark: ListedMarkOptions = {
    ...{ writer, targets: unitTargets, listed: 'numbers', ascending: true },
    ...{ skipSelf: body.skipSelf, exclusions: options.exclusions },
  }
  const plain = defineTile(options, false)
  const masked = defineTile(options, true)
  const marks = defineListedMark(mark)

  // Layout of scratch: fold states, the list of sources, the mask, scratch of a tile.
  const listAt = callUnits * unitState
  const maskAt = listAt + 4 * writer.tile
  const tileAt = maskAt + maskBytes(mark)

  const slot = (name: string) => writer.offset(name)
  /** `meetGiven(block, scratch, first, from, to, end)` meets the targets `from ... to` with a list; a call begins at unit `first`. */
  const meet = define(writer.module)`
    fn meetGiven(block, scratch, first, from, to, end) {
      let targets = i32[block + ${slot('targets')}]
      let sources = i32[block + ${slot('sources')}]
      let list = scratch + ${listAt}
      let unitFrom = from / ${unitTargets}
      let unitTo = (to + ${unitTargets - 1}) / ${unitTargets}
      for unit in unitFrom..unitTo {
        let state = scratch + (unit - first) * ${unitState}
        const target = targets + unit * ${registers * bytesOf(writer, options.targets)}
        const tile = scratch + ${tileAt}
        const mask = scratch + ${maskAt}
        if ${marks}(block, unit * ${unitTargets}, list, end, mask, from, to) {
          ${masked}(block, target, state, sources, end, 0, tile, mask, list)
        } else { ${plain}(block, target, state, sources, end, 0, tile, list) }
      }
    }`

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const [starts, offsets, ranges, blocks, count] = [
      ...['rangeTargets', 'rangeOffsets', 'rangeSources', 'rangeBlocks', 'targetCount'],
    ].map((name) => writer.slot(code, block, name)) as [Node, Node, Node, Node, Node]
    const registersOf = targetRegisters(options, code, block)
    const start = (code: FunctionBuilder, unit: Node, state: Node) => {
      for (const { register } of registersOf(unit, state)) fold.start(code, register)
    }
    const finish = (code: FunctionBuilder, unit: Node, state: Node) => {
      for (const { register, scale } of registersOf(unit, state)) fold.finish(code, register, scale())
    }
    write(code)`
      var number: i32
      var end: i32
      let begin = ${first} * ${unitTargets}
      let after = ${last} * ${unitTargets}
      let stop = min(after, ${count})
      let list = ${scratch} + ${listAt}
      for unit in ${first}..${last} {
        let state = ${scratch} + (unit - ${first}) * ${unitState}
        ${start}(unit, state)
      }
      number = i32[${blocks} + ${first} * 4]
      do {
        let own = i32[${starts} + number * 4]
        let next = i32[${starts} + number * 4 + 4]
        let from = max(own, begin)
        let to = min(next, stop)
        end = list
        for range in i32[${offsets} + number * 4]..i32[${offsets} + number * 4 + 4] {
          const place = ${ranges} + range * 8
          for source in i32[place]..i32[place + 4] {
            i32[end] = source
            end += 4
            if end == list + ${4 * writer.tile} {
              ${meet}(${block}, ${scratch}, ${first}, from, to, end)
              end = list
            }
          }
        }
        if end != list {
          ${meet}(${block}, ${scratch}, ${first}, from, to, end)
          end = list
        }
        number += 1
      } while next < stop
      for unit in ${first}..${last} {
        let state = ${scratch} + (unit - ${first}) * ${unitState}
        ${finish}(unit, state)
      }`
  })
  return { unitTargets, callUnits, scratchBytes: tileAt + registers * fold.tileBytes }
}
