/**
 * The statements that compute the outputs of one point: loads, values, then writes. All values are computed before any is
 * written, because an output may overwrite an input.
 *
 * @module
 */
import type { Grid } from '@manybody/core'
import type { ElementBody, Expr } from '@manybody/core/expression'
import { wgslText } from '../wgsl/operators.ts'

/** The names of inputs and outputs in a shader. */
export interface PointNames {
  /** A load as an expression. @param loaded the name of another load, once it is loaded */
  readonly load: (name: string, loaded: (name: string) => string) => string
  /** The array of an output. */
  readonly output: (name: string) => string
  /** A value of the run. */
  readonly run: (name: string) => string
  /** A prefix of the name of every value, if one shader has several of these. */
  readonly prefix?: string
}

export interface PointStatements {
  readonly compute: readonly string[]
  /** The value to write at each place, `result_velocity[3u * p + 0u]`. */
  readonly writes: ReadonlyMap<string, string>
}

/** @param grid the grid of a cell index; the output components are then the cells along each axis */
export function pointStatements(body: ElementBody, names: PointNames, grid?: Grid): PointStatements {
  const { prefix = '' } = names
  const runNames = new Set(body.run.map((b) => b.name))
  const loaded = (name: string) => `${prefix}in${body.loads.indexOf(name)}`
  const nameOf = (name: string) => {
    if (runNames.has(name)) return names.run(name)
    return body.loads.includes(name) ? loaded(name) : `${prefix}${name}`
  }
  const text = (e: Expr) => wgslText(e, nameOf)
  const outputs = Object.entries(body.outputs).flatMap(([name, components], output) =>
    grid
      ? [cellText(components.map(text), grid, names.output(name))]
      : components.map((e, c) => {
          const value = `${prefix}out${output}_${c}`
          const axis = components.length === 1 ? undefined : c
          const place = `${names.output(name)}[${numberAt('p', axis, components.length)}]`
          return { compute: `let ${value} = ${text(e)};`, place, value }
        }),
  )
  return {
    compute: [
      ...body.loads.map((name) => `let ${loaded(name)} = ${names.load(name, loaded)};`),
      ...body.loop.map((b) => `let ${prefix}${b.name} = ${text(b.expr)};`),
      ...outputs.map(({ compute }) => compute),
    ],
    writes: new Map(outputs.map(({ place, value }) => [place, value])),
  }
}

/** Statements that write values to their places. */
export const writeTexts = (writes: PointStatements['writes']): readonly string[] =>
  [...writes].map(([place, value]) => `${place} = ${value};`)

/** The index of a number of a point: of one component of a vector, or the point itself. One place has one text, by which maps that follow each other find it. */
export const numberAt = (point: string, axis: number | undefined, dimension: number): string =>
  axis === undefined || dimension === 1 ? point : `${dimension}u * ${point} + ${axis}u`

/** Combines the cells along each axis into one index, in integers, so that wrapping is exact. */
function cellText(
  cells: readonly string[],
  grid: Grid,
  array: string,
): { compute: string; place: string; value: string } {
  const along = cells.map((cell, axis) => {
    const n = grid.cells[axis]
    return `let cell_${axis} = ((i32(${cell}) % ${n}) + ${n}) % ${n};`
  })
  const index = cells
    .map((_, axis) => axis)
    .reduceRight((inner, axis) => {
      return inner ? `cell_${axis} + ${grid.cells[axis]} * (${inner})` : `cell_${axis}`
    }, '')
  return { compute: along.join('\n'), place: `${array}[p]`, value: index }
}
