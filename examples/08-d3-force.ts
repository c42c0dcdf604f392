/** A graph laid out by d3-force, with the repulsion of all pairs computed here: exactly, and on the fastest hardware available. */

import { forceLink, forceManyBody, forceSimulation, type Simulation } from 'd3-force'
import { createEngine, forces, pairForce, type RunResult } from 'manybody'

await using engine = await createEngine()

const side = 20
const count = side * side
const strength = 30

// d3's charge: it falls as 1/r and, closer than 1, grows no more. Positive coefficients pull, so this one pushes.
const charge = pairForce('-strength/max(r, r2)', { parameters: { strength } })
const program = await engine.prepare(forces(charge()), { count, dimension: 2 })
const position = new Float32Array(2 * count)
let repulsion: RunResult<'force'> | undefined

const ours = mesh()
const simulation = simulate(ours).force('charge', (alpha) => {
  for (const [n, node] of ours.entries()) {
    node.vx += alpha * (repulsion?.force[2 * n] ?? 0)
    node.vy += alpha * (repulsion?.force[2 * n + 1] ?? 0)
  }
})

// d3 cannot wait in the middle of a tick, and moves points only at its end. So compute the repulsion before the tick.
const began = performance.now()
let ticks = 0
while (simulation.alpha() > simulation.alphaMin()) {
  for (const [n, { x, y }] of ours.entries()) position.set([x, y], 2 * n)
  repulsion = await program.run({ position, dimension: 2 }, { into: repulsion })
  simulation.tick()
  ticks++
}
const taken = performance.now() - began

// The same by d3 alone, without its approximation.
const theirs = mesh()
const alone = simulate(theirs).force('charge', forceManyBody().strength(-strength).theta(0))
while (alone.alpha() > alone.alphaMin()) alone.tick()

const apart = ours.map(({ x, y }, n) => Math.hypot(x - (theirs[n]?.x ?? 0), y - (theirs[n]?.y ?? 0)))
const right = Math.max(...apart) < 0.01
console.log(`${count} points in ${ticks} ticks: all where d3 places them, to a hundredth of a unit: ${right}`)
console.error(`${taken.toFixed(0)} ms on ${repulsion?.report.backend}`)

interface Node {
  x: number
  y: number
  vx: number
  vy: number
}

/** The points of a mesh, at first a little off a square of width 200. */
function mesh(): Node[] {
  return Array.from({ length: count }, (_, n) => ({
    x: 10 * (n % side) + Math.sin(n),
    y: 10 * Math.floor(n / side) + Math.cos(n),
    vx: 0,
    vy: 0,
  }))
}

/** Everything except the charge is d3's: here, links from each point to its right and its lower neighbour. */
function simulate(nodes: Node[]): Simulation<Node, undefined> {
  const links = nodes.flatMap((source, n) => [
    ...(n % side < side - 1 ? [{ source, target: n + 1 }] : []),
    ...(n < count - side ? [{ source, target: n + side }] : []),
  ])
  return forceSimulation(nodes).stop().force('link', forceLink(links).distance(20))
}
