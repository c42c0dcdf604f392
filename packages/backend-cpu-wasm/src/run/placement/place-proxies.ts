/**
 * The host's share of making proxies, which only trees load. It allocates memory, and decides on groups of weights and on the nodes that
 * have proxies. The module does all work on single points and nodes.
 *
 * @module
 */
import type { Shape, TreeSetting } from '@manybody/core'
import { nodeBytes, nodeCount, nodeLinks } from '@manybody/core/backend'
import { gridAxis } from '@manybody/core/far'
import { partBytes } from '../../design/loaded-at-once.ts'
import { cutLevels } from '../../design/order-layout.ts'
import {
  groupBytes,
  openingNumbers,
  partNumbers,
  schemeBytes,
  schemeNumbers,
  stateBytesOf,
  weighPoints,
} from '../../design/proxy-layout.ts'
import type { ProxyOptions } from './proxies.ts'
import type { Regions } from './regions.ts'

/** Numbers the proxies, once all weights are known, and allocates their memory. Returns the addresses and counts for the module. */
export function placeProxies(
  regions: Regions,
  options: ProxyOptions,
  { proxies, opening }: TreeSetting,
): Readonly<Record<string, number>> & { readonly proxyCount: number } {
  const { shape, weights, recordBytes, number } = options
  const { dimension, sources, sameSet } = shape
  const simplex = proxies === 'simplex'
  const view = new DataView(regions.memory.memory.buffer, regions.at.scheme, schemeBytes)
  const groups = writeWeights(view, regions, options)
  view.setFloat64(schemeNumbers.nearness, 1 / (opening * opening), true)
  const points = simplex ? 0 : proxies + 1
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
  regions.place({
    // Proxies overwrite the records of points, after these have been read. Prepared sources overwrite the proxies as
    // attributes.
    'proxy.position': { bytes: count * (dimension + weights.length) * number, within: 'sources' },
    proxies: {
      bytes: Math.ceil(count / 16) * 16 * recordBytes,
      within: sameSet ? 'targetRecords' : 'sourceRecords',
    },
    states: { bytes: (2 * tasks - 1) * stateBytes },
    stacks: { bytes: tasks * stackBytes },
  })
  const { at } = regions
  const attributes = weights.map(
    (name, w) => [`proxy.${name}`, (at['proxy.position'] ?? 0) + count * (dimension + w) * number] as const,
  )
  return {
    ...{ groups, gridBytes: 8 * points, stateBytes, stackBytes, proxyBytes: size * recordBytes, proxyCount: count },
    ...{ 'proxy.position': at['proxy.position'] ?? 0, proxies: at.proxies ?? 0, stacks: at.stacks ?? 0 },
    ...Object.fromEntries(attributes),
    // The states of tasks are stored from the last task to the first.
    states: (at.states ?? 0) + (2 * tasks - 2) * stateBytes,
  }
}

/** Writes the inverse of each weight's total size, and the groups: one for each weight and sign. Returns the number of groups. */
function writeWeights(view: DataView, regions: Regions, { shape, weights, number }: ProxyOptions): number {
  const units = Math.ceil(shape.sources / weighPoints)
  const parts = new DataView(regions.memory.memory.buffer, regions.at.weightParts, units * weights.length * partBytes)
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
      view.setUint32(at, number * w, true)
      view.setFloat64(at + 8, sign, true)
    }
  }
  return groups
}

/** Numbers the proxies of nodes with more points than proxies. Returns the number of proxies, and the most states that one task keeps. */
function numberProxies(
  regions: Regions,
  shape: Shape,
  size: number,
): { readonly count: number; readonly states: number } {
  const { buffer } = regions.memory.memory
  const nodes = nodeCount(shape.sources)
  const [stride, proxyAt] = [nodeBytes / 4, openingNumbers.proxy / 4]
  const { targetNodes, sourceNodes, openings: openingsAt } = regions.at
  const links = new Uint32Array(buffer, shape.sameSet ? targetNodes : sourceNodes, nodes * stride)
  const openings = new Int32Array(buffer, openingsAt, nodes * stride)
  const [first, last, skip] = [nodeLinks.first / 4, nodeLinks.last / 4, nodeLinks.skip / 4]
  let [count, kept, states] = [0, 0, 0]
  // Parents come after their children. The state of a parent replaces the states of its children.
  for (let node = nodes - 1, at = node * stride; node >= 0; node--, at -= stride) {
    const has = (links[at + last] as number) - (links[at + first] as number) > size
    openings[at + proxyAt] = has ? count : -1
    if (has) count += size
    if (++kept > states) states = kept
    if (links[at + skip] !== node + 1) kept -= 2
  }
  return { count, states }
}
