/**
 * Sorts lists of distinct integers. In a short list, the place of a number is the count of lesser numbers, so no branch depends
 * on a number. A longer list is merged from short ones.
 *
 * @module
 */
import { define } from '../language/kernel.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import type { Callable } from '../wasm/nodes.ts'

/** The most numbers that are compared with each other. */
const part = 64
/** Registers of numbers that are compared with each other number at the same time. */
const together = 4
/** Bytes of scratch. */
export const sortBytes: number = 16 * together

/**
 * Adds `sortList(from, to, count, scratch)`, which writes the numbers at `from`, ascending, to `to`. It leaves the memory at
 * `from` undefined.
 */
export function defineSortList(module: ModuleBuilder): Callable {
  const sortPart = module.once('sortPart', () => defineSortPart(module))
  const merge = module.once('mergeLists', () => defineMerge(module))
  return define(module)`
    fn sortList(given, wanted, count, scratch) {
      for first in 0..count step ${part} {
        ${sortPart}(given + first * 4, wanted + first * 4, min(count - first, ${part}), scratch)
      }
      if count > ${part} {
        var from = wanted
        var to = given
        var width = ${part}
        do {
          var first = 0
          do {
            let middle = min(first + width, count)
            let end = min(middle + width, count)
            ${merge}(from + first * 4, from + middle * 4, from + end * 4, to + first * 4)
            first = end
          } while first < count
          let other = from
          from = to
          to = other
          width *= 2
        } while width < count
        if from != wanted { memory.copy(wanted, from, count * 4) }
      }
    }`
}

/** `sortPart(from, to, count, scratch)` sorts a few numbers. It may read a few bytes past the last one. */
function defineSortPart(module: ModuleBuilder): Callable {
  return define(module)`
    fn sortPart(from, to, count, scratch) {
      let end = from + count * 4
      for some in from..end step ${sortBytes} {
        unroll n of 0..${together} {
          let numbers[n]: i32x4 = v128[some + 16 * n]
          var less[n] = i32x4(0)
        }
        for each in from..end step 4 {
          let other = v128.load32_splat[each]
          // A condition is -1 where it holds.
          unroll n of 0..${together} { less[n] -= i32x4.lt_s(other, numbers[n]) }
        }
        unroll n of 0..${together} { v128[scratch + 16 * n] = less[n] }
        var place = scratch
        for one in some..min(some + ${sortBytes}, end) step 4 {
          i32[to + i32[place] * 4] = i32[one]
          place += 4
        }
      }
    }`
}

/** `mergeLists(first, middle, end, to)` merges two sorted parts. The second may be empty. */
function defineMerge(module: ModuleBuilder): Callable {
  return define(module)`
    fn mergeLists(var first, middle, end, var to) {
      var second = middle
      if second < end {
        do {
          let x = i32[first]
          let y = i32[second]
          let step = i32.lt_s(x, y) * 4
          i32[to] = step ? x : y
          first += step
          second = second + 4 - step
          to += 4
        } while first < middle && second < end
      }
      let left = middle - first
      memory.copy(to, first, left)
      memory.copy(to + left, second, end - second)
    }`
}
