/**
 * Boxes around blocks and around the nodes above them, in WGSL. Every run fits them to its positions.
 *
 * A box is given by two corners. In open space their coordinates are coordinates of points, so they are exact. In a periodic
 * domain they are coordinates of the points' images inside it, with roundings in proportion to the size of the coordinates. So
 * the fourth number of the low corner is the largest absolute coordinate, negated: the corners of a node are then the minimum
 * and the maximum of the corners of its children. The fourth number of the high corner may be the largest size of a point.
 *
 * @module
 */

import { childrenPerGroup, fanOut } from '../../design/block-tree.ts'
import type { Field, Resource, Shader } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { insideOf, vectorOf } from './space.ts'

const workgroup = childrenPerGroup

/** Farther away than any point, but near enough that differences do not overflow. */
const nowhere = '1.7e38'

/** Boxes follow the packed sources in the same array, because devices bind few arrays. */
const boxesArray = (access: Resource['access']): Resource => ({ key: 'packed', access, type: 'vec4f' })
export const boxesField: Field = { name: 'boxes', type: 'u32', note: 'where the boxes start in packed' }

export const sizesField: Field = { name: 'sizes', type: 'u32', note: 'where the sizes of sources start in packed' }

/** A corner of the box of no points. */
export const emptyBox = (corner: 'low' | 'high'): string =>
  corner === 'low' ? `vec4f(${nowhere})` : `vec4f(-${nowhere})`

/** Whether a coordinate of a vector is not finite. */
export function notFinite(space: BoxSpace, x: string): string {
  const bits = vectorOf(space).type.replace('f', 'u')
  return `any((bitcast<${bits}>(${x}) & ${bits}(0x7f800000u)) == ${bits}(0x7f800000u))`
}

/** Declares `low` and `high`, the corners of the box of a point `x`. If a coordinate is not finite, the box is all of space. */
export function pointBox(space: BoxSpace): string {
  const { extended, parts } = vectorOf(space)
  const inside = insideOf(space)
  const most = [...parts].map((axis) => `abs(x.${axis})`).reduce((a, b) => `max(${a}, ${b})`)
  return wgsl`let inside = ${inside.of('x')};
let wild = ${notFinite(space, 'x')};
let size = ${inside.size(most)};
let low = select(${extended('inside', '-size')}, vec4f(-${nowhere}), wild);
let high = select(${extended('inside')}, vec4f(${nowhere}), wild);`
}

const fields: readonly Field[] = [
  boxesField,
  { name: 'children', type: 'u32', note: 'number of nodes in the level below' },
  { name: 'childFirst', type: 'u32', note: 'the first of them' },
  { name: 'nodeFirst', type: 'u32', note: 'the first node of this level' },
]

/** The shader that fits a level above the blocks. */
export const levelShader: Shader = shader(
  {
    label: 'blocks: boxes of a level',
    resources: [boxesArray('read_write')],
    fields,
    workgroup,
    memory: 32 * workgroup,
  },
  wgsl`
var<workgroup> lows: array<vec4f, ${workgroup}>;
var<workgroup> highs: array<vec4f, ${workgroup}>;

@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // Each invocation has one child.
  let child = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  lows[lane] = ${emptyBox('low')};
  highs[lane] = ${emptyBox('high')};
  if (child < run.children) {
    lows[lane] = packed[run.boxes + 2u * (run.childFirst + child)];
    highs[lane] = packed[run.boxes + 2u * (run.childFirst + child) + 1u];
  }
  for (var half = ${fanOut / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane % ${fanOut}u < half) {
      lows[lane] = min(lows[lane], lows[lane + half]);
      highs[lane] = max(highs[lane], highs[lane + half]);
    }
  }
  if (lane % ${fanOut}u == 0u && child < run.children) {
    let node = run.nodeFirst + child / ${fanOut}u;
    packed[run.boxes + 2u * node] = lows[lane];
    packed[run.boxes + 2u * node + 1u] = highs[lane];
  }
}
`,
)
