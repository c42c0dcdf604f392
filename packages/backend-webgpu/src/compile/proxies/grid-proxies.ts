/**
 * Grids of proxies for the nodes of a tree, in WGSL, as `gridScheme` of `@manybody/core/backend` makes them. The lowest nodes
 * with proxies take weights from their points, and the nodes above from the grids of their children.
 *
 * A workgroup makes 64 proxies of one node. It evaluates the polynomials of 64 sources at a time, one source per invocation.
 * Then each invocation adds the shares of these sources to its proxy.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { flatGrid, gridAxis } from '@manybody/core/far'
import type { KnownDispatch } from '../../design/design.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { childCount, treeLevels } from '../ranges/opening-tree.ts'
import { vectorOf } from '../ranges/space.ts'
import { wgslText } from '../wgsl/operators.ts'
import { shader } from '../wgsl/shader.ts'
import type { NodeProxies } from './finish-nodes.ts'
import { attributeIn, parameterFields, weightAttributes } from './gather-sources.ts'
import { momentsArray, storeRecord, type TreeSources, treeFields } from './source-groups.ts'

const workgroup = 64
/** Distance between the values of one polynomial and the next, so that invocations read from different banks. */
const stride = workgroup + 1

/** Half an edge of coincident points: its square and its inverse are finite in float32. */
const leastHalf = '1e-18'

/** Number of proxies of a node. */
export const gridSize = (degree: number, { dimension }: Pick<TreeSources, 'dimension'>): number =>
  (degree + 1) ** dimension

/** The proxies of a grid, as a part of the shader that finishes nodes. Other shaders make the grids themselves. */
export const gridNodes = (degree: number, sources: TreeSources): NodeProxies => ({
  label: 'nodes with grids',
  declare: '',
  size: `var size = ${gridSize(degree, sources)}u;`,
  write: '',
})

/** The shaders for the lowest nodes with proxies, and for the nodes above. */
export interface GridShaders {
  readonly lowest: Shader
  readonly above: Shader
}

const fields: readonly Field[] = [
  ...treeFields,
  { name: 'nodeFirst', type: 'u32', note: 'the first node of this level' },
  { name: 'count', type: 'u32', note: 'number of nodes of this level that have points' },
  { name: 'given', type: 'u32', note: 'number of points, or of proxies of the level below' },
  { name: 'share', type: 'u32', note: 'how many of them belong to a node' },
  { name: 'proxied', type: 'u32', note: 'the first node that has proxies' },
  { name: 'proxyFirst', type: 'u32', note: 'the place of its first proxy among the sources' },
  { name: 'proxyCount', type: 'u32', note: 'number of all proxies' },
  {
    name: 'gridWeights',
    type: 'u32',
    note: 'where the weights of proxies start in moments, one weight after the other',
  },
]

/** @param set the name of the set of the sources: `points` or `sources` */
export function gridProxies(sources: TreeSources, degree: number, set: string): GridShaders {
  const { dimension, weights, label, run } = sources
  const vector = vectorOf({ dimension, periodic: false })
  const resource = (name: string): Resource => ({ key: `${set}.${name}`, access: 'read', type: 'f32' })
  const position = resource('position')
  const array = (name: string) => `${arrayName(`${set}.${name}`)}[j]`
  const textOf = (symbol: string) => {
    const attribute = attributeIn(symbol)
    return attribute === undefined ? `run.weight_${symbol}` : array(attribute)
  }
  const fromPoints = wgsl`let j = order[run.sourceOrder + item];
x = ${vector.load(arrayName(position.key), 'j')};
${weights.map(({ value }, w) => `weight${w} = ${wgslText(value, textOf)};`)}`
  const size = gridSize(degree, sources)
  const fromChildren = wgsl`let child = run.childFirst + item / ${size}u;
x = gridPoint(child, item % ${size}u);
${weights.map((_, w) => `weight${w} = ${weightAt(w, `(child - run.proxied) * ${size}u + item % ${size}u`)};`)}`
  const packed: Resource = { key: 'packed', access: 'read_write', type: 'vec4f' }
  return {
    lowest: shader(
      {
        label: `${label}: grids of degree ${degree} from points`,
        resources: [
          position,
          ...weightAttributes(sources).map(resource),
          { key: 'order', access: 'read', type: 'u32' },
          ...[packed, momentsArray('read_write')],
        ],
        fields: [
          ...fields,
          { name: 'sourceOrder', type: 'u32', note: 'where the order of the sources starts' },
          ...run,
          ...parameterFields(sources),
        ],
        ...{ workgroup, memory: memoryOf(sources, degree) },
      },
      bodyOf(sources, degree, fromPoints),
    ),
    above: shader(
      {
        label: `${label}: grids of degree ${degree} from grids`,
        resources: [packed, momentsArray('read_write')],
        fields: [...fields, { name: 'childFirst', type: 'u32', note: 'the first node of the level below' }, ...run],
        ...{ workgroup, memory: memoryOf(sources, degree) },
      },
      bodyOf(sources, degree, fromChildren),
    ),
  }
}

/** Polynomials and weights of the sources in a tile. */
const memoryOf = ({ dimension, weights }: TreeSources, degree: number) =>
  4 * (stride * dimension * (degree + 1) + workgroup * weights.length)

const weightAt = (weight: number, proxy: string) => `moments[run.gridWeights + ${weight}u * run.proxyCount + ${proxy}]`

