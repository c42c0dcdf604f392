// The picture of blocks in the manual: points in the plane, the boxes of their blocks, and the sources of one block. Core computes all of
// it, so the picture is as true as the library.

import { randomOf } from '../../packages/conformance/src/random.ts'
import { blockPoints, blockTree, nodeBytes } from '../../packages/core/src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../packages/core/src/methods/ranges/boxes.ts'
import { walkWithin } from '../../packages/core/src/methods/ranges/cutoff-walk.ts'
import { orderPoints } from '../../packages/core/src/methods/ranges/order.ts'

const count = 640
const cutoff = 0.09
const [size, top, margin] = [720, 76, 20]
const colours = { ink: '#1c2430', quiet: '#9aa3ad', target: '#c4672f', near: '#3b62b0', paper: '#fcfbf8' }

export function blocksPicture(): string {
  const position = Float32Array.from(randomOf(4).array(2 * count, 0, 1))
  const points = { position, dimension: 2, lengths: [] }
  const tree = blockTree(count)
  orderPoints(points, tree)
  fitBoxes(points, tree)
  const stride = nodeBytes / 8
  const boxOf = (block: number) => tree.blocks.subarray(block * stride, (block + 1) * stride)
  const blocks = Array.from({ length: count / blockPoints }, (_, block) => block)
  // The targets are the points of the block in the middle.
  const fromCentre = (block: number) => Math.hypot((boxOf(block)[0] ?? 0) - 0.5, (boxOf(block)[1] ?? 0) - 0.5)
  const middle = blocks.reduce((a, b) => (fromCentre(b) < fromCentre(a) ? b : a))
  const own = boxOf(middle)
  const near = new Set<number>()
  const rule = { dimension: 2, lengths: [], reach: cutoff }
  walkWithin(tree, own, rule, (first) => near.add(first / blockPoints))
  const colourOf = (block: number) =>
    block === middle ? colours.target : near.has(block) ? colours.near : colours.quiet
  const drawn = blocks.map((block) => {
    const colour = colourOf(block)
    const places = tree.order.subarray(block * blockPoints, (block + 1) * blockPoints)
    const dots = Array.from(
      places,
      (p) => `<circle cx="${px(position[2 * p])}" cy="${px(position[2 * p + 1], top)}" r="2.6"/>`,
    )
    return `<g fill="${colour}" stroke="none">${rectangle(boxOf(block), 0, `fill="${colour}" fill-opacity="0.12" stroke="${colour}"`)}${dots.join('')}</g>`
  })
  const met = near.size * blockPoints
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${top + size}" font-family="system-ui, sans-serif" fill="${colours.ink}">
<title>Blocks of 8 points and their boxes</title>
<rect width="100%" height="100%" fill="${colours.paper}"/>
<text x="${margin}" y="34" font-size="20" font-weight="600">${count} points in blocks of ${blockPoints}, with their boxes</text>
<text x="${margin}" y="58" font-size="14" fill="#5a6472">The orange block meets the boxes within the cutoff (dashed): ${met} of ${count} points.</text>
${drawn.join('\n')}
${rectangle(own, cutoff, `rx="${length(cutoff)}" fill="none" stroke="${colours.target}" stroke-dasharray="6 4"`)}
</svg>
`
}

const length = (value: number): string => String(Math.round(10 * value * (size - 2 * margin)) / 10)
const px = (value = 0, before = 0): string =>
  String(Math.round(10 * (before + margin + value * (size - 2 * margin))) / 10)

/** A box that is larger by the same amount on all sides. */
function rectangle(box: Float64Array, more: number, style: string): string {
  const [x = 0, y = 0, , width = 0, height = 0] = box
  const [left, upper] = [px(x - width - more), px(y - height - more, top)]
  return `<rect x="${left}" y="${upper}" width="${length(2 * (width + more))}" height="${length(2 * (height + more))}" ${style}/>`
}
