/**
 * The start of a round with Verlet lists, in WGSL: packs the points as they are now, in the order of the last rebuild, and notes whether one
 * has moved too far since then. It also clears the counts of cells, in case that the round sorts points.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import {
  carriedAt,
  carriedWord,
  notedArray,
  ownerField,
  rebuiltAt,
  rebuiltField,
  roundsArray,
  roundWord,
} from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { storeSource } from '../parts/source-texts.ts'
import { clearFields, clearing } from '../ranges/cell-sort.ts'
import { countField, order, orderField } from '../ranges/counting-sort.ts'
import { entry } from '../ranges/entry.ts'
import { insideBox } from '../ranges/inside-box.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'

const workgroup = orderedPerGroup

export function refreshShader(
  label: string,
  space: BoxSpace,
  texts: Pick<PairTexts, 'resources' | 'record' | 'loadSource'>,
  run: readonly Field[],
): Shader {
  const { type, parts, load } = vectorOf(space)
  const axes = axesOf(space.dimension)
  const places = axes.map((axis) => `inside.${axis}`)
  const carried = axes.map((_, axis) => `bitcast<f32>(atomicLoad(&${carriedAt(space.dimension, 'j', axis)}))`)
  return shader(
    {
      label,
      resources: [...texts.resources, order, packedArray('read_write'), notedArray, roundsArray('read_write')],
      fields: [
        ...[countField, orderField, ...clearFields, rebuiltField, ownerField],
        { name: 'mostMoved2', type: 'f32', note: 'the square of the longest displacement that lists allow' },
        ...lengthFields(space),
        ...run,
      ],
      ...{ workgroup, memory: 4 },
    },
    wgsl`
// Whether a point of the workgroup has moved too far.
var<workgroup> far: atomic<u32>;
${insideOf(space).functions}
${entry(
  workgroup,
  wgsl`let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
let bits = atomicLoad(&${carriedWord('held')});
if (place == 0u) { ${roundWord('before')} = bits; }
${clearing}
if (lane == 0u) { atomicStore(&far, 0u); }
workgroupBarrier();
if (place < run.count && bitcast<f32>(bits) > 0.0) {
  // Lists that were built elsewhere have no order here.
  let built = bitcast<f32>(atomicLoad(&${carriedWord('built')})) == run.owner;
  let j = select(place, order[run.orderFirst + place], built);
  let inside = ${insideBox(space, load(arrayName('points.position'), 'j'))};
  var before = ${rebuiltAt('place')}.${parts};
  if (!built) { before = ${insideBox(space, `${type}(${carried.join(', ')})`)}; }
  var moved = inside - before;
  moved -= lengths() * round(moved * ${type}(${axes.map((axis) => `run.perLength_${axis}`).join(', ')}));
  if (!(dot(moved, moved) <= run.mostMoved2)) { atomicStore(&far, 1u); }
  ${storeSource(texts, texts.loadSource('j', places), 'place')}
}
workgroupBarrier();
if (lane == 0u && atomicLoad(&far) != 0u) { atomicStore(&${carriedWord('moved')}, bitcast<u32>(1.0)); }`,
)}`,
  )
}
