/**
 * The loop of stencils: visits each cell of a grid together with its neighbours.
 *
 * @module
 */
import type { Shape, StencilWorkload } from '@manybody/core'
import { gridParameters, stencilBody } from '@manybody/core/expression'
import { number } from '../../design/reads.ts'
import { type ElementPass, elementPass, loaded, outputsOf } from '../parts/element-pass.ts'

export function stencilLoop(workload: StencilWorkload, shape: Shape): ElementPass {
  const body = stencilBody(workload)
  const { cells, edges } = workload.grid
  const [nx = 1, ny = 1, nz = 1] = cells
  const step = (axis: string, way: number, n: number) => {
    const [first, last] = ['0', `${n - 1}`]
    const [edge, opposite, next] = way < 0 ? [first, last, `i${axis} - 1`] : [last, first, `i${axis} + 1`]
    const beyond = edges === 'clamp' ? `i${axis}` : opposite
    return `(i${axis} == ${edge} ? ${beyond} : ${next})`
  }
  const at: Readonly<Record<string, readonly [string, string, string]>> = {
    c: ['ix', 'iy', 'iz'],
    xm: [step('x', -1, nx), 'iy', 'iz'],
    xp: [step('x', 1, nx), 'iy', 'iz'],
    ym: ['ix', step('y', -1, ny), 'iz'],
    yp: ['ix', step('y', 1, ny), 'iz'],
    zm: ['ix', 'iy', step('z', -1, nz)],
    zp: ['ix', 'iy', step('z', 1, nz)],
  }
  const code = [
    `int ix = remainder(element, ${nx}), iy = remainder(quotient(element, ${nx}), ${ny}), iz = quotient(element, ${nx * ny});`,
    ...body.loads.map((name, n) => {
      const [x, y, z] = at[name] ?? ['ix', 'iy', 'iz']
      return `float ${loaded(n)} = ${number('array0', `${x} + ${nx} * (${y} + ${ny} * (${z}))`)};`
    }),
  ]
  return elementPass(body, shape, ['field'], code, outputsOf(body), gridParameters(workload.grid))
}
