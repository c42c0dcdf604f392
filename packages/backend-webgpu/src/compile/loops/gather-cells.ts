/**
 * Gathers points in the order of their cells, in WGSL: ranks the points of each cell by their indices, and for sources packs
 * the numbers that a pair reads as vec4f, with coordinates inside the box. It has one invocation per place.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { storeSource } from '../parts/source-texts.ts'
import { insideBox } from '../ranges/cell-order.ts'
import { countField, countsOf, levelFields, orderField, rankedPlace } from '../ranges/counting-sort.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'

const workgroup = orderedPerGroup

/**
 * @param set the name of the set: `points` or `sources`; others are not packed
 * @param packed the texts for packing; undefined if the points are not sources
 */
export function gatherCells(
  label: string,
  set: string,
  space: BoxSpace,
  packed: Pick<PairTexts, 'resources' | 'record' | 'loadSource'> | undefined,
  run: readonly Field[],
): Shader {
  const x = vectorOf(space).load(arrayName(`${set}.position`), 'j')
  const places = axesOf(space.dimension).map((axis) => `inside.${axis}`)
  const store = packed
    ? [`let inside = ${insideBox(space, x)};`, ...storeSource(packed, packed.loadSource('j', places), 'goes')]
    : []
  const moving = packed ? insideOf(space).functions : ''
  return shader(
    {
      label,
      resources: [
        ...(packed?.resources ?? []),
        { key: 'keys', access: 'read', type: 'u32' },
        { key: 'order', access: 'read_write', type: 'u32' },
        packedArray('read_write'),
      ],
      fields: [countField, orderField, ...levelFields, ...lengthFields(space), ...run],
      workgroup,
    },
    wgsl`
${moving}
${countsOf}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (place >= run.count) { return; }
  ${rankedPlace}
  order[run.orderFirst + goes] = j;
  ${store}
}
`,
  )
}
