/** How a call spends its time: one bar of equal length per contender, split into upload, compute and readback. */

import * as Plot from '@observablehq/plot'
import { type Canvas, svgText, widthOf } from './lines.ts'

export interface CallShare {
  readonly label: string
  readonly upload: number
  readonly compute: number
  readonly readback: number
  /** The whole call, printed at the end. */
  readonly text: string
}

export const parts = ['upload', 'compute', 'readback'] as const

export function sharePlot(calls: readonly CallShare[], canvas: Canvas): string {
  const marginLeft = canvas.narrow ? 16 : 18 + 7.1 * Math.max(...calls.map(({ label }) => label.length))
  const pieces = calls.flatMap((call) => {
    const whole = call.upload + call.compute + call.readback
    let from = 0
    return parts.map((part) => {
      const x1 = from
      from += call[part] / whole
      return { label: call.label, part, x1, x2: from, share: call[part] / whole }
    })
  })
  const inset = canvas.narrow ? { insetTop: 15, insetBottom: 2 } : {}
  const middle = canvas.narrow ? 7 : 0
  return svgText(
    Plot.plot({
      document: canvas.document,
      width: widthOf(canvas),
      height: calls.length * (canvas.narrow ? 38 : 27) + (canvas.narrow ? 76 : 58),
      marginLeft,
      marginRight: 18 + 7.4 * Math.max(...calls.map(({ text }) => text.length)),
      marginTop: canvas.narrow ? 18 : 6,
      marginBottom: 46,
      className: 'plot',
      x: { domain: [0, 1], label: null },
      y: { domain: calls.map(({ label }) => label), axis: null, padding: canvas.narrow ? 0.08 : 0.28 },
      color: { type: 'identity' },
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
          ...inset,
        }),
        Plot.text(
          pieces.filter(({ share }) => share >= (canvas.narrow ? 0.14 : 0.07)),
          {
            x: ({ x1, x2 }) => (x1 + x2) / 2,
            y: 'label',
            dy: middle,
            text: ({ share }) => `${Math.round(share * 100)} %`,
            fill: ({ part }) => `var(--on-${part})`,
          },
        ),
        Plot.text(calls, {
          x: () => 1,
          y: 'label',
          text: 'text',
          dx: 8,
          dy: middle,
          textAnchor: 'start',
          fontWeight: 600,
        }),
        Plot.text(calls, {
          y: 'label',
          text: 'label',
          frameAnchor: 'left',
          dx: canvas.narrow ? 0 : -8,
          dy: canvas.narrow ? -11 : 0,
          textAnchor: canvas.narrow ? 'start' : 'end',
        }),
      ],
    }),
  )
}
