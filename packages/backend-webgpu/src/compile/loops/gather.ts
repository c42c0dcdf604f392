/**
 * Gathers points in the order of their blocks, in WGSL. It computes the box of each block. For sources it also packs the
 * numbers that a pair reads as vec4f. It has one invocation per place.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import type { SizeTexts } from '../parts/size-texts.ts'
import { storeIndex, storeSource } from '../parts/source-texts.ts'
import { boxesField, emptyBox, pointBox, sizesField } from '../ranges/boxes.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'

const workgroup = orderedPerGroup
const blocks = workgroup / blockPoints

const fields: readonly Field[] = [
  { name: 'count', type: 'u32', note: 'number of points' },
  { name: 'orderFirst', type: 'u32', note: 'where their order starts' },
  boxesField,
  { name: 'boxFirst', type: 'u32', note: 'the first box of their blocks' },
]

/** Packs the sizes of four sources, if there are any at these places. */
const storeSizes = wgsl`if (lane < ${workgroup / 4}u && part * ${workgroup}u + 4u * lane < run.count) {
  packed[run.sizes + part * ${workgroup / 4}u + lane] =
    vec4f(highs[4u * lane].w, highs[4u * lane + 1u].w, highs[4u * lane + 2u].w, highs[4u * lane + 3u].w);
}`

/** How a set of sources is packed. */
interface Packing extends Pick<PairTexts, 'resources' | 'record' | 'loadSource'> {
  /** How many of several equal sources targets need; undefined if they may need all. */
  readonly neededOfEqual: number | undefined
  /** Whether a vector also holds the index of its source. */
  readonly indexed: boolean
}

/**
 * @param set the name of the set: `points`, `targets` or `sources`
 * @param packed the texts for packing; undefined if the points are not sources
 * @param sizes those of the points; absent if pairs are looked for within one reach
 */
export function gather(
  label: string,
  set: string,
  space: BoxSpace,
  packed: Packing | undefined,
  run: readonly Field[],
  sizes?: SizeTexts,
): Shader {
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const read = new Map([...(packed?.resources ?? []), ...(sizes?.resources ?? [])].map((one) => [one.key, one]))
  const others = [...read.values()].filter(({ key }) => key !== position.key)
  const index = packed?.indexed ? storeIndex('j', 'place') : ''
  const store = packed
    ? wgsl`if (place < run.count) {
  ${storeSource(packed, packed.loadSource('j'), 'place')}
  ${index}
}`
    : ''
  const needed = packed?.neededOfEqual
  const marked = needed === undefined ? '' : markEqual(space, position, needed)
  const highest = sizes ? `vec4f(high.xyz, ${sizes.of('j')})` : 'high'
  const keptSizes = sizes && packed ? storeSizes : ''
  const body = wgsl`
var<workgroup> lows: array<vec4f, ${workgroup}>;
var<workgroup> highs: array<vec4f, ${workgroup}>;
${insideOf(space).functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  let place = part * ${workgroup}u + lane;
  // After the last place the last point is used again, which changes no box.
  let j = order[run.orderFirst + min(place, run.count - 1u)];
  let x = ${vectorOf(space).load(arrayName(position.key), 'j')};
  ${pointBox(space)}
  lows[lane] = low;
  highs[lane] = ${highest};
  ${store}
  workgroupBarrier();
  ${keptSizes}
  let block = part * ${blocks}u + lane;
  if (lane >= ${blocks}u || block * ${blockPoints}u >= run.count) { return; }
  var least = ${emptyBox('low')};
  var most = ${emptyBox('high')};
  for (var n = 0u; n < ${blockPoints}u; n++) {
    least = min(least, lows[lane * ${blockPoints}u + n]);
    most = max(most, highs[lane * ${blockPoints}u + n]);
  }
  ${marked}
  packed[run.boxes + 2u * (run.boxFirst + block)] = least;
  packed[run.boxes + 2u * (run.boxFirst + block) + 1u] = most;
}
`
  return shader(
    {
      label,
      resources: [position, ...others, { key: 'order', access: 'read', type: 'u32' }, packedArray('read_write')],
      fields: [...fields, ...(sizes && packed ? [sizesField] : []), ...lengthFields(space), ...run],
      workgroup,
      memory: 32 * workgroup,
    },
    body,
  )
}

/**
 * Makes the last number of the high corner negative if all points of the block have the same coordinates, and so have enough earlier
 * places with lower indices. Targets need none of its points then. Images inside a box may be equal without that.
 */
function markEqual(space: BoxSpace, position: Resource, needed: number): string {
  const { load, parts } = vectorOf(space)
  const array = arrayName(position.key)
  return wgsl`let first = block * ${blockPoints}u;
if (all(least.${parts} == most.${parts}) && first >= ${needed}u) {
  let last = min(first + ${blockPoints}u, run.count);
  let spot = ${load(array, 'order[run.orderFirst + first]')};
  var lowest = 0xffffffffu;
  var equal = true;
  for (var n = first; n < last; n++) {
    let own = order[run.orderFirst + n];
    lowest = min(lowest, own);
    equal = equal && all(${load(array, 'own')} == spot);
  }
  for (var n = first - ${needed}u; n < first && equal; n++) {
    let earlier = order[run.orderFirst + n];
    equal = earlier < lowest && all(${load(array, 'earlier')} == spot);
  }
  if (equal) { most.w = -1.0; }
}`
}
