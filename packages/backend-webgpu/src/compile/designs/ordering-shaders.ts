/**
 * The shaders that put a set of points in order along a curve, by the names that `designs/ordering.ts` gives them.
 *
 * @module
 */
import type { Shader } from '../../design/shader.ts'
import { type BoxSpace, needsBounds } from '../../design/space.ts'
import { orderingNames } from '../../designs/ordering.ts'
import { boundsShader, wholeBox } from '../ranges/bounds.ts'
import { curveCountShader, curveShaders, divideShader } from '../ranges/curve-order.ts'

export function orderingShaders(set: string, space: BoxSpace): Readonly<Record<string, Shader>> {
  const [bounds, count, divide] = orderingNames(set)
  return {
    ...(needsBounds(space) && { [bounds]: boundsShader(set, space), wholeBox }),
    ...curveShaders,
    [count]: curveCountShader(set, space),
    [divide]: divideShader(set, space),
  }
}
