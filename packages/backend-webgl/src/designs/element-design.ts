/**
 * The pass of a workload that visits each element once, as data.
 *
 * @module
 */
import type { CellIndexWorkload, MapWorkload, Shape, StencilWorkload } from '@manybody/core'
import type { ElementPass } from '../loops/element-pass.ts'
import { stencilLoop } from '../loops/grid-loop.ts'
import { cellLoop, mapLoop } from '../loops/particle-loop.ts'

export type ElementWorkload = MapWorkload | CellIndexWorkload | StencilWorkload

export function elementDesign(workload: ElementWorkload, shape: Shape): ElementPass {
  if (workload.loop === 'grid') return stencilLoop(workload, shape)
  return workload.operation === 'map' ? mapLoop(workload, shape) : cellLoop(workload, shape)
}
