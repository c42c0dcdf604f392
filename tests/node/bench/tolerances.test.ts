// Plots of error against cost: which lines they have, and how these look.

import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { costLines, nameOfLine } from '../../../bench/src/report/costs.ts'
import { callsWithTolerance } from '../../../bench/src/report/tolerances.ts'
import { costPlot } from '../../../bench/src/tree/plot.ts'
import { sampleSum, toleranceRows } from '../../support/sample-records.ts'

test('each method has a line of its own, and only rivals are dashed', () => {
  const lines = costLines(callsWithTolerance(toleranceRows)).map((line) => [
    nameOfLine(line),
    line.rival,
    line.points.length,
  ])
  expect(lines).toEqual([
    ['cube', false, 2],
    ['mesh, cube', false, 1],
    ['manybody/d3, cube', false, 1],
    ['ngraph, cube', true, 1],
  ])
  // A line needs two points.
  const variant = 'tree (simplex, opening 0.3), 2 threads'
  const more = [
    sampleSum('ngraph', 'tree, theta 0.8', 40, 5e-2),
    sampleSum('manybody/d3, tolerance 0.001', variant, 9, 5e-4),
  ]
  const { document } = parseHTML(
    `<html><body>${costPlot(callsWithTolerance([...toleranceRows, ...more]))}</body></html>`,
  )
  const dashes = [...document.querySelectorAll('g[aria-label="line"] > g')].flatMap((group) =>
    [...group.querySelectorAll('path')].map(() => group.getAttribute('stroke-dasharray')),
  )
  expect(dashes).toEqual([null, null, null, '4 3'])
  const names = [...document.querySelectorAll('text')].map((text) => text.textContent)
  expect(names).toEqual(expect.arrayContaining(['cube', 'mesh, cube', 'manybody/d3, cube', 'ngraph, cube']))
})
