/** Variants by block size. Each cell shows its rate, shaded by its share of the best, which has a frame. */

import * as Plot from '@observablehq/plot'
import { tick, withPrefix } from '../../format.ts'
import { type Canvas, svgText, widthOf } from './lines.ts'

export interface Cell {
  readonly column: number
  readonly row: string
  /** Interactions per second; undefined where there is no figure. */
  readonly rate: number | undefined
}

/** The least share of the best rate for each shade, the lightest first. The style sheet has a colour for each. */
export const shades = [0, 0.25, 0.5, 0.75, 0.9] as const

export function heatMap(cells: readonly Cell[], columnName: string, canvas: Canvas): string {
  const best = Math.max(...cells.map(({ rate }) => rate ?? 0))
  const columns = [...new Set(cells.map(({ column }) => column))].sort((a, b) => a - b)
  const rows = [...new Set(cells.map(({ row }) => row))]
  const shadeOf = ({ rate }: Cell) => shades.findLastIndex((share) => (rate ?? 0) / best >= share)
  const marginLeft = canvas.narrow ? 2 : 18 + 7.1 * Math.max(...rows.map((row) => row.length))
  const winner = cells.filter(({ rate }) => rate === best)
  const middle = canvas.narrow ? 8 : 0
  const inset = canvas.narrow ? { insetTop: 17 } : {}
  return svgText(
    Plot.plot({
      document: canvas.document,
      width: canvas.narrow ? widthOf(canvas) : Math.min(widthOf(canvas), marginLeft + 20 + columns.length * 76),
      height: rows.length * (canvas.narrow ? 50 : 36) + 56,
      marginLeft,
      marginRight: 8,
      marginTop: canvas.narrow ? 4 : 8,
      marginBottom: 48,
      className: 'plot',
      x: { type: 'band', domain: columns, label: null, padding: 0.04 },
      y: { type: 'band', domain: rows, axis: null, padding: 0.06 },
      color: { type: 'identity' },
      marks: [
        Plot.axisX({ tickSize: 0, tickFormat: String, label: null }),
        Plot.text([columnName], { frameAnchor: 'bottom-right', dy: 40, text: (d) => d, className: 'axis-label' }),
        Plot.text(rows, {
          y: (d) => d,
          text: (d) => d,
          frameAnchor: 'left',
          dx: canvas.narrow ? 0 : -8,
          dy: canvas.narrow ? -14 : 0,
          textAnchor: canvas.narrow ? 'start' : 'end',
        }),
        Plot.cell(cells, {
          x: 'column',
          y: 'row',
          fill: (cell: Cell) => (cell.rate === undefined ? 'none' : `var(--shade-${shadeOf(cell)})`),
          rx: 3,
          ...inset,
        }),
        Plot.cell(winner, {
          x: 'column',
          y: 'row',
          fill: 'none',
          stroke: 'var(--ink)',
          strokeWidth: 2.5,
          rx: 3,
          ...inset,
        }),
        Plot.text(cells, {
          x: 'column',
          y: 'row',
          dy: middle,
          text: ({ rate }: Cell) =>
            rate === undefined
              ? 'none'
              : canvas.narrow
                ? tick(withPrefix)(Number(rate.toPrecision(2)))
                : withPrefix(rate),
          fill: (cell: Cell) => (cell.rate === undefined ? 'var(--muted)' : `var(--on-shade-${shadeOf(cell)})`),
          fontSize: canvas.narrow ? 9 : 11,
        }),
      ],
    }),
  )
}
