// forceManyBody in d3's simulation, in a page: it runs within d3's ticks, on two threads, and is as exact as it says.

import { forceLink, forceSimulation, forceX, type SimulationNodeDatum } from 'd3-force'
import { type ForceManyBody, forceManyBody } from 'manybody/d3'
import { expect, test } from 'vitest'

interface Node extends SimulationNodeDatum {
  index: number
  x: number
  y: number
  vx: number
  vy: number
}

const nodesOf = (count: number) => Array.from({ length: count }, () => ({}) as Node)

/** The largest error of some nodes, relative to the summed sizes of their terms, after one call with alpha 1. */
function largestError(force: ForceManyBody<Node>, nodes: readonly Node[]): number {
  for (const node of nodes) node.vx = node.vy = 0
  force(1)
  let largest = 0
  for (let n = 0; n < nodes.length; n += Math.floor(nodes.length / 50)) {
    const { x, y, vx, vy } = nodes[n] as Node
    let [sumX, sumY, size] = [0, 0, 0]
    for (const other of nodes) {
      const [dx, dy] = [other.x - x, other.y - y]
      const r = Math.hypot(dx, dy)
      if (r === 0) continue
      const share = -30 / Math.max(r * r, r)
      sumX += dx * share
      sumY += dy * share
      size -= r * share
    }
    largest = Math.max(largest, Math.hypot(vx - sumX, vy - sumY) / size)
  }
  return largest
}

test('10,000 nodes move by the timer of d3', async () => {
  const nodes = nodesOf(10_000)
  const force = forceManyBody<Node>({ threads: 2 })
  const links = nodes.slice(1).map((target, n) => ({ source: Math.floor(n / 2), target: target.index ?? n + 1 }))
  const simulation = forceSimulation(nodes).force('charge', force).force('link', forceLink(links)).force('x', forceX())
  let ticks = 0
  let threads = 0
  // On a busy machine, the other thread may wake too late to take part in some ticks.
  await new Promise<void>((resolve) => {
    simulation.on('end', resolve).on('tick', () => {
      threads = Math.max(threads, force.report()?.threads ?? 0)
      if (++ticks >= 20 && threads === 2) resolve()
    })
  })
  simulation.stop()
  expect(threads).toBe(2)
  expect(force.report()).toMatchObject({
    variant: expect.stringMatching(/^tree/),
    error: { ok: true, tolerance: 0.01 },
  })
  expect(force.report()?.evaluated).toBeLessThan(1e7)
  expect(largestError(force, nodes)).toBeLessThan(1e-2)
  force.dispose()
})

test('the error of 100,000 nodes is at most the one reported', () => {
  const nodes = nodesOf(100_000)
  const force = forceManyBody<Node>({ threads: 2, tolerance: 1e-3 })
  forceSimulation(nodes).stop().force('charge', force).tick(2)
  expect(largestError(force, nodes)).toBeLessThan(1e-3)
  expect(force.report()?.error).toMatchObject({ ok: true, tolerance: 1e-3 })
  force.dispose()
})
