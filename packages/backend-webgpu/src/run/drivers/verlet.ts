/**
 * A loop over pairs within a cutoff by Verlet lists, for rounds of a sequence. Each round rebuilds the lists if a point has moved too far, all
 * on the device. Its stage carries the positions of the rebuild.
 *
 * @module
 */
import { cellReach } from '../../design/cell-layout.ts'
import type { KnownDispatch, VerletDesign } from '../../design/design.ts'
import type { Dispatch, Shader } from '../../design/shader.ts'
import { alongZ } from '../../design/spread.ts'
import { listSizes } from '../../design/verlet-layout.ts'
import { cellValues } from './cells.ts'
import { type LoopDriver, valuesOf } from './driver.ts'

/** @throws RangeError if `listSizes` finds no lists for the parameters of the run */
export const verletDriver: LoopDriver<VerletDesign> = ({ targetsPerGroup, slices, reach, mostCells }, version, run) => {
  const { parameters } = run.bindings
  const { rule } = reach
  const { sourceCount } = version.values
  const sizes = listSizes(rule, parameters, sourceCount, slices)
  if (!sizes) throw new RangeError('expected parameters that allow Verlet lists')
  const groups = Math.ceil(sourceCount / targetsPerGroup)
  const { bytes, reach: farthest, ...lists } = sizes
  const values = {
    ...version.values,
    ...valuesOf(version.run, parameters),
    ...cellValues(rule, parameters, farthest, mostCells),
    ...lists,
    ...{ groupFirst: 0, groupLast: groups, owner: run.owner ?? 0 },
  }
  const dispatch = (one: KnownDispatch, reach: number): Dispatch => ({
    shader: version.shaders[one.shader] as Shader,
    values: { ...values, ...one.values, reach },
    size: one.size,
  })
  const loop = (shader: string) => ({ shader, values: {}, size: alongZ(groups) })
  const dispatches = [
    ...[...version.before, loop('cells')].map((one) => dispatch(one, farthest)),
    dispatch(loop('loop'), cellReach(rule, parameters)),
  ]
  return {
    scratch: { ...version.scratch, lists: bytes },
    steps: [{ dispatches, interactions: sourceCount ** 2, done: 1, reads: [] }],
  }
}
