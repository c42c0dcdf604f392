/**
 * Makes the boxes and moments of the nodes of a level from those of their children, in WGSL. It has one invocation per node.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { KnownDispatch } from '../../design/design.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { alongZ } from '../../design/spread.ts'
import { wgsl } from '../../design/wgsl.ts'
import { emptyBox } from '../ranges/boxes.ts'
import { childCount, treeLevels } from '../ranges/opening-tree.ts'
import { vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { groupsOf, momentAt, momentsArray, perItem, secondsOf, type TreeSources, treeFields } from './source-groups.ts'

const workgroup = 64

const fields: readonly Field[] = [
  ...treeFields,
  { name: 'count', type: 'u32', note: 'number of nodes of this level that have points' },
  { name: 'filled', type: 'u32', note: 'number of nodes of this level, with those that have no points' },
  { name: 'nodeFirst', type: 'u32', note: 'the first of them' },
  { name: 'childFirst', type: 'u32', note: 'the first node of the level below' },
]

export function addChildren(sources: TreeSources): Shader {
  const { dimension, label, weights } = sources
  const { parts } = vectorOf({ dimension, periodic: false })
  const at = (group: number, m: number, node: string) => momentAt(dimension, group, m, node)
  const add = ({ group }: { readonly group: number }) => {
    const [first, second] = [1, 1 + dimension]
    const names = axesOf(dimension)
    return wgsl`{
  var total = 0.0;
  ${names.map((axis) => `var first_${axis} = 0.0;`)}
  ${secondsOf(dimension).map((_, n) => `var second${n} = 0.0;`)}
  for (var c = 0u; c < ${childCount}u && place < run.count; c++) {
    let child = children + c;
    let d = offsets[c];
    let t = ${at(group, 0, 'child')};
    ${names.map((axis, a) => `let m_${axis} = ${at(group, first + a, 'child')};`)}
    total += t;
    ${names.map((axis) => `first_${axis} += m_${axis} + t * d.${axis};`)}
    ${secondsOf(dimension).map(([a, b], n) => {
      const [x, y] = [parts[a], parts[b]]
      return `second${n} += ${at(group, second + n, 'child')} + m_${x} * d.${y} + d.${x} * m_${y} + t * d.${x} * d.${y};`
    })}
  }
  ${at(group, 0, 'node')} = total;
  ${names.map((axis, a) => `${at(group, first + a, 'node')} = first_${axis};`)}
  ${secondsOf(dimension).map((_, n) => `${at(group, second + n, 'node')} = second${n};`)}
}`
  }
  const body = perItem(
    workgroup,
    'place',
    'run.filled',
    wgsl`let node = run.nodeFirst + place;
let children = run.childFirst + ${childCount}u * place;
var least = ${emptyBox('low')};
var most = ${emptyBox('high')};
var offsets: array<vec${dimension}f, ${childCount}>;
if (place < run.count) {
  for (var c = 0u; c < ${childCount}u; c++) {
    let low = packed[run.boxes + 2u * (children + c)];
    let high = packed[run.boxes + 2u * (children + c) + 1u];
    least = min(least, low);
    most = max(most, high);
    offsets[c] = 0.5 * (low.${parts} + high.${parts});
  }
}
packed[run.boxes + 2u * node] = least;
packed[run.boxes + 2u * node + 1u] = most;
let centre = 0.5 * (least.${parts} + most.${parts});
for (var c = 0u; c < ${childCount}u; c++) { offsets[c] -= centre; }
${groupsOf(weights).map(add)}`,
  )
  return shader(
    {
      label: `${label}: boxes and moments of a level`,
      resources: [{ key: 'packed', access: 'read_write', type: 'vec4f' }, momentsArray('read_write')],
      fields,
      workgroup,
    },
    body,
  )
}

/** The dispatches for all levels above the leaves, the lowest first. */
export function childDispatches(points: number): readonly KnownDispatch[] {
  const levels = treeLevels(points)
  return levels.slice(1).map(({ first, count, filled }, n) => {
    const values = { count, filled, nodeFirst: first, childFirst: levels[n]?.first ?? 0 }
    return { shader: 'children', values, size: alongZ(Math.ceil(filled / workgroup)) }
  })
}
