/** The frame of plots with one row per contender: their size, the label of each row, and the text at its end. */

import * as Plot from '@observablehq/plot'
import { type Canvas, widthOf } from './lines.ts'

export interface LabelledRow {
  readonly label: string
  /** Printed at the end of the row. */
  readonly text: string
}

/** The options of a plot with these rows. */
export function frameOf(rows: readonly LabelledRow[], canvas: Canvas): Plot.PlotOptions {
  const longest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length))
  return {
    document: canvas.document,
    width: widthOf(canvas),
    height: rows.length * (canvas.narrow ? 38 : 27) + (canvas.narrow ? 76 : 58),
    marginLeft: canvas.narrow ? 16 : 18 + 7.1 * longest(rows.map(({ label }) => label)),
    marginRight: 18 + 7.4 * longest(rows.map(({ text }) => text)),
    marginTop: canvas.narrow ? 18 : 6,
    marginBottom: 46,
    className: 'plot',
    color: { type: 'identity' },
  }
}

/** The scale of the rows. */
export const rowScale = (rows: readonly LabelledRow[], canvas: Canvas): Plot.ScaleOptions => ({
  domain: rows.map(({ label }) => label),
  axis: null,
  padding: canvas.narrow ? 0.08 : 0.28,
})

/** The position of a bar within its row: below its label in narrow plots. */
export const barInset = (canvas: Canvas): Plot.InsetOptions => (canvas.narrow ? { insetTop: 15, insetBottom: 2 } : {})

/** How far the middle of a bar is below the middle of its row. */
export const barMiddle = (canvas: Canvas): number => (canvas.narrow ? 7 : 0)

/** The labels of the rows, and the texts at their ends, `dx` from `x`. */
export const rowTexts = <Row extends LabelledRow>(
  rows: readonly Row[],
  end: { readonly x: (row: Row) => number; readonly dx: number },
  canvas: Canvas,
): Plot.Text[] => [
  Plot.text(rows, {
    ...end,
    y: 'label',
    text: 'text',
    dy: barMiddle(canvas),
    textAnchor: 'start',
    fontWeight: 600,
  }),
  Plot.text(rows, {
    y: 'label',
    text: 'label',
    frameAnchor: 'left',
    dx: canvas.narrow ? 0 : -8,
    dy: canvas.narrow ? -11 : 0,
    textAnchor: canvas.narrow ? 'start' : 'end',
  }),
]
