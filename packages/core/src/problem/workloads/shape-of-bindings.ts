/**
 * The shape of a run over fewer points than its program was compiled for.
 *
 * @module
 */
import type { Bindings } from '../../ground/arrays/bindings.ts'
import type { Shape } from './workload.ts'

/** The shape of a program with the numbers of points of a run. The same object if they are the same. */
export function shapeOfBindings(shape: Shape, { targets, sources }: Bindings): Shape {
  const ofSources = shape.sources === 0 ? 0 : sources.count
  if (targets.count === shape.targets && ofSources === shape.sources) return shape
  return { ...shape, targets: targets.count, sources: ofSources }
}
