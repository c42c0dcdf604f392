/**
 * The part of the host in making proxies: it allocates memory, and decides on groups of weights and on the nodes that have
 * proxies. The module does all that depends on single points.
 *
 * @module
 */
import type { Shape, TreeSetting } from '@manybody/core'
import {
  blockTree,
  eachField,
  eachReach,
  gridAxis,
  nodeBytes,
  nodeCount,
  nodeLinks,
  unitOf,
} from '@manybody/core/backend'
import {
  groupBytes,
  mostGridPoints,
  partBytes,
  partNumbers,
  schemeBytes,
  schemeNumbers,
  stateBytesOf,
  weighPoints,
} from '../proxies/layout.ts'
import { fieldBytes, openingBytes, openingNumbers } from '../ranges/opening-walk.ts'
import type { Regions } from './regions.ts'

export interface ProxyOptions {
  readonly shape: Shape
  /** The attributes that proxies add up. */
  readonly weights: readonly string[]
  /** Bytes of a proxy as the loop reads it. */
  readonly recordBytes: number
}

/** Addresses and counts that the module reads, by their names in the block. */
export interface Entered {
  readonly entries: Readonly<Record<string, number>>
  /** Number of proxies. */
  readonly proxies?: number
}

/** Allocates what the phase `weigh` writes. */
export function reserveWeights(regions: Regions, { shape, weights }: ProxyOptions): Entered {
  const { sources } = shape
  const units = Math.ceil(sources / weighPoints)
  const nodes = nodeCount(sources)
  const bytes = {
    weights: 8 * sources * weights.length,
    weightParts: units * weights.length * partBytes,
    scheme: schemeBytes,
    openings: nodes * openingBytes,
    shares: nodes * 8,
  }
  return {
    entries: Object.fromEntries(Object.entries(bytes).map(([name, size]) => [name, regions.reserve(name, size)])),
  }
}

/** Decides which proxies there are, once all weights are known, and allocates them. */
export function reserveProxies(regions: Regions, options: ProxyOptions, setting: TreeSetting): Entered {
  const { shape, weights, recordBytes } = options
  const { dimension } = shape
  const { proxies } = setting
  const simplex = proxies === 'simplex'
  const view = new DataView(regions.memory.memory.buffer, regions.at('scheme'), schemeBytes)
  const groups = writeWeights(view, regions, options)
  const points = simplex ? 0 : proxies + 1
  if (points > mostGridPoints)
    throw new RangeError(`"proxies" expected at most degree ${mostGridPoints - 1}, got ${proxies}`)
  if (!simplex) {
    const axis = gridAxis(proxies)
    for (const name of ['points', 'factors'] as const)
      for (const [n, value] of axis[name].entries()) view.setFloat64(schemeNumbers[name] + 8 * n, value, true)
  }
  const size = simplex ? groups * (dimension + 1) : points ** dimension
  const count = numberProxies(regions, shape, size)
  const stateBytes = stateBytesOf(simplex, dimension, weights.length)
  const number = regions.bytesOf('number')
  const packed = Math.ceil(count / 16) * 16 * recordBytes
  const bytes = {
    states: Math.max(count * stateBytes, packed),
    fields: fieldBytes * (shape.sameSet ? nodeCount(shape.targets) : 1),
    'proxy.position': count * dimension * number,
    ...Object.fromEntries(weights.map((name) => [`proxy.${name}`, count * number])),
  }
  const addresses = Object.entries(bytes).map(([name, length]) => [name, regions.reserve(name, length)] as const)
  // States are not read any more when proxies are packed.
  const proxiesAt = regions.reserveIn('proxies', { host: 'states', offset: 0 }, packed)
  const counts = { groups, gridBytes: 8 * points, stateBytes, proxySize: size, proxyBytes: size * recordBytes }
  return { entries: { ...Object.fromEntries(addresses), proxies: proxiesAt, ...counts }, proxies: count }
}

/** Writes how far nodes must be to be taken as proxies, once the weights of all nodes are known. */
export function fitReach(regions: Regions, { shape }: ProxyOptions, { proxies, opening }: TreeSetting): void {
  const { sources, sameSet, dimension } = shape
  const { buffer } = regions.memory.memory
  const tree = blockTree(sources, buffer, regions.at(sameSet ? 'tree.target' : 'tree.source'))
  const nodes = nodeCount(sources)
  const at = regions.at('openings')
  const [places, reach] = [
    new Float64Array(buffer, at, (nodes * openingBytes) / 8),
    new Float32Array(buffer, at, (nodes * openingBytes) / 4),
  ]
  const share = new Float64Array(buffer, regions.at('shares'), nodes)
  const centre = (node: number, axis: number) =>
    places[(node * openingBytes + axis * openingNumbers.axis) / 8 + 1] as number
  const weights = proxies === 'simplex' && sameSet ? { share, centre } : undefined
  eachReach(tree, dimension, opening, weights, (node, far2, near2) => {
    const own = (node * openingBytes + openingNumbers.reach) / 4
    reach[own] = far2
    reach[own + 1] = near2
  })
  const scale = 1 / unitOf(tree, dimension)
  const fields = new Float64Array(
    buffer,
    regions.at('fields'),
    regions.spansOf('fields').length * (sameSet ? 2 * nodes : 2),
  )
  if (!weights) {
    fields.fill(scale)
    return
  }
  eachField(tree, dimension, weights, (node, field) => {
    fields[2 * node] = field * scale
    fields[2 * node + 1] = scale
  })
}

/** Writes the inverses of the total sizes of weights, and the groups of weights of one sign each. Returns their number. */
function writeWeights(view: DataView, regions: Regions, { shape, weights }: ProxyOptions): number {
  const units = Math.ceil(shape.sources / weighPoints)
  const parts = new DataView(
    regions.memory.memory.buffer,
    regions.at('weightParts'),
    units * weights.length * partBytes,
  )
  let groups = 0
  for (const w of weights.keys()) {
    let [size, signs] = [0, 0]
    for (let unit = 0; unit < units; unit++) {
      const at = (unit * weights.length + w) * partBytes
      size += parts.getFloat64(at + partNumbers.size, true)
      signs |= parts.getUint32(at + partNumbers.signs, true)
    }
    view.setFloat64(schemeNumbers.inverses + 8 * w, size > 0 ? 1 / size : 0, true)
    for (const [bit, sign] of [
      [1, 1],
      [2, -1],
    ] as const) {
      if (!(signs & bit)) continue
      const at = schemeNumbers.groups + groupBytes * groups++
      view.setUint32(at, 8 * w, true)
      view.setFloat64(at + 8, sign, true)
    }
  }
  return groups
}

/** Numbers the proxies of nodes with more points than proxies, and returns how many there are. */
function numberProxies(regions: Regions, { sources, sameSet }: Shape, size: number): number {
  const { buffer } = regions.memory.memory
  const { links } = blockTree(sources, buffer, regions.at(sameSet ? 'tree.target' : 'tree.source'))
  const openings = new Int32Array(buffer, regions.at('openings'), (nodeCount(sources) * openingBytes) / 4)
  const [first, last, proxy] = [nodeLinks.first / 4, nodeLinks.last / 4, openingNumbers.proxy / 4]
  let count = 0
  for (let at = 0; at < openings.length; at += nodeBytes / 4) {
    const has = (links[at + last] as number) - (links[at + first] as number) > size
    openings[at + proxy] = has ? count : -1
    if (has) count += size
  }
  return count
}
