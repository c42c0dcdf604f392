/**
 * A matrix, which is computed and read back in blocks of rows. The limits of the device and the time of a submission decide how
 * large a block is.
 *
 * @module
 */
import type { MatrixDesign, MatrixVersion } from '../../design/design.ts'
import { spread } from '../../design/spread.ts'
import { type DesignRun, type LoopDriver, type Step, spansOf, valuesOf } from './driver.ts'

export const matrixDriver: LoopDriver<MatrixDesign> = (design, version, run, [result]) => ({
  scratch: {},
  steps: result ? blocks(design, version, run, result.held) : [],
})

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
    const fits = Math.min(rows - first, held / columns, timed)
    // All rows that are left, or whole groups, if one fits: a group takes as long for a part of its rows.
    const block = fits < rows - first && fits > rowsPerGroup ? fits - (fits % rowsPerGroup) : fits
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
