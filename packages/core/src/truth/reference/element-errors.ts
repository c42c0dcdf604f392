/**
 * How far the results of a map, a stencil or a cell index are off, and how far they may be, element by element.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import { gridParameters } from '../../problem/workloads/bodies/element-body.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import { parseOutputs } from '../../problem/workloads/outputs.ts'
import type {
  ArrayResults,
  CellIndexWorkload,
  PairWorkload,
  Shape,
  Workload,
} from '../../problem/workloads/workload.ts'
import type { Arithmetic } from '../error-analysis/arithmetic.ts'
import { distanceFrom, distances } from '../error-analysis/judging.ts'
import { perRun } from '../error-analysis/parts.ts'
import { tapeOf } from '../error-analysis/tape/tape.ts'
import { fieldLoads } from './grid-loop.ts'
import { inside, loadOf } from './particle-loop.ts'

type Arrays = Readonly<Record<string, FloatArray>>
type Load = (element: number) => number

/** One entry for each number of all elements. */
interface JudgedElements {
  readonly errors: Float64Array
  readonly bounds: Float64Array
}

/** The error and the bound of each number of each result. */
export function elementErrors(
  workload: Exclude<Workload, PairWorkload>,
  shape: Shape,
  arrays: Arrays,
  parameters: Readonly<Record<string, number>>,
  arithmetic: Arithmetic,
  { results, truth }: { readonly results: ArrayResults; readonly truth: ArrayResults },
): Readonly<Record<string, JudgedElements>> {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') {
    const bounds = cellBounds(workload, shape, arrays.position as FloatArray, arithmetic)
    return { index: { errors: distances(results.index, truth.index ?? []), bounds } }
  }
  const grid = workload.loop === 'grid'
  const bound = grid ? { ...gridParameters(workload.grid), ...parameters } : parameters
  const outputs = grid ? parseOutputs(workload) : mapComponents(workload, shape)
  const neighbours = grid ? fieldLoads(workload.grid, arrays.field as FloatArray) : record<Load>([])
  const load = (name: string): Load => neighbours[name] ?? loadOf(name, {}, shape, arrays)
  return Object.fromEntries(
    [...outputs].map(([name, components]) => [
      name,
      expressionErrors(components, shape.targets, bound, load, arithmetic, results[name]),
    ]),
  )
}

/** The error and the bound of each number of some expressions. @param load the numbers of the elements by name */
export function expressionErrors(
  components: readonly Expr[],
  elements: number,
  parameters: Readonly<Record<string, number>>,
  load: (name: string) => Load,
  arithmetic: Arithmetic,
  out: ArrayResults[string] | undefined,
): JudgedElements {
  const names = [...new Set(components.flatMap((e) => [...symbolsOf(e)]))]
  const { values, errors, lost, outputs, run } = tapeOf(components, names, arithmetic, perRun(Object.keys(parameters)))
  const loads: (readonly [slot: number, load: Load])[] = []
  for (const [slot, name] of names.entries()) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (value === undefined) loads.push([slot, load(name)])
    else [values[slot], errors[slot]] = [value, arithmetic.stored(value)]
  }
  const count = elements * components.length
  const judged = { errors: new Float64Array(count), bounds: new Float64Array(count) }
  for (let element = 0; element < elements; element++) {
    for (const [slot, one] of loads) values[slot] = one(element)
    run()
    for (const [c, slot] of outputs.entries()) {
      const [n, bound] = [element * components.length + c, errors[slot] as number]
      judged.errors[n] = distanceFrom(out?.[n], [values[slot] as number, lost[slot] as number])
      judged.bounds[n] = Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound
    }
  }
  return judged
}

/** How far an index may be off if rounding decides between cells. */
function cellBounds(
  { grid }: CellIndexWorkload,
  shape: Shape,
  position: FloatArray,
  { unit, stored }: Arithmetic,
): Float64Array {
  const axes = grid.cells.length
  return Float64Array.from({ length: shape.targets }, (_, p) => {
    let [bound, stride] = [0, 1]
    for (let axis = 0; axis < axes; axis++) {
      const [n, h, origin] = [grid.cells[axis], grid.spacing[axis], grid.origin[axis]] as [number, number, number]
      const x = (position[p * axes + axis] as number) - origin
      // The origin, the difference, the spacing and the quotient are rounded; a GPU's quotient by up to five units.
      const error = (stored(origin) + 7 * unit * Math.abs(x)) / h
      const at = (q: number) => inside(Math.floor(q), n, grid.edges)
      const exact = at(x / h)
      bound += stride * Math.max(Math.abs(at(x / h - error) - exact), Math.abs(at(x / h + error) - exact))
      stride *= n
    }
    return bound
  })
}
