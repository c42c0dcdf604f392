// Layouts with forceManyBody beside layouts with the forces of d3-force and d3-force-3d, compared by their extents along each axis. In
// three dimensions d3 is exact only at theta 0; otherwise it weakens distant groups.

import * as planar from 'd3-force'
import * as spatial from 'd3-force-3d'
import { afterEach, describe, expect, it } from 'vitest'
import { type ForceManyBody, forceManyBody, type ManyBodyOptions } from '../src/d3/many-body.ts'

type Node = spatial.Node3
type Link = { source: number; target: number }
type Graph = () => { readonly nodes: Node[]; readonly links: Link[] }

/**
 * The characters of Les Miserables that meet, as `target: sources`.
 *
 * @source D. E. Knuth, The Stanford GraphBase, 1993
 */
const meetings = `1:0, 2:0, 3:0 2, 4:0, 5:0, 6:0, 7:0, 8:0, 9:0, 11:10 3 2 0, 12:11, 13:11, 14:11, 15:11, 17:16, 18:16 17,
  19:16 17 18, 20:16 17 18 19, 21:16 17 18 19 20, 22:16 17 18 19 20 21, 23:16 17 18 19 20 21 22 12 11, 24:23 11, 25:24 23 11,
  26:24 11 16 25, 27:11 23 25 24 26, 28:11 27, 29:23 27 11, 30:23, 31:30 11 23 27, 32:11, 33:11 27, 34:11 29, 35:11 34 29,
  36:34 35 11 29, 37:34 35 36 11 29, 38:34 35 36 37 11 29, 39:25, 40:25, 41:24 25, 42:41 25 24, 43:11 26 27, 44:28 11, 45:28,
  47:46, 48:47 25 27 11, 49:26 11, 50:49 24, 51:49 26 11, 52:51 39, 53:51, 54:51 49 26, 55:51 49 39 54 26 11 16 25 41 48,
  56:49 55, 57:55 41 48, 58:55 48 27 57 11, 59:58 55 48 57, 60:48 58 59, 61:48 58 60 59 57 55, 62:55 58 59 48 57 41 61 60,
  63:59 48 62 57 58 61 60 55, 64:55 62 48 63 58 61 60 59 57 11, 65:63 64 48 62 58 61 60 59 57 55, 66:64 58 59 62 65 48 63 61 60,
  67:57, 68:25 11 24 27 48 41, 69:25 68 11 24 27 48 41, 70:25 69 68 11 24 27 41 58, 71:27 69 68 70 11 48 41 25, 72:26 27 11, 73:48,
  74:48 73, 75:69 68 25 48 41 70 71, 76:64 65 66 63 62 48 58`

const chain = (count: number): Link[] => Array.from({ length: count - 1 }, (_, n) => ({ source: n, target: n + 1 }))
const nodesOf = (count: number, place: (n: number) => Node): Node[] => Array.from({ length: count }, (_, n) => place(n))

const miserables: Graph = () => ({
  nodes: nodesOf(77, () => ({})),
  links: meetings.split(',').flatMap((entry) => {
    const [target = '', others = ''] = entry.trim().split(':')
    return others.split(' ').map((source) => ({ source: Number(source), target: Number(target) }))
  }),
})
const grid: Graph = () => ({
  nodes: nodesOf(100, (n) => ({ x: 10 * (n % 10), y: 10 * Math.floor(n / 10), z: 0 })),
  links: nodesOf(100, () => ({})).flatMap((_, n) => [
    ...(n % 10 < 9 ? [{ source: n, target: n + 1 }] : []),
    ...(n < 90 ? [{ source: n, target: n + 10 }] : []),
  ]),
})
const line: Graph = () => ({ nodes: nodesOf(50, (n) => ({ x: 10 * n, y: 150, z: -7 })), links: chain(50) })
const point: Graph = () => ({ nodes: nodesOf(50, () => ({ x: 5, y: 5, z: 5 })), links: chain(50) })
const unlinked =
  (graph: Graph): Graph =>
  () => ({ ...graph(), links: [] })

const used: ForceManyBody<Node>[] = []
const ours = (options?: ManyBodyOptions) => (): ForceManyBody<Node> => {
  const force = forceManyBody<Node>(options)
  used.push(force)
  return force
}
afterEach(() => {
  for (const force of used.splice(0)) force.dispose()
})

/** The random source of d3, from a seed. */
const sourceOf = (seed: number) => () => {
  seed = (1664525 * seed + 1013904223) % 2 ** 32
  return seed / 2 ** 32
}

