/** How a call spends its time: one bar of equal length per contender, split into upload, compute and readback. */

import * as Plot from '@observablehq/plot'
import { type Canvas, svgText } from './lines.ts'
import { barInset, barMiddle, frameOf, type LabelledRow, rowScale, rowTexts } from './rows.ts'

/** The text at the end is the whole call. */
export interface CallShare extends LabelledRow {
  readonly upload: number
  readonly compute: number
  readonly readback: number
}

export const parts = ['upload', 'compute', 'readback'] as const

export function sharePlot(calls: readonly CallShare[], canvas: Canvas): string {
  const pieces = calls.flatMap((call) => {
    const whole = call.upload + call.compute + call.readback
    let from = 0
    return parts.map((part) => {
      const x1 = from
      from += call[part] / whole
      return { label: call.label, part, x1, x2: from, share: call[part] / whole }
    })
  })
  return svgText(
    Plot.plot({
      ...frameOf(calls, canvas),
      x: { domain: [0, 1], label: null },
      y: rowScale(calls, canvas),
      marks: [
        Plot.axisX({
          ticks: canvas.narrow ? 2 : 5,
          tickFormat: (share) => `${Math.round(share * 100)} %`,
          tickSize: 4,
          label: null,
        }),
        Plot.text(['share of the time; median of whole calls at the end'], {
          frameAnchor: canvas.narrow ? 'bottom-left' : 'bottom-right',
          dy: 40,
          text: (d) => d,
          className: 'axis-label',
        }),
        Plot.barX(pieces, {
          x1: 'x1',
          x2: 'x2',
          y: 'label',
          fill: ({ part }) => `var(--${part})`,
          stroke: 'var(--paper)',
          strokeWidth: 1,
          ...barInset(canvas),
        }),
        Plot.text(
          pieces.filter(({ share }) => share >= (canvas.narrow ? 0.14 : 0.07)),
          {
            x: ({ x1, x2 }) => (x1 + x2) / 2,
            y: 'label',
            dy: barMiddle(canvas),
            text: ({ share }) => `${Math.round(share * 100)} %`,
            fill: ({ part }) => `var(--on-${part})`,
          },
        ),
        ...rowTexts(calls, { x: () => 1, dx: 8 }, canvas),
      ],
    }),
  )
}
