/**
 * The part of the host in making proxies: it allocates memory, and decides on groups of weights and on the nodes that have
 * proxies. The module does all that depends on single points.
 *
 * @module
 */
import type { Shape, TreeSetting } from '@manybody/core'
import {
  type BlockTree,
  eachField,
  eachReach,
  gridAxis,
  nodeBytes,
  nodeCount,
  nodeLinks,
  unitOf,
} from '@manybody/core/near'
import { cutLevels } from '../../design/order-layout.ts'
import {
  groupBytes,
  mostGridPoints,
  openingBytes,
  openingNumbers,
  partBytes,
  partNumbers,
  scaleAt,
  schemeBytes,
  schemeNumbers,
  stateBytesOf,
  weighPoints,
} from '../../design/proxy-layout.ts'
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
  const bytes = {
    weightParts: units * weights.length * partBytes,
    scheme: schemeBytes,
    openings: nodeCount(sources) * openingBytes,
  }
  const addresses = Object.entries(bytes).map(([name, size]) => [name, regions.reserve(name, size)] as const)
  // Targets are written once weights are not read any more.
  const inTargets = { host: 'targets', offset: 0 }
  const ordered = regions.reserveIn('weights', inTargets, regions.bytesOf('number') * sources * weights.length)
  return { entries: { ...Object.fromEntries(addresses), weights: ordered } }
}

/** Decides which proxies there are, once all weights are known, and allocates them. */
export function reserveProxies(regions: Regions, options: ProxyOptions, setting: TreeSetting): Entered {
  const { shape, weights, recordBytes } = options
  const { dimension, sources, sameSet } = shape
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
  const { count, states } = numberProxies(regions, shape, size)
  const stateBytes = size * stateBytesOf(simplex, dimension, weights.length)
  const stackBytes = states * stateBytes
  const tasks = 2 ** cutLevels(sources)
  const number = regions.bytesOf('number')
  // Proxies replace the records of points, from which they are made, and sources the proxies as attributes.
  const records = { host: `records.${sameSet ? 'target' : 'source'}`, offset: 0 }
  const attributes = { host: 'sources', offset: 0 }
  const positions = regions.reserveIn('proxyAttributes', attributes, count * (dimension + weights.length) * number)
  const entries = {
    ...{ groups, gridBytes: 8 * points, stateBytes, stackBytes, proxyBytes: size * recordBytes },
    'proxy.position': positions,
    ...Object.fromEntries(
      weights.map((name, w) => [`proxy.${name}`, positions + count * (dimension + w) * number] as const),
    ),
    proxies: regions.reserveIn('proxies', records, Math.ceil(count / 16) * 16 * recordBytes),
    // Those of tasks follow each other from the last task to the first.
    states: regions.reserve('states', (2 * tasks - 1) * stateBytes) + (2 * tasks - 2) * stateBytes,
    stacks: regions.reserve('stacks', tasks * stackBytes),
  }
  return { entries, proxies: count }
}

/** Writes how far nodes must be to be taken as proxies, once the weights of all nodes are known. */
export function fitReach(regions: Regions, { shape }: ProxyOptions, { proxies, opening }: TreeSetting): void {
  const { sameSet, dimension } = shape
  const { buffer } = regions.memory.memory
  const tree = treeOf(regions, shape)
  const nodes = nodeCount(shape.sources)
  const at = regions.at('openings')
  const [numbers, floats] = [
    new Float64Array(buffer, at, (nodes * openingBytes) / 8),
    new Float32Array(buffer, at, (nodes * openingBytes) / 4),
  ]
  const share = (node: number) => numbers[(node * openingBytes + openingNumbers.reach) / 8] as number
  const centre = (node: number, axis: number) =>
    numbers[(node * openingBytes + axis * openingNumbers.axis) / 8 + 1] as number
  const fields = new Float32Array(buffer, tree.boxes.byteOffset, (nodes * nodeBytes) / 4)
  const fieldAt = (node: number) => (node * nodeBytes + nodeLinks.field) / 4
  const others = (node: number) => fields[fieldAt(node)] as number
  const weights = proxies === 'simplex' && sameSet ? { share, others, centre } : undefined
  const writeField = (node: number, field: number) => {
    fields[fieldAt(node)] = field
  }
  if (weights) eachField(tree, dimension, weights, writeField)
  else for (let node = 0; node < nodes; node++) writeField(node, 1)
  // This replaces the shares.
  eachReach(tree, dimension, opening, weights, (node, far2, near2) => {
    const own = (node * openingBytes + openingNumbers.reach) / 4
    floats[own] = far2
    floats[own + 1] = near2
  })
  const scheme = new DataView(buffer, regions.at('scheme'), schemeBytes)
  scheme.setFloat64(scaleAt, 1 / unitOf(tree, dimension), true)
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
      view.setUint32(at, regions.bytesOf('number') * w, true)
      view.setFloat64(at + 8, sign, true)
    }
  }
  return groups
}

/** Numbers the proxies of nodes with more points than proxies. Returns how many there are, and how many states are kept at once. */
function numberProxies(
  regions: Regions,
  shape: Shape,
  size: number,
): { readonly count: number; readonly states: number } {
  const { links } = treeOf(regions, shape)
  const nodes = nodeCount(shape.sources)
  const openings = new Int32Array(regions.memory.memory.buffer, regions.at('openings'), (nodes * openingBytes) / 4)
  const link = (node: number, name: 'first' | 'last' | 'skip') =>
    links[(node * nodeBytes + nodeLinks[name]) / 4] as number
  let [count, kept, states] = [0, 0, 0]
  // Parents come after their children, whose states theirs replaces.
  for (let node = nodes - 1; node >= 0; node--) {
    const has = link(node, 'last') - link(node, 'first') > size
    openings[(node * openingBytes + openingNumbers.proxy) / 4] = has ? count : -1
    if (has) count += size
    states = Math.max(states, ++kept)
    if (link(node, 'skip') !== node + 1) kept -= 2
  }
  return { count, states }
}

/** The boxes and links of the tree of sources. */
function treeOf(regions: Regions, { sources, sameSet }: Shape): Pick<BlockTree, 'boxes' | 'links'> {
  const { buffer } = regions.memory.memory
  const at = regions.at(sameSet ? 'nodes.target' : 'nodes.source')
  const bytes = nodeCount(sources) * nodeBytes
  return { boxes: new Float64Array(buffer, at, bytes / 8), links: new Uint32Array(buffer, at, bytes / 4) }
}
