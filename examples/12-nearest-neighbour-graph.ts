/** The graph of the 8 nearest neighbours of a million random points in a periodic box, compared with theory. */

import { createEngine, nearest, periodic } from 'manybody'
import { randomFrom } from './support/random.ts'

// For example `npx tsx examples/12-nearest-neighbour-graph.ts 20000`.
const [count = 1e6] = process.argv.slice(2).map(Number)
const k = 8
const random = randomFrom(12)
const position = Float32Array.from({ length: 3 * count }, random)

await using engine = await createEngine()
const began = performance.now()
const { index, distance, report } = await engine.run(nearest(k, { boundary: periodic([1, 1, 1]) }), { position })
const seconds = (performance.now() - began) / 1000
console.log(`${count} points have ${index.length} edges`)

// Between random points of density n, the nearest is 0.554 n^(-1/3) away on average.
const first = distance.reduce((sum, r, n) => (n % k === 0 ? sum + r / count : sum), 0)
console.log(`the nearest is ${(first * Math.cbrt(count)).toFixed(2)} n^(-1/3) away; in theory 0.55`)

// An edge is mutual if each point is a neighbour of the other.
const isEdge = (i: number, j: number) => index.subarray(k * i, k * i + k).includes(j)
const mutual = index.reduce((sum, j, n) => sum + (isEdge(j, Math.floor(n / k)) ? 1 : 0), 0)
console.log(`${((100 * mutual) / index.length).toFixed(0)} % of the edges are mutual`)

// Points that are connected by edges, in either direction, form one component.
const parent = Int32Array.from({ length: count }, (_, i) => i)
for (const [n, j] of index.entries()) parent[root(j)] = root(Math.floor(n / k))
console.log(`components: ${parent.filter((p, i) => p === i).length}`)
console.error(`${seconds.toFixed(2)} s for the graph on ${report.backend}, ${report.variant}`)

function root(i: number): number {
  let at = i
  for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) {
    parent[at] = parent[up] ?? up
    at = up
  }
  return at
}