/** @param load sets `x` and the weights of source `item` */
function bodyOf(sources: TreeSources, degree: number, load: string): string {
  const { dimension, weights } = sources
  const { parts } = vectorOf({ dimension, periodic: false })
  const points = degree + 1
  const size = gridSize(degree, sources)
  const { points: nodes, factors } = gridAxis(degree)
  const list = (numbers: readonly number[]) => numbers.map(shortest).join(', ')
  const axes = axesOf(dimension)
  const evaluate = axes.map(
    (name, axis) => wgsl`
for (var k = 0u; k < ${points}u; k++) {
  var value = factors[k];
  for (var m = 0u; m < ${points}u; m++) { value *= select(t.${name} - nodes[m], 1.0, m == k); }
  values[(${axis * points}u + k) * ${stride}u + lane] = value;
}`,
  )
  const product = axes
    .map((_, axis) => `values[(${axis * points}u + ${indexOf(axis, degree)}) * ${stride}u + n]`)
    .join(' * ')
  const record = storeRecord(
    sources,
    [...parts].map((axis) => `at.${axis}`),
    (name) => `sum${weights.findIndex(({ attribute }) => attribute === name)}`,
    'place',
  )
  return wgsl`
const nodes = array<f32, ${points}>(${list(nodes)});
const factors = array<f32, ${points}>(${list(factors)});
// The polynomials of each source in the tile, axis by axis.
var<workgroup> values: array<f32, ${dimension * points * stride}>;
var<workgroup> weights: array<f32, ${weights.length * workgroup}>;

${placesIn(sources, degree)}

@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let own = group.x + group.z * groups.x;
  if (own >= run.count) { return; }
  let node = run.nodeFirst + own;
  let proxy = group.y * ${workgroup}u + lane;
  let middle = middleOf(node);
  let half = halfOf(node);
  ${weights.map((_, w) => `var sum${w} = 0.0;`)}
  let first = own * run.share;
  let last = min(first + run.share, run.given);
  for (var base = first; base < last; base += ${workgroup}u) {
    let item = base + lane;
    if (item < last) {
      var x = middle;
      ${weights.map((_, w) => `var weight${w} = 0.0;`)}
      {
        ${load}
      }
      let t = (x - middle) / half;
      ${evaluate}
      ${weights.map((_, w) => `weights[${w * workgroup}u + lane] = weight${w};`)}
    }
    workgroupBarrier();
    for (var n = 0u; n < min(last - base, ${workgroup}u); n++) {
      let product = ${product};
      ${weights.map((_, w) => `sum${w} += product * weights[${w * workgroup}u + n];`)}
    }
    workgroupBarrier();
  }
  if (proxy >= ${size}u) { return; }
  let number = (node - run.proxied) * ${size}u + proxy;
  let place = run.proxyFirst + number;
  let at = gridPoint(node, proxy);
  ${record}
  ${weights.map((_, w) => `${weightAt(w, 'number')} = sum${w};`)}
}
`
}

/** The functions that tell the box of a node and where its proxies are. */
function placesIn({ dimension }: TreeSources, degree: number): string {
  const { type, parts } = vectorOf({ dimension, periodic: false })
  const longest = [...parts].map((axis) => `half.${axis}`).reduce((a, b) => `max(${a}, ${b})`)
  return wgsl`
fn middleOf(node: u32) -> ${type} {
  return 0.5 * (packed[run.boxes + 2u * node].${parts} + packed[run.boxes + 2u * node + 1u].${parts});
}

// Flat boxes get some height.
fn halfOf(node: u32) -> ${type} {
  let half = 0.5 * (packed[run.boxes + 2u * node + 1u].${parts} - packed[run.boxes + 2u * node].${parts});
  let longest = ${longest};
  return max(half, ${type}(max(longest * ${shortest(flatGrid)}, ${leastHalf})));
}

fn gridPoint(node: u32, proxy: u32) -> ${type} {
  let t = ${type}(${axesOf(dimension)
    .map((_, axis) => `nodes[${indexOf(axis, degree)}]`)
    .join(', ')});
  return middleOf(node) + halfOf(node) * t;
}`
}

/** The place along an axis of a proxy. */
const indexOf = (axis: number, degree: number) => `proxy / ${(degree + 1) ** axis}u % ${degree + 1}u`

/** The dispatches for all nodes with proxies, the lowest first. @param proxied the first of these nodes */
export function gridDispatches(
  degree: number,
  sources: TreeSources,
  points: number,
  proxied: number,
): readonly KnownDispatch[] {
  const size = gridSize(degree, sources)
  const levels = treeLevels(points)
  const start = levels.findIndex(({ first }) => first === proxied)
  if (start < 0) return []
  return levels.slice(start).map(({ first, count, places }, n) => {
    const below = levels[start + n - 1]
    const from =
      n === 0
        ? { given: points, share: places }
        : { given: (below?.count ?? 0) * size, share: childCount * size, childFirst: below?.first ?? 0 }
    const x = Math.min(count, 65535)
    return {
      shader: n === 0 ? 'lowest' : 'above',
      values: { ...from, nodeFirst: first, count },
      size: [x, Math.ceil(size / workgroup), Math.ceil(count / x)] as const,
    }
  })
}

const shortest = (x: number): string => {
  const text = String(Math.fround(x))
  return /[.e]/.test(text) ? text : `${text}.0`
}
