/**
 * Binds workloads without pairs: maps and cell indices of points, and stencils on grids.
 *
 * @module
 */
import type { PointSet } from '../../ground/arrays/bindings.ts'
import { onlyNamed, takenArray } from '../../ground/checks.ts'
import type { Bound } from './bind.ts'
import { gridShape } from './grid-shape.ts'
import { mapSet } from './map-set.ts'
import { parametersOf } from './parameters.ts'
import { pointSet } from './particles.ts'
import { asNumbers, type GivenParameters } from './vector-parameters.ts'
import type { PairWorkload, Shape, StencilWorkload, Workload } from './workload.ts'

/** @param prepared the shape of a prepared program, if there is one @throws TypeError, RangeError */
export function boundElements(
  workload: Exclude<Workload, PairWorkload>,
  particles: object,
  overrides: GivenParameters | undefined,
  prepared: Shape | undefined,
): Bound {
  const numbers = asNumbers(overrides)
  return workload.loop === 'grid'
    ? bindGrid(workload, particles, parametersOf(workload, numbers))
    : bindPoints(workload, particles, numbers, prepared)
}

function bindPoints(
  workload: Workload & { loop: 'particle' },
  particles: object,
  overrides: Readonly<Record<string, number>> | undefined,
  prepared: Shape | undefined,
): Bound {
  const set = workload.operation === 'map' ? mapSet(workload, particles, prepared?.targets) : pointSet(particles, '')
  if (workload.operation === 'cellIndex' && workload.grid.cells.length !== set.dimension)
    throw new RangeError(
      `"cells" expected ${set.dimension} numbers, as points are in ${set.dimension}-D, got ${workload.grid.cells.length}`,
    )
  const shape: Shape = { dimension: set.dimension, targets: set.count, sources: 0, sameSet: true, vectors: set.vectors }
  return { workload, shape, bindings: { targets: set, sources: set, parameters: parametersOf(workload, overrides) } }
}

function bindGrid(workload: StencilWorkload, particles: object, parameters: Readonly<Record<string, number>>): Bound {
  const { grid } = workload
  const shape = gridShape(grid)
  const count = shape.targets
  const { field: given } = onlyNamed(particles as { field?: unknown }, 'array of a grid', ['field'])
  const field = takenArray(given, 'field', count, `, ${grid.cells.join(' x ')} cells`)
  const set: PointSet = { count, arrays: { field } }
  return { workload, shape, bindings: { targets: set, sources: set, parameters } }
}
