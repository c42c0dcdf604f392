/**
 * Sorts points on the device by digits of their keys. A pass sorts by one digit, in three dispatches: tiles of keys count
 * their digits, the counts are added up to places, and the keys and their points move there.
 *
 * @module
 */
import type { SortPasses } from '../../design/design.ts'
import type { Dispatch, Shader } from '../../design/shader.ts'
import { type Digit, digits, digitsAtOnce, keyWords, rowsOf, tilesOf } from '../../design/sort-layout.ts'
import { alongZ } from '../../design/spread.ts'

/** The shaders of a pass, in running order. */
export type SortShaders = Readonly<Record<'countDigits' | 'sumCounts' | 'moveKeys', Shader>>

/**
 * The dispatches that sort points. Their keys are in `keys`: the lower words, then the higher words. Afterwards `order` has
 * the points in the order of their keys, starting at `orderFirst`, where `orderWords(count)` words are free.
 *
 * @param by digits, the least significant first
 * @param rows number of rows of keys of a workgroup, at least as many as by default
 */
export function sortDispatches(
  { countDigits, sumCounts, moveKeys }: SortShaders,
  { count, orderFirst }: SortPasses,
  by: readonly Digit[],
  rows: number = rowsOf(count),
): readonly Dispatch[] {
  const tiles = tilesOf(count, rows)
  const size = alongZ(tiles)
  return by.flatMap(({ word, shift }, pass): readonly Dispatch[] => {
    // The last pass writes the first half.
    const [from, to] = (by.length - pass) % 2 ? [count, 0] : [0, count]
    const ofPoints = word !== by[pass - 1]?.word
    const values = {
      ...{ count, tiles, rows, shift },
      ordered: pass > 0 ? 1 : 0,
      ofPoints: ofPoints ? 1 : 0,
      keysFrom: ofPoints ? word * count : keyWords * count + from,
      keysTo: keyWords * count + to,
      orderFrom: orderFirst + from,
      orderTo: orderFirst + to,
    }
    return [
      { shader: countDigits, values, size },
      { shader: sumCounts, values, size: [digits / digitsAtOnce, 1, 1] },
      { shader: moveKeys, values, size },
    ]
  })
}
