/** `forceManyBody` of manybody/d3 next to d3-force's: the time of a tick's repulsion and the errors of nodes. */

import { type PairWorkload, pairTerm, sum } from '@manybody/core'
import { forceManyBody } from 'manybody/d3'
import { load } from '../../thirdparty/packages.ts'
import { randomFrom } from '../random.ts'
import { extremesOf, trueSums } from './errors.ts'

export interface D3Row {
  readonly nodes: number
  /** `d3-force`, or `manybody/d3` with a tolerance. */
  readonly who: string
  readonly variant: string
  readonly tolerance?: number
  /** Milliseconds of a call: the mean of several, including measurements of the error. */
  readonly time: number
  /** Milliseconds of the first call, which compiles and finds a setting. */
  readonly first: number
  /** How many times as long d3-force takes at its own accuracy. */
  readonly faster: number
  /** The 99th percentile and the largest of the errors of 512 nodes. */
  readonly p99: number
  readonly largest: number
}

interface Node {
  x: number
  y: number
  vx: number
  vy: number
}

interface Charge {
  (alpha: number): void
  initialize?(nodes: Node[], random: () => number): void
}

/** A call of d3 with a strength of 1 pulls by the vector to the other node, divided by the square of its length. */
const law = sum(pairTerm({ x: 'strength_j*dx/r2', y: 'strength_j*dy/r2' }, { name: 'charge of d3' })())

/** Our force is called often enough to include a measurement of the error. */
const round = 16

export async function* d3CostOf(nodes: number, tolerances: readonly number[], seed: number): AsyncGenerator<D3Row> {
  const { forceManyBody: theirs } = await load<{ forceManyBody(): Rival }>('d3-force')
  const random = randomFrom(seed)
  const side = 10 * Math.sqrt(nodes)
  const set = Array.from({ length: nodes }, (): Node => ({ x: side * random(), y: side * random(), vx: 0, vy: 0 }))
  const rival = await rowOf(set, theirs().strength(-30).distanceMin(0), 3)
  yield { nodes, who: 'd3-force', variant: 'theta 0.9', ...rival, faster: 1 }
  for (const tolerance of tolerances) {
    const charge = forceManyBody<Node>({ tolerance }).strength(-30).distanceMin(0)
    const row = await rowOf(set, charge as Charge, nodes > 3e5 ? 4 : round)
    const { variant = '' } = charge.report() ?? {}
    charge.dispose()
    yield { nodes, who: 'manybody/d3', tolerance, variant, ...row, faster: rival.time / row.time }
  }
}

interface Rival extends Charge {
  strength(strength: number): Rival
  distanceMin(distance: number): Rival
}

async function rowOf(nodes: Node[], charge: Charge, calls: number) {
  charge.initialize?.(nodes, randomFrom(1))
  let began = performance.now()
  charge(1)
  const first = performance.now() - began
  // Let workers start before the first timed call.
  await new Promise((resolve) => setTimeout(resolve, 200))
  began = performance.now()
  for (let call = 0; call < calls; call++) {
    for (const node of nodes) node.vx = node.vy = 0
    charge(1)
  }
  const time = (performance.now() - began) / calls
  const sums = Float64Array.from(nodes.flatMap(({ vx, vy }) => [vx, vy]))
  const particles = {
    position: Float64Array.from(nodes.flatMap(({ x, y }) => [x, y])),
    strength: new Float64Array(nodes.length).fill(-30),
    dimension: 2,
  }
  const truth = await trueSums(law as PairWorkload, particles, 512)
  return { time, first, ...extremesOf(truth.errorsOf(sums)) }
}
