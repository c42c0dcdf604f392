/**
 * Error against cost as a picture: one panel for each law, a line for each set of points, and rivals dashed. Laws that ran on a single set
 * share a panel.
 */

import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { costLines, nameOfLine } from '../report/costs.ts'
import { groups } from '../report/series.ts'
import type { ToleranceSum } from '../report/tolerances.ts'

interface Mark {
  readonly panel: string
  readonly line: string
  readonly rival: boolean
  readonly error: number
  readonly time: number
}

/** The picture as text, in colours that suit light and dark pages. */
export function costPlot(sums: readonly ToleranceSum[]): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  // Of all numbers of points, the picture shows the one with most sums.
  const lines = costLines(sums)
  const counts = [...groups(sums, ({ row }) => row.problem.targets)]
  const [most] = counts.reduce((a, b) => (b[1].length > a[1].length ? b : a))
  const laws = groups(
    lines.filter(({ count }) => count === most),
    ({ law }) => law,
  )
  const marks = [...laws].flatMap(([law, same]) =>
    same.flatMap((one) => {
      const alone = same.length === 1
      const about = { panel: alone ? 'other laws' : law, line: alone ? `${law}, ${one.set}` : nameOfLine(one) }
      return one.points.map((point): Mark => ({ ...about, rival: one.rival, ...point }))
    }),
  )
  const drawn = Plot.plot({
    document,
    width: 820,
    height: 420,
    marginLeft: 56,
    marginRight: 120,
    style: { background: 'white', color: '#222' },
    fx: { label: null, domain: [...new Set(marks.map(({ panel }) => panel))] },
    x: {
      type: 'log',
      reverse: true,
      label: 'error of 99 % of targets',
      ticks: 3,
      tickFormat: (x: number) => x.toExponential(0),
    },
    y: { type: 'log', label: 'milliseconds of a call', grid: true },
    color: { scheme: 'Observable10' },
    marks: [
      ...[false, true].map((rival) =>
        Plot.line(marks, {
          fx: 'panel',
          x: 'error',
          y: 'time',
          z: 'line',
          stroke: 'line',
          ...(rival ? { strokeDasharray: '4 3' } : {}),
          filter: (d: Mark) => d.rival === rival,
        }),
      ),
      Plot.dot(marks, { fx: 'panel', x: 'error', y: 'time', fill: 'line', r: 3 }),
      Plot.text(
        marks,
        Plot.selectLast({
          fx: 'panel',
          x: 'error',
          y: 'time',
          z: 'line',
          fill: 'line',
          text: 'line',
          textAnchor: 'start',
          dx: 6,
        }),
      ),
    ],
  })
  drawn.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  drawn.setAttribute('role', 'img')
  drawn.querySelector('style')?.remove()
  const title = document.createElement('title')
  title.textContent = `What a tolerance costs, ${most} points`
  drawn.prepend(title)
  return `${drawn.outerHTML}\n`
}
