/**
 * The results of a matrix.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import type { MatrixDesign } from '../../design/design.ts'
import type { DesignedResult } from './driver.ts'

/** The device holds all rows if they stay in their buffer, otherwise the rows of a block. */
export function matrixResults(
  { results, arrayBytes, rowsPerGroup }: MatrixDesign,
  bindings: Bindings,
  rows: number,
  whole: boolean,
): readonly DesignedResult[] {
  const columns = bindings.sources.count
  const room = Math.floor(arrayBytes / 4 / Math.max(1, columns))
  const held = whole ? rows : Math.min(rows, room, 65535 * rowsPerGroup)
  return results.map(({ name, type }) => ({ name, type, length: rows * columns, held: held * columns }))
}