/** Root mean squares of the coordinates after 300 ticks, the largest first. */
function extentsOf(graph: Graph, dimensions: 1 | 2 | 3, charge: spatial.Force3, seed: number): number[] {
  const { nodes, links } = graph()
  const simulation = spatial.forceSimulation(nodes, dimensions).stop().randomSource(sourceOf(seed))
  simulation
    .force('link', spatial.forceLink(links))
    .force('charge', charge)
    .force('center', spatial.forceCenter())
    .tick(300)
  return extents(nodes, dimensions)
}

const extents = (nodes: readonly Node[], dimensions: 1 | 2 | 3): number[] =>
  (['x', 'y', 'z'] as const)
    .slice(0, dimensions)
    .map((axis) => Math.sqrt(nodes.reduce((sum, node) => sum + (node[axis] ?? Number.NaN) ** 2, 0) / nodes.length))
    .sort((a, b) => b - a)

const seeds = [1, 2, 3]
const graphs = {
  miserables,
  grid,
  line,
  point,
  unlinkedGrid: unlinked(grid),
  unlinkedLine: unlinked(line),
  unlinkedPoint: unlinked(point),
}
const cases = Object.entries(graphs).flatMap(([name, graph]) =>
  ([1, 2, 3] as const).map((d) => [name, d, graph] as const),
)

describe('after 300 ticks', () => {
  it.each(cases)('%s in %i-D is as large as with d3, for each random source', (_, dimensions, graph) => {
    const theirs = seeds.map((seed) => extentsOf(graph, dimensions, spatial.forceManyBody().theta(0), seed))
    for (const [n, options] of [{ tolerance: 0 }, {}].entries())
      for (const [axis, extent] of extentsOf(graph, dimensions, ours(options)(), seeds[n] as number).entries()) {
        const all = theirs.map((one) => one[axis] as number)
        expect(extent).toBeGreaterThan(Math.min(...all) / 1.25 - 1)
        expect(extent).toBeLessThan(Math.max(...all) * 1.25 + 1)
      }
  })

  it.each([
    ['grid', grid],
    ['line', line],
    ['miserables', miserables],
  ] as const)('%s is as large as with d3-force at its usual theta', (_, graph) => {
    const [theirs, mine] = [planar.forceManyBody(), ours()()].map((charge) => {
      const { nodes, links } = graph()
      const simulation = planar.forceSimulation(nodes).stop().force('link', planar.forceLink(links))
      simulation
        .force('charge', charge as planar.Force<Node, undefined>)
        .force('center', planar.forceCenter())
        .tick(300)
      return extents(nodes, 2)
    }) as [number[], number[]]
    for (const [axis, extent] of mine.entries()) {
      expect(extent).toBeGreaterThan((theirs[axis] as number) / 1.15)
      expect(extent).toBeLessThan((theirs[axis] as number) * 1.15)
    }
  })
})

describe('a tree', () => {
  const random = sourceOf(9)
  const shuffled = Array.from({ length: 1200 }, () => 12_000 * random())
  const starts: [string, (n: number) => Node][] = [
    ['a line', (n) => ({ x: shuffled[n] as number, y: 3, z: -7 })],
    ['a plane', (n) => ({ x: (shuffled[n] as number) / 40, y: (shuffled[1199 - n] as number) / 40, z: 5 })],
    ['a line and a distant node', (n) => (n === 0 ? { x: 0, y: 1e5, z: 1e5 } : { x: 10 * n, y: 0, z: 0 })],
  ]
  it.each(starts)('spreads nodes that start on %s like the exact sums', (_, place) => {
    const [exact, approximate] = [{ tolerance: 0 }, {}].map((options) => {
      const [nodes, charge] = [nodesOf(1200, place), ours(options)()]
      const simulation = spatial.forceSimulation(nodes, 3).stop().force('charge', charge)
      simulation.force('x', spatial.forceX()).force('y', spatial.forceY()).force('z', spatial.forceZ()).tick(80)
      return { sizes: extents(nodes, 3), variant: charge.report()?.variant }
    })
    expect([exact?.variant, approximate?.variant?.slice(0, 4)]).toEqual(['all pairs', 'tree'])
    for (const [axis, size] of exact?.sizes.entries() ?? []) {
      expect(size).toBeGreaterThan(50)
      expect((approximate?.sizes[axis] ?? 0) / size).toBeCloseTo(1, 1)
    }
  })
})
