/**
 * Simplices of proxies for the nodes of a tree, in WGSL: one for each group of weights, as `simplexScheme` of `@manybody/core/backend`
 * makes them.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { simplexCorners } from '@manybody/core/far'
import { wgsl } from '../../design/wgsl.ts'
import { vectorOf } from '../ranges/space.ts'
import type { NodeProxies } from './finish-nodes.ts'
import { groupsOf, momentAt, type SignedWeight, secondsOf, storeRecord, type TreeSources } from './source-groups.ts'

/** A second moment is only rounding if it is less than this share of the moment about the centre of the box. */
const flat = 2 ** -19

/** The most proxies of a node. */
export const simplexSize = ({ dimension, weights }: Pick<TreeSources, 'dimension' | 'weights'>): number =>
  groupsOf(weights).length * (dimension + 1)

export function simplexNodes(sources: TreeSources): NodeProxies {
  const { dimension, weights } = sources
  const groups = groupsOf(weights)
  const corners = simplexCorners[dimension] as readonly (readonly number[])[]
  const { type, parts } = vectorOf({ dimension, periodic: false })
  const at = (group: number, m: number, node: string) => momentAt(dimension, group, m, node)
  const write = ({ group, weight }: SignedWeight) => {
    const own = weights[weight]?.attribute
    const roots = secondsOf(dimension).map(([a, b], n) => {
      const products = Array.from({ length: b }, (_, c) => ` - root_${a}_${c} * root_${b}_${c}`).join('')
      const rest = `second_${a}_${b} - mean.${parts[a]} * mean.${parts[b]}${products}`
      const value =
        a === b
          ? `sqrt(select(0.0, rest_${a}_${b}, rest_${a}_${b} > ${flat} * second_${a}_${b}))`
          : `select(0.0, rest_${a}_${b} / root_${b}_${b}, root_${b}_${b} > 0.0)`
      return wgsl`let second_${a}_${b} = ${at(group, 1 + dimension + n, 'node')} * inverse;
let rest_${a}_${b} = ${rest};
let root_${a}_${b} = ${value};`
    })
    const along = axesOf(dimension).map((_, a) =>
      Array.from({ length: a + 1 }, (_, b) => `root_${a}_${b} * corner.${parts[b]}`).join(' + '),
    )
    const record = storeRecord(
      sources,
      [...parts].map((axis) => `x.${axis}`),
      (name) => (name === own ? 'part' : '0.0'),
      'place',
    )
    return wgsl`if (${at(group, 0, 'run.root')} != 0.0) {
  let total = ${at(group, 0, 'node')};
  let inverse = select(0.0, 1.0 / total, total != 0.0);
  let mean = ${type}(${axesOf(dimension)
    .map((_, a) => at(group, 1 + a, 'node'))
    .join(', ')}) * inverse;
  // Cholesky's decomposition of the second moments about the centre.
  ${roots}
  let part = total * ${shortest(1 / (dimension + 1))};
  for (var n = 0u; n < ${dimension + 1}u; n++) {
    let corner = corners[n];
    let x = middle + mean + ${type}(${along.join(', ')});
    ${record}
    place++;
  }
}`
  }
  const table = corners.map((corner) => `${type}(${corner.map(shortest).join(', ')})`)
  return {
    label: 'simplices',
    declare: `const corners = array<${type}, ${corners.length}>(${table.join(', ')});`,
    size: wgsl`var size = 0u;
${groups.map(({ group }) => `size += select(0u, ${dimension + 1}u, ${at(group, 0, 'run.root')} != 0.0);`)}`,
    write: wgsl`if (node < run.proxied) { return; }
var place = run.proxyFirst + (node - run.proxied) * size;
${groups.map(write)}`,
  }
}

const shortest = (x: number): string => (Number.isInteger(x) ? `${x}.0` : String(Math.fround(x)))
