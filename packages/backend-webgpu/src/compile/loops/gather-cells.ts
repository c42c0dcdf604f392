/**
 * Gathers points in the order of their cells, in WGSL: ranks the points of each cell, and for sources packs the
 * numbers that a pair reads as vec4f, with coordinates inside the box. It has one invocation per point.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { carriedArray, rebuiltAt, rebuiltField } from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { storeSource } from '../parts/source-texts.ts'
import { carriedPosition } from '../ranges/carried-positions.ts'
import { cellCounts } from '../ranges/cell-sort.ts'
import { countField, keys, orderField, rankedPlace, startsField } from '../ranges/counting-sort.ts'
import { insideBox } from '../ranges/inside-box.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { always, type When } from '../ranges/when.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'

const workgroup = orderedPerGroup

/**
 * @param set the name of the set: `points` or `sources`; others are not packed
 * @param packed the texts for packing; undefined if the points are not sources
 * @param when the rounds that gather, and whether they also keep the carried positions in this order
 */
export function gatherCells(
  label: string,
  set: string,
  space: BoxSpace,
  packed: Pick<PairTexts, 'resources' | 'record' | 'loadSource'> | undefined,
  run: readonly Field[],
  { when, rebuilt }: { readonly when: When; readonly rebuilt: boolean } = { when: always, rebuilt: false },
): Shader {
  const x = vectorOf(space).load(arrayName(`${set}.position`), 'j')
  const places = axesOf(space.dimension).map((axis) => `inside.${axis}`)
  const store = packed
    ? [`let inside = ${insideBox(space, x)};`, ...storeSource(packed, packed.loadSource('j', places), 'goes')]
    : []
  const moving = packed ? insideOf(space).functions : ''
  const before = vectorOf(space).extended(insideBox(space, carriedPosition(space, 'j')))
  const keeps = rebuilt ? `${rebuiltAt('goes')} = ${before};` : ''
  return shader(
    {
      label,
      resources: [
        ...(packed?.resources ?? []),
        { ...keys, access: 'read' },
        { key: 'order', access: 'read_write', type: 'u32' },
        packedArray('read_write'),
        ...(rebuilt ? [carriedArray('read')] : []),
        ...when.resources,
      ],
      fields: [
        ...[countField, orderField, startsField, ...lengthFields(space)],
        ...(rebuilt ? [rebuiltField] : []),
        ...run,
      ],
      workgroup,
    },
    wgsl`
${moving}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${when.start}
  let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (place >= run.count) { return; }
  ${rankedPlace(cellCounts)}
  order[run.orderFirst + goes] = j;
  ${store}
  ${keeps}
}
`,
  )
}
