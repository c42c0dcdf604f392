/** Error against processor time of sums over all images as a picture: a line for each way, and those of LAMMPS dashed. */

import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { MeshRow } from './rows.ts'

/** The picture as text, for the largest number of charges that has errors. */
export function meshPlot(rows: readonly MeshRow[]): string {
  const judged = rows.filter(({ error = 0 }) => error > 0)
  const most = Math.max(...judged.map(({ count }) => count))
  const marks = judged
    .filter(({ count }) => count === most)
    .map(({ method, precision, error, microseconds }) => ({
      line: `${method}, ${precision}`,
      rival: method.startsWith('LAMMPS'),
      ...{ error, microseconds },
    }))
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const at = { x: 'error', y: 'microseconds' } as const
  const drawn = Plot.plot({
    document,
    ...{ width: 640, height: 400, marginLeft: 56, marginRight: 130 },
    style: { background: 'white', color: '#222' },
    x: { type: 'log', reverse: true, label: 'rms error', ticks: 4, tickFormat: (x: number) => x.toExponential(0) },
    y: { type: 'log', label: 'microseconds of processor a charge', grid: true },
    color: { scheme: 'Observable10' },
    marks: [
      ...[false, true].map((rival) =>
        Plot.line(
          marks.filter((mark) => mark.rival === rival),
          { ...at, z: 'line', stroke: 'line', ...(rival && { strokeDasharray: '4 3' }) },
        ),
      ),
      Plot.dot(marks, { ...at, fill: 'line', r: 3 }),
      Plot.text(marks, Plot.selectLast({ ...at, z: 'line', fill: 'line', text: 'line', textAnchor: 'start', dx: 6 })),
    ],
  })
  drawn.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  drawn.setAttribute('role', 'img')
  drawn.querySelector('style')?.remove()
  const title = document.createElement('title')
  title.textContent = `What the error of a sum over all images costs, ${most} charges`
  drawn.prepend(title)
  return `${drawn.outerHTML}\n`
}
