/**
 * The box around nearly all points of a set, in WGSL. Points are divided into a few shares, in turns. A first shader computes boxes
 * around the shares of each workgroup, and a second one combines them. On each side it leaves out the share that reaches farthest, so that
 * one point far away does not make the box large.
 *
 * @module
 */
import { boundsShares, orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { countField } from './counting-sort.ts'
import { entry } from './entry.ts'
import { sharedShader } from './shared-shaders.ts'
import { insideOf, vectorOf } from './space.ts'

const workgroup = orderedPerGroup

/** First the boxes of shares, and then the whole box: its lowest and its highest corner. */
export const bounds: Resource = { key: 'bounds', access: 'read_write', type: 'vec4f' }
const nowhere = '3.4028234e38'

const corners = wgsl`
var<workgroup> lows: array<vec4f, ${workgroup}>;
var<workgroup> highs: array<vec4f, ${workgroup}>;`

/** Combines the corners of lanes with points of the same share, until the first lanes have one share each. */
const combineShares = wgsl`lows[lane] = least;
highs[lane] = most;
for (var half = ${workgroup / 2}u; half >= ${boundsShares}u; half /= 2u) {
  workgroupBarrier();
  if (lane < half) {
    lows[lane] = min(lows[lane], lows[lane + half]);
    highs[lane] = max(highs[lane], highs[lane + half]);
  }
}`

/** The shader that computes a box for each share of each workgroup. Points beside a slab count as their images inside it. */
export const boundsShader = (set: string, space: BoxSpace): Shader =>
  sharedShader('bounds', set, space, () => writeBounds(set, space))

function writeBounds(set: string, space: BoxSpace): Shader {
  const vector = vectorOf(space)
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const inside = insideOf(space)
  return shader(
    {
      label: `order: boxes around ${set}`,
      resources: [position, bounds],
      fields: [countField, ...lengthFields(space)],
      workgroup,
      memory: 32 * workgroup,
    },
    wgsl`
${corners}
${inside.functions}

${entry(
  workgroup,
  wgsl`var least = vec4f(${nowhere});
var most = vec4f(-${nowhere});
for (var p = group.x * ${workgroup}u + lane; p < run.count; p += groups.x * ${workgroup}u) {
  let x = ${vector.extended(inside.of(vector.load(arrayName(position.key), 'p')))};
  least = min(least, x);
  most = max(most, x);
}
${combineShares}
if (lane < ${boundsShares}u) {
  // Each workgroup starts with another share, because lattices often have a power of two of points in a row.
  let box = group.x * ${boundsShares}u + (group.x + lane) % ${boundsShares}u;
  bounds[2u * box] = lows[lane];
  bounds[2u * box + 1u] = highs[lane];
}`,
)}`,
  )
}

const boxCountField: Field = { name: 'boxCount', type: 'u32', note: 'number of boxes of shares' }

/** The shader that combines the boxes of shares, for one workgroup. */
export const wholeBox: Shader = shader(
  { label: 'order: the whole box', resources: [bounds], fields: [boxCountField], workgroup, memory: 32 * workgroup },
  wgsl`
${corners}

${entry(
  workgroup,
  wgsl`var least = vec4f(${nowhere});
var most = vec4f(-${nowhere});
for (var box = lane; box < run.boxCount; box += ${workgroup}u) {
  least = min(least, bounds[2u * box]);
  most = max(most, bounds[2u * box + 1u]);
}
${combineShares}
workgroupBarrier();
if (lane > 0u) { return; }
var low = vec4f(${nowhere});
var high = vec4f(-${nowhere});
least = low;
most = high;
for (var share = 0u; share < ${boundsShares}u; share++) {
  low = min(low, max(least, lows[share]));
  high = max(high, min(most, highs[share]));
  least = min(least, lows[share]);
  most = max(most, highs[share]);
}
bounds[0] = low;
bounds[1] = high;`,
)}`,
)
