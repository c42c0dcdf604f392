// The HTML report in a browser: in wide and narrow windows nothing is cut, nothing overlaps, the page does not scroll sideways, and each
// contender stands beside a figure, in a few lines.

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { reportBody } from '../../bench/src/report/html/body.ts'
import { style } from '../../bench/src/report/html/style.ts'
import { sampleRecords } from '../support/sample-records.ts'

const cases = sampleRecords().flatMap((record) => [1000, 390].map((width) => [record.kind, width, record] as const))

test.each(cases)('%s, %i pixels wide', async (_, width, record) => {
  await page.viewport(width, 800)
  document.body.innerHTML = `<style>${style}</style><main>${reportBody(record, document)}</main>`
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  const plots = [...document.querySelectorAll('svg.plot')].filter((plot) => plot.getBoundingClientRect().width > 0)
  expect(plots.length).toBeGreaterThan(0)
  for (const plot of plots) {
    const texts = [...plot.querySelectorAll('text')].filter((text) => text.textContent !== '')
    const boxes = texts.map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }))
    const frame = plot.getBoundingClientRect()
    expect(boxes.filter(({ box }) => !inside(box, frame)).map(({ name }) => name)).toEqual([])
    const pairs = boxes.flatMap((one, i) => boxes.slice(i + 1).map((other) => [one, other] as const))
    const overlapping = pairs.filter(([one, other]) => overlap(one.box, other.box))
    expect(overlapping.map(([one, other]) => [one.name, other.name])).toEqual([])
  }
  const rows = [...document.querySelectorAll('tbody tr')]
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    expect(row.children[1]?.getBoundingClientRect().right).toBeLessThan(width)
    expect(row.getBoundingClientRect().height).toBeLessThan(160)
  }
})

const inside = (box: DOMRect, frame: DOMRect): boolean =>
  box.left >= frame.left - 1 &&
  box.right <= frame.right + 1 &&
  box.top >= frame.top - 1 &&
  box.bottom <= frame.bottom + 1

/** Whether two boxes overlap by more than the empty edge of glyphs. */
function overlap(a: DOMRect, b: DOMRect): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return across > 1 && down > 3
}
