/**
 * The bodies of particle and grid loops as scheduled expressions. Backends render them for maps, cell indices and stencils.
 * The counterpart of `pair-body.ts` for loops that visit each element once.
 *
 * @module
 */

import { axes, axesOf } from '../../../ground/axes.ts'
import { Remembered } from '../../../ground/remember.ts'
import { callOf } from '../../../language/canonical.ts'
import type { RootStyle } from '../../../language/expand-powers.ts'
import { constant, divide, type Expr, product, subtract, symbol, symbolsOf } from '../../../language/nodes.ts'
import { type Binding, schedule } from '../../../language/schedule.ts'
import { substitute } from '../../../language/simplify.ts'
import { parseOutputs, stencilNames } from '../outputs.ts'
import type { Grid, MapWorkload, Shape, StencilWorkload } from '../workload.ts'
import { loadPlace } from './load-place.ts'
import { mapComponents } from './map-components.ts'

export interface ElementBody {
  /** Values computed from parameters on the host, in float64, once per run. */
  readonly run: readonly Binding[]
  /** Values computed per element, in order. */
  readonly loop: readonly Binding[]
  /** The components of each output. */
  readonly outputs: Readonly<Record<string, readonly Expr[]>>
  /** The loads of an element: attributes, `position_x` for components of vectors, or a cell's neighbours. */
  readonly loads: readonly string[]
}

/** A map: each symbol of the result is an attribute, or `name_x` for a component of one of `shape.vectors`. */
export function mapBody(
  workload: MapWorkload,
  shape: Pick<Shape, 'dimension' | 'vectors'>,
  roots?: RootStyle,
): ElementBody {
  const make = () => {
    const body = elementBody(mapComponents(workload, shape), Object.keys(workload.parameters), roots)
    const indices = body.loads.flatMap((load) => loadPlace(load, workload, shape).at ?? [])
    return indices.length === 0 ? body : { ...body, loads: [...new Set([...indices, ...body.loads])] }
  }
  return scheduledMaps.of(workload, make, `${shape.dimension} ${shape.vectors.join()} ${roots}`)
}

const scheduledMaps = new Remembered<MapWorkload, ElementBody>()

/** A stencil. It loads `c` and the neighbours that the outputs read. Spacings are values of the run. */
export function stencilBody(workload: StencilWorkload, roots?: RootStyle): ElementBody {
  const spacings = stencilNames(workload.grid.cells.length).filter((name) => name.startsWith('h'))
  return elementBody(parseOutputs(workload), [...Object.keys(workload.parameters), ...spacings], roots)
}

/**
 * Cell indices along each axis, as whole numbers in `index`. The backend computes the cell, `ix + nx*(iy + ny*iz)`, in
 * integers. Parameters are `originX`, `spacingX` and so on, from {@link gridParameters}.
 */
export function cellBody(grid: Grid): ElementBody {
  const components = axesOf(grid.cells.length).map((axis, k) => {
    const [origin, spacing, cells] = [
      `origin${axis.toUpperCase()}`,
      `spacing${axis.toUpperCase()}`,
      constant(grid.cells[k] as number),
    ]
    const cell = callOf('floor', [divide(subtract(symbol(`position_${axis}`), symbol(origin)), symbol(spacing))])
    return grid.edges === 'clamp'
      ? callOf('min', [callOf('max', [cell, constant(0)]), subtract(cells, constant(1))])
      : subtract(cell, product(cells, callOf('floor', [divide(cell, cells)])))
  })
  return elementBody(new Map([['index', components.map((e) => substitute(e, {}))]]), Object.keys(gridParameters(grid)))
}

/** The numbers of a grid, by their names in cell and stencil expressions. */
export function gridParameters(grid: Grid): Readonly<Record<string, number>> {
  const named = (prefix: string, values: readonly number[], name: (axis: string) => string) =>
    values.map((value, k) => [`${prefix}${name(axes[k] as string)}`, value] as const)
  const upper = (axis: string) => axis.toUpperCase()
  return Object.fromEntries([
    ...named('h', grid.spacing, (axis) => axis),
    ...named('spacing', grid.spacing, upper),
    ...named('origin', grid.origin, upper),
  ])
}

function elementBody(
  outputs: ReadonlyMap<string, readonly Expr[]>,
  parameters: readonly string[],
  roots?: RootStyle,
): ElementBody {
  const flat = [...outputs.values()].flat()
  const scheduled = schedule(flat, {
    rateOf: (name) => (parameters.includes(name) ? 'run' : 'loop'),
    ...(roots ? { roots } : {}),
  })
  let next = 0
  const named = [...outputs].map(
    ([name, components]) => [name, components.map(() => scheduled.outputs[next++] as Expr)] as const,
  )
  const loads = [...symbolsOf(...flat)].filter((name) => !parameters.includes(name)).sort()
  return { run: scheduled.run, loop: scheduled.loop, outputs: Object.fromEntries(named), loads }
}
