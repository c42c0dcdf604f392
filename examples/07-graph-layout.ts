/** A graph laid out by forces: all points repel each other by a law typed here, and edges are bonds. All steps run on the device. */

import { createEngine, firstOrderRungeKutta4, pairPotential } from 'manybody'

await using engine = await createEngine()

// A mesh of 8 x 8 points, each joined to its right and its lower neighbour.
const side = 8
const count = side * side
const edges = Array.from({ length: count }, (_, n) => [
  ...(n % side < side - 1 ? [[n, n + 1] as const] : []),
  ...(n < count - side ? [[n, n + side] as const] : []),
]).flat()

// All pairs repel each other except joined ones, which have springs. With thousands of points, let joined pairs repel, too:
// without exclusions each pair can be visited once, and a step is up to twice as fast.
const repulsion = pairPotential('-strength*log(r)', { parameters: { strength: 0.2 } })
const spring = pairPotential('stiffness*(r - 1)^2/2', { parameters: { stiffness: 5 } })

// Points start on a spiral, in the order of their numbers.
const start = Float32Array.from({ length: 2 * count }, (_, k) => {
  const n = Math.floor(k / 2)
  const angle = n * Math.PI * (3 - Math.sqrt(5))
  return Math.sqrt(n + 0.5) * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
})

// Points move as fast as they are pushed, so the velocity is the force.
await using layout = await engine.simulate({
  forces: [
    { law: repulsion(), exclusions: edges },
    { law: spring(), bonds: edges },
  ],
  particles: { position: start, dimension: 2 },
  integrator: firstOrderRungeKutta4,
  dt: 0.04,
})
let largest = Number.POSITIVE_INFINITY
while (largest > 0.001 && layout.steps < 3000) {
  await layout.step(50)
  largest = (await layout.read('velocity')).reduce((most, v) => Math.max(most, Math.abs(v)), 0)
}
const position = await layout.read('position')

const lengths = edges.map(([a, b]) => Math.hypot(...apart(a, b)))
console.log(`${count} points, ${edges.length} edges; at rest: ${largest <= 0.001}`)
console.log(`edges are ${Math.min(...lengths).toFixed(2)} to ${Math.max(...lengths).toFixed(2)} long`)
const diagonals = [apart(0, count - 1), apart(side - 1, count - side)].map((d) => Math.hypot(...d).toFixed(1))
console.log(`the mesh has unfolded to a square: its diagonals are ${diagonals.join(' and ')}`)

function apart(a: number, b: number): readonly [number, number] {
  return [at(position, 2 * b) - at(position, 2 * a), at(position, 2 * b + 1) - at(position, 2 * a + 1)]
}

function at(array: Float32Array | Float64Array, k: number): number {
  return array[k] ?? 0
}
