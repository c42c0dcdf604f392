// The HTML report in a browser: in wide and narrow windows nothing is cut, nothing overlaps, and the page does not scroll sideways.

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
  const plots = Array.from(document.querySelectorAll('svg.plot')).filter(
    (plot) => plot.getBoundingClientRect().width > 0,
  )
  expect(plots.length).toBeGreaterThan(0)
  for (const plot of plots) {
    const frame = plot.getBoundingClientRect()
    const texts = Array.from(plot.querySelectorAll('text')).filter((text) => text.textContent !== '')
    const boxes = texts.map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }))
    expect(boxes.filter(({ box }) => !inside(box, frame)).map(({ name }) => name)).toEqual([])
    const overlapping = boxes.flatMap((one, i) =>
      boxes
        .slice(i + 1)
        .filter((other) => overlap(one.box, other.box))
        .map((other) => [one.name, other.name]),
    )
    expect(overlapping).toEqual([])
  }
})

test.each(cases)(
  'tables of %s, %i pixels wide: each contender stands beside a figure, in a few lines',
  async (_, width, record) => {
    await page.viewport(width, 800)
    document.body.innerHTML = `<style>${style}</style><main>${reportBody(record, document)}</main>`
    const rows = Array.from(document.querySelectorAll('tbody tr'))
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      const figure = row.children[1]
      expect(figure?.getBoundingClientRect().right).toBeLessThan(width)
      expect(row.getBoundingClientRect().height).toBeLessThan(160)
    }
  },
)

function inside(box: DOMRect, frame: DOMRect): boolean {
  return (
    box.left >= frame.left - 1 &&
    box.right <= frame.right + 1 &&
    box.top >= frame.top - 1 &&
    box.bottom <= frame.bottom + 1
  )
}

/** Whether two boxes overlap by more than the empty edge of glyphs. */
function overlap(a: DOMRect, b: DOMRect): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return across > 1 && down > 3
}
