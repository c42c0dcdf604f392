/**
 * A graph laid out by forces: all points repel each other by a law typed here, edges are bonds, and discs collide. All steps run on the
 * device.
 */

import { createEngine, type Force, firstOrderRungeKutta4, pairPotential } from 'manybody'

await using engine = await createEngine()

// A mesh of 8 x 8 points. Each is joined to its right and its lower neighbour.
const side = 8
const count = side * side
const edges = Array.from({ length: count }, (_, n) => [
  ...(n % side < side - 1 ? [[n, n + 1] as const] : []),
  ...(n < count - side ? [[n, n + side] as const] : []),
]).flat()

// All pairs repel each other except joined pairs, which have springs. With thousands of points, let joined pairs repel, too: without
// exclusions, each pair can be visited once, and a step is up to twice as fast.
const repulsion = pairPotential('-strength*log(r)', { parameters: { strength: 0.2 } })
const spring = pairPotential('stiffness*(r - 1)^2/2', { parameters: { stiffness: 5 } })
// Every seventh point is a large disc. Discs push each other apart where they overlap.
const sizes = Float32Array.from({ length: count }, (_, n) => (n % 7 === 0 ? 1 : 0.5))
const collision = pairPotential('hardness*max(0, size_i + size_j - r)^2/2', { parameters: { hardness: 8 } })

// Points start on a spiral, in the order of their numbers.
const start = Float32Array.from({ length: 2 * count }, (_, k) => {
  const n = Math.floor(k / 2)
  const angle = n * Math.PI * (3 - Math.sqrt(5))
  return Math.sqrt(n + 0.5) * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
})

// First the mesh unfolds while points can pass each other. Then they become discs.
const attraction = [
  { law: repulsion(), exclusions: edges },
  { law: spring(), bonds: edges },
] as const
const unfolded = await rest(start, attraction)
const { position, atRest } = await rest(unfolded.position, [...attraction, { law: collision(), cutoff: 2 }])

const lengths = edges.map(([a, b]) => Math.hypot(...apart(a, b)))
console.log(`${count} points, ${edges.length} edges; at rest: ${atRest}`)
console.log(`edges are ${Math.min(...lengths).toFixed(2)} to ${Math.max(...lengths).toFixed(2)} long`)
const overlaps = Array.from({ length: count * count }, (_, k) => {
  const [a, b] = [Math.floor(k / count), k % count]
  return a < b ? at(sizes, a) + at(sizes, b) - Math.hypot(...apart(a, b)) : 0
})
console.log(`discs overlap by less than a fifth: ${Math.max(...overlaps) < 0.2}`)
const diagonals = [apart(0, count - 1), apart(side - 1, count - side)].map((d) => Math.hypot(...d).toFixed(1))
console.log(`the mesh has unfolded to a square: its diagonals are ${diagonals.join(' and ')}`)

/** Moves points until they rest. The velocity is the force, so points move as fast as they are pushed. */
async function rest(
  from: Float32Array,
  forces: readonly Force[],
): Promise<{ position: Float32Array; atRest: boolean }> {
  await using layout = await engine.simulate({
    forces,
    particles: { position: from, size: sizes, dimension: 2 },
    integrator: firstOrderRungeKutta4,
    dt: 0.04,
  })
  let largest = Number.POSITIVE_INFINITY
  while (largest > 0.001 && layout.steps < 3000) {
    await layout.step(50)
    largest = (await layout.read('velocity')).reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  }
  return { position: await layout.read('position'), atRest: largest <= 0.001 }
}

function apart(a: number, b: number): readonly [number, number] {
  return [at(position, 2 * b) - at(position, 2 * a), at(position, 2 * b + 1) - at(position, 2 * a + 1)]
}

function at(array: Float32Array | Float64Array, k: number): number {
  return array[k] ?? 0
}
