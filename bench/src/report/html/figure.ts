/** A figure of a report, and the names of contenders in all figures. */

import type { Row } from '../../record.ts'
import type { Canvas } from './plots/lines.ts'

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
