/**
 * Makes the proxies of a tree that the module has fitted, on the host, and puts them and the openings of nodes into memory.
 *
 * @module
 */
import type { FloatArray, Shape, TreeSetting } from '@manybody/core'
import {
  blockTree,
  byPlace,
  gridScheme,
  groupsIn,
  proxiesOf,
  type SourceWeight,
  simplexScheme,
  weightCentres,
} from '@manybody/core/backend'
import { openingBytes, openingNumbers } from '../ranges/opening-walk.ts'
import type { Regions } from './regions.ts'

export interface ProxyInput {
  readonly shape: Shape
  readonly position: FloatArray
  readonly weights: readonly SourceWeight[]
  /** The values of each weight, point by point. */
  readonly values: readonly FloatArray[]
  readonly setting: TreeSetting
}

/** What a placement must know of them. */
export interface Made {
  readonly count: number
  /** How many of them stand for a node. */
  readonly size: number
  /** The regions that the module reads. */
  readonly names: readonly string[]
}

/** Boxes have 8 numbers each. */
const boxNumbers = 8

export function makeProxies(regions: Regions, { shape, position, weights, values, setting }: ProxyInput): Made {
  const { dimension, sources, sameSet } = shape
  const { buffer } = regions.memory.memory
  const tree = blockTree(sources, buffer, regions.at(sameSet ? 'tree.target' : 'tree.source'))
  const points = byPlace(tree.order, position, values, dimension)
  const scheme =
    setting.proxies === 'simplex'
      ? simplexScheme(groupsIn(points.weight, weights.length), dimension, weights.length)
      : gridScheme(setting.proxies, dimension, weights.length)
  const { first, points: proxies } = proxiesOf(tree, points, dimension, scheme)
  const centre = weightCentres(tree, points, dimension)
  const count = proxies.position.length / dimension
  const { opening } = setting
  const openings = new DataView(new ArrayBuffer(first.length * openingBytes))
  for (let node = 0; node < first.length; node++) {
    const at = node * openingBytes
    let radius2 = 0
    for (let axis = 0; axis < dimension; axis++) {
      openings.setFloat64(at + 8 * axis, centre[node * dimension + axis] as number, true)
      radius2 += (tree.boxes[node * boxNumbers + 3 + axis] as number) ** 2
    }
    openings.setFloat64(at + openingNumbers.far2, radius2 / (opening * opening), true)
    openings.setInt32(at + openingNumbers.proxy, first[node] as number, true)
  }
  const bytes = regions.precision === 'f64' ? 8 : 4
  const write = (name: string, numbers: Float64Array) => {
    const address = regions.reserve(name, numbers.length * bytes)
    regions.view('number', address, numbers.length).set(numbers)
  }
  write('proxy.position', proxies.position)
  for (const [w, { attribute }] of weights.entries()) {
    const own = new Float64Array(count)
    for (let n = 0; n < count; n++) own[n] = proxies.weight[n * weights.length + w] as number
    write(`proxy.${attribute}`, own)
  }
  const address = regions.reserve('openings', openings.byteLength)
  new Uint8Array(regions.memory.memory.buffer, address, openings.byteLength).set(new Uint8Array(openings.buffer))
  const names = ['proxy.position', ...weights.map(({ attribute }) => `proxy.${attribute}`), 'openings']
  return { count, size: scheme.size, names }
}
