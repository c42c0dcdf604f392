/** A figure of a report, and the names of contenders in all figures. */

import type { Row } from '../../record.ts'
import { duration, tick } from '../format.ts'
import { type Axis, type Canvas, type Line, linePlot } from './plots/lines.ts'

export interface Figure {
  readonly title: string
  /** How to read it. */
  readonly note: string
  /** The legend for plots without room for names at the lines. */
  readonly legend: readonly { readonly label: string; readonly color: string; readonly dash: string }[]
  /** Shown above the plot at every width. */
  readonly key: readonly { readonly label: string; readonly color: string }[]
  draw(canvas: Canvas): string
}

/** A software device is marked wherever it appears. */
export function named(label: string, [row]: readonly Row[]): string {
  return row?.contender.kind === 'software' ? `${label} (software)` : label
}

export const timeAxis: Axis = { label: '↑ time of one call', format: tick(duration) }

/** Lines over logarithmic axes. Those without points are left out. */
export function lineFigure(
  title: string,
  note: string,
  lines: readonly Line[],
  rest: Omit<Parameters<typeof linePlot>[0], 'lines'>,
): Figure {
  const { guides = [] } = rest
  const shown = lines.filter(({ points }) => points.length > 0)
  return {
    title,
    note,
    legend: [
      ...shown.map(({ label, look: { color, dash } }) => ({ label, color, dash })),
      ...guides.flatMap(({ label, color }) => (label === '' ? [] : [{ label, color, dash: '1 4' }])),
    ],
    key: [],
    draw: (canvas) => linePlot({ ...rest, lines: shown }, canvas),
  }
}
