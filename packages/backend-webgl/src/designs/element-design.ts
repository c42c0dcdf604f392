/**
 * The design of a workload that visits each element once: one pass.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape, StencilWorkload } from '@manybody/core'
import type { ElementPass } from '../loops/element-pass.ts'
import { stencilLoop } from '../loops/grid-loop.ts'
import { cellLoop, mapLoop } from '../loops/particle-loop.ts'
import { loopVariant, type ProgramDesign } from './design.ts'

export type ElementWorkload = MapWorkload | CellIndexWorkload | StencilWorkload

export interface ElementDesign extends ProgramDesign {
  readonly loop: ElementPass
}

export function elementDesign(workload: ElementWorkload, shape: Shape): ElementDesign {
  const loop = loopOf(workload, shape)
  return { variant: loopVariant, accumulation: 'none', passes: [loop.pass], resident: loop.parts, loop }
}

function loopOf(workload: ElementWorkload, shape: Shape): ElementPass {
  if (workload.loop === 'grid') return stencilLoop(workload, shape)
  return workload.operation === 'map' ? mapLoop(workload, shape) : cellLoop(workload, shape)
}
