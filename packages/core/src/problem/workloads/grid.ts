/**
 * The workloads over cells of a regular grid: stencils, including the gradient.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { finite, howMany, oneOf, onlyNamed, positive, whole } from '../../ground/checks.ts'
import { made } from './made.ts'
import { checkNames, frozenOutputs, parseOutputs, stencilNames } from './outputs.ts'
import type { Grid, StencilWorkload } from './workload.ts'

export interface GridOptions {
  /** Cells along each axis, 1 to 3 of them, each >= 1. */
  readonly cells: readonly number[]
  /** Edge length of a cell, > 0: one number, or one per axis. */
  readonly spacing: number | readonly number[]
  /** The corner of cell 0; the origin of coordinates by default. */
  readonly origin?: readonly number[]
  readonly edges?: 'periodic' | 'clamp'
}

const mostCells = 2 ** 31 - 1

/** Checks and completes a grid. @throws TypeError, RangeError */
export function gridOf(options: GridOptions): Grid {
  const known = ['cells', 'spacing', 'origin', 'edges']
  const { cells, spacing, origin, edges = 'periodic' } = onlyNamed(options, 'grid option', known)
  const axes = Array.isArray(cells) ? cells.length : 0
  if (axes < 1 || axes > 3) throw new TypeError(`"cells" expected a list of 1, 2 or 3 integers, got ${howMany(cells)}`)
  const perAxis = (value: readonly number[], name: string) => {
    if (!Array.isArray(value) || value.length !== axes)
      throw new RangeError(`"${name}" expected ${axes} numbers, one per axis, got ${howMany(value)}`)
    return [...value]
  }
  const spacings = perAxis(typeof spacing === 'number' ? Array<number>(axes).fill(spacing) : spacing, 'spacing')
  const corner = perAxis(origin === undefined ? Array<number>(axes).fill(0) : origin, 'origin')
  const all = cells.reduce((product, n, axis) => product * whole(n, `cells[${axis}]`, 1), 1)
  if (all > mostCells)
    throw new RangeError(
      `"cells" expected at most ${mostCells} cells in total, as cell numbers are 32-bit integers, got ${all}`,
    )
  return Object.freeze({
    cells: Object.freeze([...cells]),
    spacing: Object.freeze(spacings.map((h, axis) => positive(h, `spacing[${axis}]`))),
    origin: Object.freeze(corner.map((x, axis) => finite(x, `origin[${axis}]`))),
    edges: oneOf(edges, 'edges', ['periodic', 'clamp']),
  })
}

/**
 * Outputs of each cell from `c` (itself) and its neighbours `xm, xp, ym, yp, zm, zp` (m: lower, p: higher index) of the
 * scalar array `field`, `[cells]`, x fastest; `hx, hy, hz` are the spacings.
 *
 * @example
 * stencil({ laplacian: '(xm + xp - 2*c)/hx^2 + (ym + yp - 2*c)/hy^2 + (zm + zp - 2*c)/hz^2' }, grid)
 * @throws {@link ExpressionError} if an expression does not parse, or names an axis that a 2-D grid lacks
 */
export function stencil<Name extends string>(
  outputs: Readonly<Record<Name, string | readonly string[]>>,
  grid: GridOptions,
  parameters: Readonly<Record<string, number>> = {},
): StencilWorkload<Name> {
  const checked = gridOf(grid)
  checkNames(outputs, parameters, stencilNames(checked.cells.length))
  const workload: StencilWorkload<Name> = Object.freeze({
    loop: 'grid',
    results: Object.freeze(Object.keys({ ...outputs }) as Name[]),
    outputs: frozenOutputs(outputs),
    parameters: Object.freeze({ ...parameters }),
    grid: checked,
  })
  parseOutputs(workload)
  return made(workload)
}

/** `gradient` of `field` by central differences, `(xp - xm)/(2*hx)` and so on, `[cells, dimension]`. */
export function gradient(grid: GridOptions): StencilWorkload<'gradient'> {
  const axes = axesOf(gridOf(grid).cells.length)
  return stencil({ gradient: axes.map((a) => `(${a}p - ${a}m)/(2*h${a})`) }, grid)
}
