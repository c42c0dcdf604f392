/**
 * The shaders that put a set of points in order along a curve, by the names that `designs/ordering.ts` gives them.
 *
 * @module
 */
import { layingName } from '../../design/even-grid.ts'
import type { Shader } from '../../design/shader.ts'
import { type BoxSpace, needsBounds } from '../../design/space.ts'
import { orderingNames } from '../../designs/ordering.ts'
import { boundsShader, wholeBox } from '../ranges/bounds.ts'
import { curveCountShader, curveShaders, divideShader } from '../ranges/curve-order.ts'

/** @param grid the shader that lays a grid over points that are spread evenly */
export function orderingShaders(set: string, space: BoxSpace, grid?: Shader): Readonly<Record<string, Shader>> {
  const [bounds, count, divide] = orderingNames(set)
  return {
    ...(needsBounds(space) && { [bounds]: boundsShader(set, space), wholeBox }),
    ...curveShaders,
    ...(grid && { [layingName]: grid }),
    [count]: curveCountShader(set, space, grid !== undefined),
    [divide]: divideShader(set, space),
  }
}
