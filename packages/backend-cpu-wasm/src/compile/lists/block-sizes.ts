/**
 * The phases that find the largest size of the points in each block and in each node above, where cutoffs of pairs have sizes
 * (`cutoff-sizes.ts` of core). Blocks keep the sizes of their targets behind their boxes, and nodes those of their sources.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { PhaseShape } from '../../design/design.ts'
import { define } from '../language/kernel.ts'
import type { ListOptions } from './neighbour-lists.ts'

/** Offset of the size of the sources behind the box of a block. */
const sourceSize = nodeLinks.size - 4

/** Adds the phases `targetSizes` and `sourceSizes`, whose units are blocks, and `nodeSizes`. In one set, both sizes may be the same. */
export function defineSizes({ writer, targets, sources, sameSet }: ListOptions): void {
  const { vector, module } = writer
  const { lanes } = vector
  const blockBytes = (blockPoints / lanes) * targets.bytes
  const slot = (name: string) => writer.offset(name)
  const sourceAt = sameSet && targets.asSource === targets.asTarget ? nodeLinks.size : sourceSize
  // Targets are registers. The last one may be followed by none.
  const ofRegisters = (name: string, offset: number, to: number) =>
    define(module)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      fn ${name}(block, scratch, first, last) {
        let points = i32[block + ${slot('targets')}]
        let blocks = i32[block + ${slot('targetBlocks')}]
        let end = points + (i32[block + ${slot('targetCount')}] + ${lanes - 1}) / ${lanes} * ${targets.bytes}
        for unit in first..last {
          let from = points + unit * ${blockBytes}
          var largest: real
          largest = 0
          for register in from..min(from + ${blockBytes}, end) step ${targets.bytes} {
            largest = pmax(largest, v128[register + ${offset}] as real)
          }
          f32[blocks + unit * ${nodeBytes} + ${to}] = f32(max(n of 0..${lanes}: lane(largest, n) as number))
        }
      }`
  ofRegisters('targetSizes', targets.asTarget, nodeLinks.size)
  if (sameSet && sourceAt === sourceSize) ofRegisters('sourceSizes', targets.asSource, sourceAt)
  if (!sameSet)
    define(module)`
      scalar number = ${vector.number}
      fn sourceSizes(block, scratch, first, last) {
        let points = i32[block + ${slot('sources')}]
        let blocks = i32[block + ${slot('sourceBlocks')}]
        let count = i32[block + ${slot('sourceCount')}]
        for unit in first..last {
          let from = unit * ${blockPoints}
          var largest: f32
          largest = 0
          for place in from..min(from + ${blockPoints}, count) {
            largest = max(largest, f32(number[points + place * ${sources.bytes} + ${sources.asSource}]))
          }
          f32[blocks + unit * ${nodeBytes} + ${sourceAt}] = largest
        }
      }`
  // Nodes are stored depth first, so this backward loop meets children before their parents.
  define(module)`
    fn nodeSizes(block, scratch, first, last) {
      let blocks = i32[block + ${slot('sourceBlocks')}]
      let nodes = i32[block + ${slot('nodes')}]
      var node = i32[block + ${slot('nodesEnd')}]
      while node != nodes {
        node -= ${nodeBytes}
        let left = node + ${nodeBytes}
        if nodes + i32[node + ${nodeLinks.skip}] * ${nodeBytes} != left {
          let right = nodes + i32[left + ${nodeLinks.skip}] * ${nodeBytes}
          f32[node + ${nodeLinks.size}] = max(f32[left + ${nodeLinks.size}], f32[right + ${nodeLinks.size}])
        } else {
          let place = i32[node + ${nodeLinks.first}]
          f32[node + ${nodeLinks.size}] = f32[blocks + place * ${nodeBytes / blockPoints} + ${sourceAt}]
        }
      }
    }`
}

/** The phases of sizes, in order. @param both whether a set has two sizes, or there are two sets */
export function sizePhases(sameSet: boolean, both: boolean): readonly PhaseShape[] {
  const cheap = { points: blockPoints, callUnits: 4096, pairs: false, nanoseconds: 1, forSearch: true }
  return [
    { ...cheap, name: 'targetSizes', over: 'target' },
    ...(both ? [{ ...cheap, name: 'sourceSizes', over: sameSet ? 'target' : 'source' } as const] : []),
    { ...cheap, name: 'nodeSizes', over: 'source', units: 1 },
  ]
}
