/**
 * Finishes the nodes of a tree, in WGSL: writes the opening of each node for walks, and its proxies. It has one invocation per
 * node.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { nodeReach } from '../ranges/opening-rule.ts'
import { vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { momentAt, momentsArray, othersAt, perItem, type TreeSources, treeFields } from './source-groups.ts'

const workgroup = 64

export const finishGroups = (nodes: number): number => Math.ceil(nodes / workgroup)

/** The part of the shader that one kind of proxies adds. */
export interface NodeProxies {
  readonly label: string
  /** Declarations of the module. */
  readonly declare: string
  /** Declares `size`, the number of proxies of a node. */
  readonly size: string
  /** Writes the proxies of `node`. Its box has the centre `middle`. */
  readonly write: string
}

const fields: readonly Field[] = [
  ...treeFields,
  { name: 'root', type: 'u32', note: 'the root of the tree' },
  { name: 'proxied', type: 'u32', note: 'the first node that has proxies' },
  { name: 'proxyFirst', type: 'u32', note: 'the place of its first proxy among the sources' },
  { name: 'scheme', type: 'u32', note: 'where the number of proxies of a node goes in packed' },
]

/** @param byField whether a walk opens nodes by the field of the targets */
export function finishNodes(
  { dimension, label, weights, run }: TreeSources,
  proxies: NodeProxies,
  byField: boolean,
): Shader {
  const { type, parts, extended } = vectorOf({ dimension, periodic: false })
  const at = (group: number, m: number, node: string) => momentAt(dimension, group, m, node)
  const first = (group: number) =>
    `${type}(${axesOf(dimension)
      .map((_, a) => at(group, 1 + a, 'node'))
      .join(', ')})`
  const share = weights.map((_, w) => {
    const [plus, minus] = [2 * w, 2 * w + 1]
    return wgsl`{
  let all = ${at(plus, 0, 'run.root')} - ${at(minus, 0, 'run.root')};
  if (all > 0.0) {
    weighs = true;
    share += (${at(plus, 0, 'node')} - ${at(minus, 0, 'node')}) / all;
    if (node < run.leaves) { others += ${othersAt(w, 'node')} / all; }
    moved += (${first(plus)} - ${first(minus)}) / all;
  }
}`
  })
  const keepShare = byField
    ? wgsl`packed[run.boxes + 2u * node].w = others;
packed[run.boxes + 2u * node + 1u].w = share;`
    : ''
  const body = wgsl`
${proxies.declare}
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
var others = 0.0;
var weighs = false;
var moved = ${type}(0.0);
${share}
let centre = middle + select(${type}(0.0), moved / share, share > 0.0);
${nodeReach(dimension, byField)}
// A node without points has a negative reach.
packed[run.openings + 2u * node] = ${extended('middle', 'select(reach, -1.0, low.x > high.x)')};
packed[run.openings + 2u * node + 1u] = ${extended('centre', 'dot(half, half)')};
${keepShare}
${proxies.size}
if (node == run.root) { packed[run.scheme] = vec4f(f32(size)); }
${proxies.write}`,
)}`
  return shader(
    {
      label: `${label}: ${proxies.label}`,
      resources: [{ key: 'packed', access: 'read_write', type: 'vec4f' }, momentsArray('read')],
      fields: [...fields, ...run],
      workgroup,
    },
    body,
  )
}
