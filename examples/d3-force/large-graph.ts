/**
 * A large graph laid out by d3-force, with the repulsion computed here: 10,000 nodes, or the number in the argument (100,000 take half a
 * minute, nearly all of it in d3's links). The same code runs in a page.
 */

import { forceLink, forceManyBody as forceManyBodyOfD3, forceSimulation, forceX, forceY } from 'd3-force'
import { forceManyBody } from 'manybody/d3'

interface Node {
  x: number
  y: number
  vx: number
  vy: number
}

const [count = 10_000, ticks = 300] = process.argv.slice(2).map(Number)

// A binary tree.
const nodes = Array.from({ length: count }, () => ({}) as Node)
const links = nodes.slice(1).map((target, n) => ({ source: nodes[Math.floor(n / 2)] as Node, target }))

const charge = forceManyBody<Node>()
const simulation = forceSimulation(nodes)
  .stop()
  .force('charge', charge)
  .force('link', forceLink(links).distance(10))
  .force('x', forceX())
  .force('y', forceY())
let began = performance.now()
simulation.tick(ticks)
console.error(`${ticks} ticks: ${(performance.now() - began).toFixed(0)} ms`)

const report = charge.report()
const { largest, ok } = report?.error ?? { largest: Number.NaN, ok: false }
console.log(`${count} nodes, ${links.length} links; errors within a hundredth: ${ok && largest < 0.01}`)
console.log(`fewer than a tenth of the pairs were computed: ${10 * (report?.evaluated ?? Infinity) < count * count}`)
console.error(`${report?.variant}, threads: ${report?.threads}, largest error ${largest.toPrecision(2)}`)

const before = performance.now()
charge(0)
const took = performance.now() - before
const theirs = forceManyBodyOfD3<Node>()
theirs.initialize?.(nodes, Math.random)
began = performance.now()
theirs(0)
console.error(`the repulsion of a tick: ${took.toFixed(1)} ms, that of d3 ${(performance.now() - began).toFixed(1)} ms`)
charge.dispose()
