/** A graph laid out by forces: all points repel each other by a law typed here, and edges are springs. */

import { createEngine, forces, pairPotential } from 'manybody'

await using engine = await createEngine()

// A mesh of 8 x 8 points, each joined to its right and its lower neighbour.
const side = 8
const count = side * side
const edges = Array.from({ length: count }, (_, n) => [
  ...(n % side < side - 1 ? [[n, n + 1] as const] : []),
  ...(n < count - side ? [[n, n + side] as const] : []),
]).flat()

// The engine computes the repulsion of all pairs except joined ones, which have springs. With thousands of points, let joined
// pairs repel, too: without exclusions each pair can be visited once, and a run is up to twice as fast.
const repulsion = pairPotential('-strength*log(r)', { parameters: { strength: 0.2 } })
const program = await engine.prepare(forces(repulsion(), { exclusions: edges }), { count, dimension: 2 })

// Points start on a spiral, in the order of their numbers.
const position = Float32Array.from({ length: 2 * count }, (_, k) => {
  const n = Math.floor(k / 2)
  const angle = n * Math.PI * (3 - Math.sqrt(5))
  return Math.sqrt(n + 0.5) * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
})

let largest = Number.POSITIVE_INFINITY
let steps = 0
while (largest > 0.001 && steps < 3000) {
  const { force } = await program.run({ position, dimension: 2 })
  for (const edge of edges) pull(edge, force)
  largest = 0
  for (const f of force) largest = Math.max(largest, Math.abs(f))
  // Downhill, by no more than a fifth of an edge at once.
  const step = Math.min(0.04, 0.2 / largest)
  for (const [k, f] of force.entries()) position[k] = at(position, k) + step * f
  steps++
}

const lengths = edges.map(([a, b]) => Math.hypot(...apart(a, b)))
console.log(`${count} points, ${edges.length} edges; at rest: ${largest <= 0.001}`)
console.log(`edges are ${Math.min(...lengths).toFixed(2)} to ${Math.max(...lengths).toFixed(2)} long`)
const diagonals = [apart(0, count - 1), apart(side - 1, count - side)].map((d) => Math.hypot(...d).toFixed(1))
console.log(`the mesh has unfolded to a square: its diagonals are ${diagonals.join(' and ')}`)

/** The spring of an edge, of rest length 1. There are few, so a plain loop is fast enough. */
function pull([a, b]: readonly [number, number], force: Float32Array | Float64Array): void {
  const stiffness = 5
  const displacement = apart(a, b)
  const length = Math.hypot(...displacement)
  for (const [axis, d] of displacement.entries()) {
    const f = (stiffness * (length - 1) * d) / length
    force[2 * a + axis] = at(force, 2 * a + axis) + f
    force[2 * b + axis] = at(force, 2 * b + axis) - f
  }
}

function apart(a: number, b: number): readonly [number, number] {
  return [at(position, 2 * b) - at(position, 2 * a), at(position, 2 * b + 1) - at(position, 2 * a + 1)]
}

function at(array: Float32Array | Float64Array, k: number): number {
  return array[k] ?? 0
}
