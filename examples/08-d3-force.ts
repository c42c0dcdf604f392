/** A graph laid out by d3-force, with the repulsion computed here: `forceManyBody` replaces d3's, and is exact on request. */

import { type Force, forceLink, forceSimulation, forceManyBody as ofD3 } from 'd3-force'
import { forceManyBody } from 'manybody/d3'

const side = 20
const count = side * side

const exact = forceManyBody<Node>({ tolerance: 0 }).strength(-30)
const ours = layout(exact)
const theirs = layout(ofD3<Node>().strength(-30).theta(0))
console.log(`${count} points: all where d3 places them, to a hundredth of a unit: ${apart(ours, theirs) < 0.01}`)
exact.dispose()

interface Node {
  x: number
  y: number
}

/** The layout of a mesh by d3 if its points repel each other by this force. */
function layout(charge: Force<Node, undefined>): readonly Node[] {
  // The mesh starts slightly off a square of width 200.
  const nodes = Array.from({ length: count }, (_, n) => ({
    x: 10 * (n % side) + Math.sin(n),
    y: 10 * Math.floor(n / side) + Math.cos(n),
  }))
  const links = nodes.flatMap((source, n) => [
    ...(n % side < side - 1 ? [{ source, target: n + 1 }] : []),
    ...(n < count - side ? [{ source, target: n + side }] : []),
  ])
  forceSimulation(nodes).stop().force('charge', charge).force('link', forceLink(links).distance(20)).tick(300)
  return nodes
}

function apart(some: readonly Node[], others: readonly Node[]): number {
  return Math.max(...some.map(({ x, y }, n) => Math.hypot(x - (others[n]?.x ?? 0), y - (others[n]?.y ?? 0))))
}
