/**
 * Finishes the nodes of a tree, in WGSL: what a walk reads of each, and as proxies a simplex for each group of weights, as
 * `simplexScheme` of `@manybody/core/backend` makes them. It has one invocation per node.
 *
 * @module
 */
import { axesOf, simplexCorners } from '@manybody/core/backend'
import { vectorOf } from '../ranges/space.ts'
import { type Field, type Shader, shader } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'
import {
  groupsOf,
  momentAt,
  momentsArray,
  perItem,
  type SignedWeight,
  secondsOf,
  storeRecord,
  type TreeSources,
  treeFields,
} from './source-groups.ts'

const workgroup = 64

/** What rounding leaves of a second moment, relative to that about the centre of the box. */
const flat = 2 ** -19

export const finishGroups = (nodes: number): number => Math.ceil(nodes / workgroup)

/** The most proxies of a node. */
export const simplexSize = ({ dimension, weights }: Pick<TreeSources, 'dimension' | 'weights'>): number =>
  groupsOf(weights).length * (dimension + 1)

const fields: readonly Field[] = [
  ...treeFields,
  { name: 'root', type: 'u32', note: 'the root of the tree' },
  { name: 'proxied', type: 'u32', note: 'the first node that has proxies' },
  { name: 'proxyFirst', type: 'u32', note: 'the place of its first proxy among the sources' },
  { name: 'scheme', type: 'u32', note: 'where the number of proxies of a node goes in packed' },
]

export function finishNodes(sources: TreeSources): Shader {
  const { dimension, label, weights, run } = sources
  const { type, parts, extended } = vectorOf({ dimension, periodic: false })
  const groups = groupsOf(weights)
  const at = (group: number, m: number, node: string) => momentAt(dimension, group, m, node)
  const first = (group: number) =>
    `${type}(${axesOf(dimension)
      .map((_, a) => at(group, 1 + a, 'node'))
      .join(', ')})`
  const corners = simplexCorners[dimension] as readonly (readonly number[])[]
  const table = corners.map((corner) => `${type}(${corner.map(shortest).join(', ')})`)
  const share = weights.map((_, w) => {
    const [plus, minus] = [2 * w, 2 * w + 1]
    return wgsl`{
  let all = ${at(plus, 0, 'run.root')} - ${at(minus, 0, 'run.root')};
  if (all > 0.0) {
    share += (${at(plus, 0, 'node')} - ${at(minus, 0, 'node')}) / all;
    moved += (${first(plus)} - ${first(minus)}) / all;
  }
}`
  })
  const body = wgsl`
const corners = array<${type}, ${corners.length}>(${table.join(', ')});
${perItem(
  workgroup,
  'node',
  'run.nodes',
  wgsl`let low = packed[run.boxes + 2u * node].${parts};
let high = packed[run.boxes + 2u * node + 1u].${parts};
let middle = 0.5 * (low + high);
let half = 0.5 * (high - low);
// Each source counts by the sizes of its weights, relative to those of all sources.
var share = 0.0;
var moved = ${type}(0.0);
${share}
let centre = middle + select(${type}(0.0), moved / share, share > 0.0);
// A node without points has a negative radius.
let radius2 = select(dot(half, half), -1.0, low.x > high.x);
packed[run.openings + 2u * node] = ${extended('middle', 'radius2')};
packed[run.openings + 2u * node + 1u] = ${extended('centre', 'packed[run.openings + 2u * node + 1u].w')};
var size = 0u;
${groups.map(({ group }) => `size += select(0u, ${dimension + 1}u, ${at(group, 0, 'run.root')} != 0.0);`)}
if (node == run.root) { packed[run.scheme] = vec4f(f32(size)); }
${simplices(sources, groups)}`,
)}`
  return shader(
    {
      label: `${label}: simplices`,
      resources: [{ key: 'packed', access: 'read_write', type: 'vec4f' }, momentsArray('read')],
      fields: [...fields, ...run],
      workgroup,
    },
    body,
  )
}

function simplices(sources: TreeSources, groups: readonly SignedWeight[]): string {
  const { dimension, weights } = sources
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
  return wgsl`if (node < run.proxied) { return; }
var place = run.proxyFirst + (node - run.proxied) * size;
${groups.map(write)}`
}

const shortest = (x: number): string => (Number.isInteger(x) ? `${x}.0` : String(Math.fround(x)))
