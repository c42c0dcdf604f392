/**
 * The design of a workload that visits each element once: one pass.
 *
 * @module
 */

import type { CellIndexWorkload, MapWorkload, Shape, StencilWorkload } from '@manybody/core'
import { namedTape } from '@manybody/core/expression'
import { type ElementDesign, loopVariant } from '../../design/design.ts'
import { completePass } from '../glsl/complete-pass.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { stencilLoop } from '../loops/grid-loop.ts'
import { cellLoop, mapLoop } from '../loops/particle-loop.ts'
import type { ElementPass } from '../parts/element-pass.ts'

type ElementWorkload = MapWorkload | CellIndexWorkload | StencilWorkload

export function elementDesign(workload: ElementWorkload, shape: Shape, dialect: Dialect): ElementDesign {
  const { pass, body, arrays, gathered, parameters, parts } = loopOf(workload, shape)
  return {
    driver: 'element',
    variant: loopVariant,
    accumulation: 'none',
    passes: [completePass(dialect, pass)],
    run: namedTape(body.run),
    arrays,
    gathered,
    parameters,
    resident: parts,
  }
}

function loopOf(workload: ElementWorkload, shape: Shape): ElementPass {
  if (workload.loop === 'grid') return stencilLoop(workload, shape)
  return workload.operation === 'map' ? mapLoop(workload, shape) : cellLoop(workload, shape)
}
