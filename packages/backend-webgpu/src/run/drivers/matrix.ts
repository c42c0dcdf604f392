/**
 * A matrix, which is computed and read back in blocks of rows. The limits of the device and the time of a submission decide how
 * large a block is.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import type { MatrixDesign, MatrixVersion } from '../../design/design.ts'
import { spread } from '../../design/spread.ts'
import { type DesignedResult, type DesignRun, type LoopDriver, type Step, spansOf, valuesOf } from './driver.ts'

export const matrixDriver: LoopDriver<MatrixDesign> = (design, version, run, [result]) => ({
  scratch: {},
  steps: result ? blocks(design, version, run, result.held) : [],
})

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

function* blocks(
  { rowsPerGroup, columnsPerGroup }: MatrixDesign,
  { shaders, run }: MatrixVersion,
  { bindings, options, budget, whole = false }: DesignRun,
  held: number,
): Generator<Step> {
  const parameters = valuesOf(run, bindings.parameters)
  const columns = bindings.sources.count
  const [[targetFirst, targetLast], [sourceFirst, sourceLast]] = spansOf(bindings, options)
  const rows = targetLast - targetFirst
  const initial = options.initial?.value
  for (let first = 0; first < rows; ) {
    const timed = whole ? rows : Math.max(rowsPerGroup, Math.floor(budget() / columns))
    const block = Math.min(rows - first, held / columns, timed)
    const [at, length] = [first * columns, block * columns]
    const values = {
      ...parameters,
      targetFirst: targetFirst + first,
      targetCount: block,
      sourceFirst,
      sourceLast,
      sourceCount: columns,
      carry: initial ? 1 : 0,
    }
    const [x, z] = spread(Math.ceil(columns / columnsPerGroup))
    first += block
    yield {
      dispatches: [{ shader: shaders.loop, values, size: [x, Math.ceil(block / rowsPerGroup), z] }],
      interactions: length,
      done: first >= rows ? 1 : first / rows,
      reads: [{ name: 'value', at, length }],
      ...(initial && { writes: { value: Float32Array.from(initial.subarray(at, at + length)) } }),
    }
  }
}
