/**
 * Boxes around blocks and around the nodes above them, in WGSL, fitted to the positions of every run.
 *
 * A box is its corners, which are coordinates themselves and so exact; in a periodic box those of the points' images inside it.
 * What its coordinates may have lost by then depends on their size: the fourth number of the low corner is the largest of
 * them, negated, so that the corners of a node are the least and the greatest of its children's.
 *
 * @module
 */
import { type Dispatch, type Field, type Resource, type Shader, shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'
import { wgsl } from '../wgsl/wgsl.ts'
import { fanOut, levelsOf } from './block-tree.ts'
import { insideOf, type Space, vectorOf } from './space.ts'

const workgroup = 64

/** Farther than any point, and within what can be subtracted from any. */
const nowhere = '1.7e38'

/** Boxes are behind the packed sources, in one array with them: devices bind few. */
const boxesArray = (access: Resource['access']): Resource => ({ key: 'packed', access, type: 'vec4f' })
export const boxesField: Field = { name: 'boxes', type: 'u32', note: 'where the boxes are among the packed numbers' }

/** A box of no points. */
export const emptyBox = (corner: 'low' | 'high'): string => `vec4f(${corner === 'low' ? '' : '-'}${nowhere})`

/** Declares `low` and `high`, the box of a point `x`; all of space if a coordinate is not finite. */
export function pointBox(space: Space): string {
  const { type, extended, parts } = vectorOf(space)
  const bits = type.replace('f', 'u')
  const inside = insideOf(space)
  const most = [...parts].map((axis) => `abs(x.${axis})`).reduce((a, b) => `max(${a}, ${b})`)
  return wgsl`let inside = ${inside.of('x')};
let wild = any((bitcast<${bits}>(x) & ${bits}(0x7f800000u)) == ${bits}(0x7f800000u));
let size = ${inside.size(most)};
let low = select(${extended('inside', '-size')}, vec4f(-${nowhere}), wild);
let high = select(${extended('inside')}, vec4f(${nowhere}), wild);`
}

const fields: readonly Field[] = [
  boxesField,
  { name: 'children', type: 'u32', note: 'nodes of the level below' },
  { name: 'childFirst', type: 'u32', note: 'where they are' },
  { name: 'nodeFirst', type: 'u32', note: 'where their parents are' },
]

const levelShader: Shader = shader(
  {
    label: 'blocks: boxes of a level',
    resources: [boxesArray('read_write')],
    fields,
    workgroup,
  },
  wgsl`@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let node = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  let first = node * ${fanOut}u;
  if (first >= run.children) { return; }
  var low = ${emptyBox('low')};
  var high = ${emptyBox('high')};
  for (var child = first; child < min(first + ${fanOut}u, run.children); child++) {
    low = min(low, packed[run.boxes + 2u * (run.childFirst + child)]);
    high = max(high, packed[run.boxes + 2u * (run.childFirst + child) + 1u]);
  }
  packed[run.boxes + 2u * (run.nodeFirst + node)] = low;
  packed[run.boxes + 2u * (run.nodeFirst + node) + 1u] = high;
}
`,
)

/** The shaders for a number of points: none where the blocks themselves are few. */
export const levelShaders = (points: number): readonly Shader[] => (levelsOf(points).length > 1 ? [levelShader] : [])

/** Fits the levels above the blocks, from the lowest up. @param boxes where they are */
export function levelDispatches(points: number, boxes: number): readonly Dispatch[] {
  const levels = levelsOf(points)
  let childFirst = 0
  return levels.slice(1).map((nodes, n) => {
    const children = levels[n] as number
    const values = { boxes, children, childFirst, nodeFirst: childFirst + children }
    childFirst += children
    const [x, z] = spread(Math.ceil(nodes / workgroup))
    return { shader: levelShader, values, size: [x, 1, z] as const }
  })
}
