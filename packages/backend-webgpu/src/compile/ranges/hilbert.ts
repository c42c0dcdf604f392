/**
 * Places along Hilbert's curve through the cells of space, in WGSL. Cells are cubes. They divide the periodic box or, if an axis is
 * open, the box around nearly all points, and the longest side has a power of two of them. Points outside belong to the outermost cells.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import type { Resource } from '../../design/shader.ts'
import { type BoxSpace, needsBounds } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { bounds } from './bounds.ts'
import { insideOf, vectorOf } from './space.ts'

/** The curve, for the text of a shader. */
export interface CurveText {
  readonly resources: readonly Resource[]
  /** Functions to declare. */
  readonly functions: string
  /**
   * The place of the cell of `x` along the curve, its bits divided among the axes.
   *
   * @param top the highest bit of a cell along an axis, as WGSL
   */
  readonly place: (x: string, top: string) => string
  /** The bits of all axes of a place in one word. @param first the lowest of them */
  readonly word: (place: string, first: string, bits: string) => string
}

export function curveThrough(space: BoxSpace): CurveText {
  const { dimension } = space
  const { type, parts } = vectorOf(space)
  const inside = insideOf(space)
  const axes = axesOf(dimension)
  const longest = (of: (axis: string) => string) => axes.map(of).reduce((a, b) => `max(${a}, ${b})`)
  const box = needsBounds(space)
    ? wgsl`
fn lowest() -> ${type} { return bounds[0].${parts}; }
fn longest() -> f32 { let size = bounds[1] - bounds[0]; return ${longest((axis) => `size.${axis}`)}; }`
    : wgsl`
fn lowest() -> ${type} { return ${type}(0.0); }
fn longest() -> f32 { return ${longest((axis) => `run.length_${axis}`)}; }`
  return {
    resources: needsBounds(space) ? [{ ...bounds, access: 'read' }] : [],
    functions: wgsl`
${inside.functions}
${box}
${alongCurve(dimension)}`,
    place: (x, top) => `alongCurve(${inside.of(x)}, ${top})`,
    word: (place, first, bits) => `interleaved(${place}, ${first}, ${bits})`,
  }
}

/** By Skilling's transposition (AIP Conf. Proc. 707, 381, 2004). */
function alongCurve(dimension: Dimension): string {
  const used = axesOf(dimension)
  const last = used.at(-1) as string
  const turn = used.map((axis, n) =>
    n === 0
      ? 'if ((c.x & bit) != 0u) { c.x ^= below; }'
      : `if ((c.${axis} & bit) != 0u) { c.x ^= below; } else { let swap = (c.x ^ c.${axis}) & below; c.x ^= swap; c.${axis} ^= swap; }`,
  )
  const gray = used.slice(1).map((axis, n) => `c.${axis} ^= c.${used[n]};`)
  return wgsl`
fn alongCurve(x: vec${dimension}f, top: u32) -> vec${dimension}u {
  let extent = longest();
  let scale = select(0.0, f32(2u * top) / extent, extent > 0.0);
  let most = vec${dimension}u(2u * top - 1u);
  var c = min(vec${dimension}u(clamp((x - lowest()) * scale, vec${dimension}f(0.0), vec${dimension}f(most))), most);
  for (var bit = top; bit > 1u; bit >>= 1u) {
    let below = bit - 1u;
    ${turn}
  }
  ${gray}
  var flips = 0u;
  for (var bit = top; bit > 1u; bit >>= 1u) {
    if ((c.${last} & bit) != 0u) { flips ^= bit - 1u; }
  }
  return c ^ vec${dimension}u(flips);
}
fn interleaved(c: vec${dimension}u, first: u32, bits: u32) -> u32 {
  var key = 0u;
  for (var n = bits; n > 0u; n--) {
    let at = first + n - 1u;
    key = (key << ${dimension}u)${used.map((axis, n) => ` | (((c.${axis} >> at) & 1u) << ${dimension - 1 - n}u)`).join('')};
  }
  return key;
}`
}
