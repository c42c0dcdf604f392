/**
 * Error against cost as a picture of the documentation: one panel for each law, a line for each set of points, and rivals dashed. Laws that
 * ran on a single set share a panel.
 */

import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { costLines } from '../src/report/costs.ts'
import { type Curve, coloursOf, curvePlot } from '../src/report/html/plots/curves.ts'
import { groups } from '../src/report/series.ts'
import type { ToleranceSum } from '../src/report/tolerances.ts'

/** The picture as text, in colours that suit light and dark pages. */
export function tolerancePicture(sums: readonly ToleranceSum[]): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  // Of all numbers of points, the picture shows the one with most sums.
  const counts = [...groups(sums, ({ row }) => row.problem.targets)]
  const [most] = counts.reduce((a, b) => (b[1].length > a[1].length ? b : a))
  const laws = groups(
    costLines(sums).filter(({ count }) => count === most),
    ({ law }) => law,
  )
  const curves = [...laws].flatMap(([law, same]) =>
    same.map(({ label, rival, points }): Curve => {
      const about = same.length === 1 ? { panel: 'other laws', label: `${law}, ${label}` } : { panel: law, label }
      return { ...about, dashed: rival, points }
    }),
  )
  const colours = coloursOf(curves)
  const ends = curves.flatMap(({ points, panel, label }) =>
    points.slice(-1).map((point) => ({ ...point, panel, label, color: colours.get(label) })),
  )
  const exponent = (value: number) => value.toExponential(0)
  const svg = curvePlot(
    {
      curves,
      x: { label: 'error of 99 % of targets', format: exponent },
      y: { label: 'milliseconds of a call', format: String },
    },
    {
      document,
      ...{ width: 820, height: 420, marginRight: 120, style: { background: 'white', color: '#222' } },
      fx: { label: null, domain: [...new Set(curves.map(({ panel }) => panel))] },
      x: { type: 'log', reverse: true },
      marks: [
        Plot.text(ends, { x: 'x', y: 'y', fx: 'panel', fill: 'color', text: 'label', textAnchor: 'start', dx: 6 }),
      ],
    },
  )
  const title = `<title>What a tolerance costs, ${most} points</title>`
  const styled = svg.replace(/<style>[\s\S]*?<\/style>/, title)
  return `${styled.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')}\n`
}
