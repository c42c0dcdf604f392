/**
 * Barnes-Hut trees of graph layout as contenders, for the laws that they compute: d3-force in the plane, ngraph in space. They leave out
 * detail of far points by design; with theta 0 they leave out nothing.
 */

import { forceManyBody } from 'manybody/d3'
import type { Contender, Results } from '../src/contender.ts'
import type { Who } from '../src/record.ts'
import { load } from './packages.ts'
import { type LoopName, loopOf, type Points, pointsOf } from './points.ts'
import { processor } from './processor.ts'
import { type TreeRival, treeRival } from './tree-rival.ts'

/** @param theta cells with a ratio of size to distance below this count as one point */
export const d3Force = (theta: number): Contender =>
  forces('d3-force', theta, 'planarGravity', async (points) => {
    const { forceManyBody } = await load<{ forceManyBody(): D3ManyBody }>('d3-force')
    return d3Call(forceManyBody().theta(theta), points)
  })

/** Our force for d3 beside it. The first call finds a setting. */
export const ourD3Force = (tolerance: number): Contender => {
  const name = `manybody/d3, tolerance ${tolerance}`
  return {
    name,
    about: { name },
    async prepare(problem) {
      const force = forceManyBody<D3Node>({ tolerance })
      const call = d3Call(force as unknown as D3ManyBody, pointsOf(problem, 'f64'))
      let results: () => Results = () => ({})
      return {
        get who(): Who {
          const variant = force.report()?.variant ?? ''
          return { name, rival: false, device: processor(), kind: 'cpu', precision: 'f32', variant }
        },
        accuracy: { accumulation: 'block', precision: 'f32' },
        tolerance,
        async run() {
          results = call()
          return undefined
        },
        results: async () => results(),
        dispose: () => force.dispose(),
      }
    },
  }
}

function d3Call(force: D3ManyBody, { count, axes: [x, y], attributes: { mass } }: Points): () => () => Results {
  const nodes = Array.from({ length: count }, (_, index) => ({
    index,
    x: x?.[index] ?? 0,
    y: y?.[index] ?? 0,
    vx: 0,
    vy: 0,
  }))
  force.strength((_, index) => mass?.[index] ?? 0).distanceMin(0)
  force.initialize(nodes, Math.random)
  return () => {
    for (const node of nodes) node.vx = node.vy = 0
    force(1)
    return () => ({ acceleration: nodes.flatMap(({ vx, vy }) => [vx, vy]) })
  }
}

/** @param theta cells with a ratio of size to distance below this count as one point */
export const ngraph = (theta: number): Contender =>
  forces('ngraph', theta, 'pointGravity', async ({ count, axes: [x, y, z], attributes, parameters }) => {
    const makeTree = await load<NgraphTree>('ngraph.forcelayout/lib/codeGenerators/generateQuadTree.js')
    const bodies = Array.from({ length: count }, (_, i) => ({
      pos: { x: x?.[i] ?? 0, y: y?.[i] ?? 0, z: z?.[i] ?? 0 },
      force: { x: 0, y: 0, z: 0 },
      mass: attributes.mass?.[i] ?? 0,
    }))
    const octree = makeTree(3)({ gravity: parameters.G ?? 1, theta }, { nextDouble: Math.random })
    return () => {
      octree.insertBodies(bodies)
      for (const body of bodies) {
        body.force.x = body.force.y = body.force.z = 0
        octree.updateBodyForce(body)
      }
      return () => ({
        acceleration: bodies.flatMap(({ force, mass }) => [force.x / mass, force.y / mass, force.z / mass]),
      })
    }
  })

const forces = (name: string, theta: number, law: LoopName, build: TreeRival['build']): Contender =>
  treeRival({
    name,
    key: `${name}, theta ${theta}`,
    variant: theta === 0 ? 'tree, every pair' : `tree, theta ${theta}`,
    approximate: theta === 0 ? undefined : `far points are taken together, theta ${theta}`,
    suits: (problem) => loopOf(problem) === law,
    build,
  })

interface D3Node {
  readonly index: number
  readonly x: number
  readonly y: number
  vx: number
  vy: number
}

/** The members of the force that are used here. */
interface D3ManyBody {
  (alpha: number): void
  initialize(nodes: readonly D3Node[], random: () => number): void
  strength(of: (node: D3Node, index: number) => number): D3ManyBody
  distanceMin(distance: number): D3ManyBody
  theta(theta: number): D3ManyBody
}

type Vector = { x: number; y: number; z: number }
interface NgraphBody {
  readonly pos: Vector
  readonly force: Vector
  readonly mass: number
}

/** The one member of ngraph.forcelayout that is used here: its tree, with code generated for the dimension. */
type NgraphTree = (dimension: number) => (
  options: { readonly gravity: number; readonly theta: number },
  random: { nextDouble(): number },
) => {
  insertBodies(bodies: readonly NgraphBody[]): void
  updateBodyForce(body: NgraphBody): void
}
