/**
 * Maps, cell indices and stencils: one dispatch, one step.
 *
 * @module
 */
import type { ElementDesign } from '../../design/design.ts'
import { alongZ } from '../../design/spread.ts'
import { type LoopDriver, valuesOf } from './driver.ts'

export const elementDriver: LoopDriver<ElementDesign> = (_, { shaders, run, known, size }, { bindings }, results) => {
  const { loop } = shaders
  const { count } = bindings.targets
  const values = { ...valuesOf(run, { ...known, ...bindings.parameters }), count }
  const step = {
    dispatches: [{ shader: loop, values, size: size ?? alongZ(Math.ceil(count / loop.workgroup)) }],
    interactions: count,
    done: 1,
    reads: results.map(({ name, length }) => ({ name, at: 0, length })),
  }
  return { scratch: {}, steps: [step] }
}
