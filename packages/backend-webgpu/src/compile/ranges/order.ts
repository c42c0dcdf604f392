/**
 * The keys for putting points in order, in WGSL. A key is the position of the point's cell along a Hilbert curve, so that
 * neighbours in the order are neighbours in space. `radix-sort.ts` sorts the keys.
 *
 * The order is only a hint: results are right with any order, but a bad one is slow. The cells divide the periodic box or, if an axis
 * is open, the box around all points, which is computed first.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields, needsBounds } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { entry } from './entry.ts'
import { sharedShader } from './shared-shaders.ts'
import { insideOf, type VectorText, vectorOf } from './space.ts'

const workgroup = orderedPerGroup

/**
 * Bits of a cell along each axis, half of them for each word of a key. Fewer would be enough for points that fill their box,
 * but a single point far away makes the box of all others small.
 */
const bitsOf: Readonly<Record<Dimension, number>> = { 2: 30, 3: 20 }
const fields: readonly Field[] = [
  { name: 'count', type: 'u32', note: 'number of points' },
  { name: 'boxCount', type: 'u32', note: 'number of boxes that workgroups computed' },
]

const bounds: Resource = { key: 'bounds', access: 'read_write', type: 'vec4f' }

/** Combines the boxes of a workgroup pairwise until the first contains all. */
const reduceBoxes = (vector: VectorText) => wgsl`
for (var half = ${workgroup / 2}u; half > 0u; half /= 2u) {
  workgroupBarrier();
  if (lane < half) {
    lows[lane] = min(lows[lane], lows[lane + half]);
    highs[lane] = max(highs[lane], highs[lane + half]);
  }
}
workgroupBarrier();
let low = lows[0].${vector.parts};
let high = highs[0].${vector.parts};`

const boxes = wgsl`
var<workgroup> lows: array<vec4f, ${workgroup}>;
var<workgroup> highs: array<vec4f, ${workgroup}>;`

const nowhere = '3.4028234e38'

/** The shader that computes one box per workgroup around the points of a set, or around their images inside a slab. */
export const boundsShader = (set: string, space: BoxSpace): Shader =>
  sharedShader('bounds', set, space, () => writeBounds(set, space))

/** The shader that writes the key of each point. */
export const keysShader = (set: string, space: BoxSpace): Shader =>
  sharedShader('keys', set, space, () => writeKeys(set, space))

function writeBounds(set: string, space: BoxSpace): Shader {
  const vector = vectorOf(space)
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const inside = insideOf(space)
  const body = wgsl`
${boxes}
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
lows[lane] = least;
highs[lane] = most;
${reduceBoxes(vector)}
if (lane == 0u) {
  bounds[2u * group.x] = ${vector.extended('low')};
  bounds[2u * group.x + 1u] = ${vector.extended('high')};
}`,
)}`
  const label = `order: the box around ${set}`
  return shader(
    {
      label,
      resources: [position, bounds],
      fields: [...fields, ...lengthFields(space)],
      workgroup,
      memory: 32 * workgroup,
    },
    body,
  )
}

function writeKeys(set: string, space: BoxSpace): Shader {
  const { dimension } = space
  const bounded = needsBounds(space)
  const vector = vectorOf(space)
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const used = axesOf(dimension)
  const bits = bitsOf[dimension]
  const longest = (text: (axis: string) => string) => used.map(text).reduce((a, b) => `max(${a}, ${b})`)
  const cells = `${2 ** bits}.0`
  const grid = bounded
    ? wgsl`var least = vec4f(${nowhere});
var most = vec4f(-${nowhere});
if (lane < run.boxCount) {
  least = bounds[2u * lane];
  most = bounds[2u * lane + 1u];
}
lows[lane] = least;
highs[lane] = most;
${reduceBoxes(vector)}
let size = high - low;
let extent = ${longest((axis) => `size.${axis}`)};`
    : wgsl`// Cells are cubes. The longest side has as many as the bits of a cell can count.
let low = ${vector.type}(0.0);
let extent = ${longest((axis) => `run.length_${axis}`)};`
  const inside = insideOf(space)
  const memory = bounded ? boxes : ''
  const body = wgsl`
${memory}
${inside.functions}
${hilbert(dimension)}

${entry(
  workgroup,
  wgsl`${grid}
let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
let x = ${vector.load(arrayName(position.key), 'p')};
let scale = select(0.0, ${cells} / extent, extent > 0.0);
let cell = vec${dimension}u(clamp((${inside.of('x')} - low) * scale, ${vector.type}(0.0), ${vector.type}(${2 ** bits - 1}.0)));
let place = alongCurve(cell);
keys[p] = interleaved(place, 0u);
keys[run.count + p] = interleaved(place, ${bits / 2}u);`,
)}`
  return shader(
    {
      label: `order: the keys of ${set}`,
      resources: [position, { ...bounds, access: 'read' }, { key: 'keys', access: 'read_write', type: 'u32' }],
      fields: [...fields, ...lengthFields(space)],
      workgroup,
      memory: bounded ? 32 * workgroup : 0,
    },
    body,
  )
}

/**
 * The position of a cell along the curve, its bits divided among the axes, by Skilling's transposition (AIP Conf. Proc. 707,
 * 381, 2004).
 */
function hilbert(dimension: Dimension): string {
  const bits = bitsOf[dimension]
  const used = axesOf(dimension)
  const last = used.at(-1) as string
  const turn = used.map((axis, n) =>
    n === 0
      ? 'if ((c.x & bit) != 0u) { c.x ^= below; }'
      : `if ((c.${axis} & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.${axis}) & below; c.x ^= swap; c.${axis} ^= swap; }`,
  )
  const gray = used.slice(1).map((axis, n) => `c.${axis} ^= c.${used[n]};`)
  return wgsl`
fn alongCurve(cell: vec${dimension}u) -> vec${dimension}u {
  var c = min(cell, vec${dimension}u(${2 ** bits - 1}u));
  for (var bit = ${2 ** (bits - 1)}u; bit > 1u; bit >>= 1u) {
    let below = bit - 1u;
    ${turn}
  }
  ${gray}
  var flips = 0u;
  for (var bit = ${2 ** (bits - 1)}u; bit > 1u; bit >>= 1u) {
    if ((c.${last} & bit) != 0u) { flips ^= bit - 1u; }
  }
  return c ^ vec${dimension}u(flips);
}
// A word of the key: the bits of all axes, from \`first\` on.
fn interleaved(c: vec${dimension}u, first: u32) -> u32 {
  var key = 0u;
  for (var n = ${bits / 2}u; n > 0u; n--) {
    let at = first + n - 1u;
    key = (key << ${dimension}u)${used.map((axis, n) => ` | (((c.${axis} >> at) & 1u) << ${dimension - 1 - n}u)`).join('')};
  }
  return key;
}`
}
