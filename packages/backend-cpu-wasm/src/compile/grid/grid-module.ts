/**
 * The module of sums through a grid: all phases from points to fields at points.
 *
 * @module
 */
import type { GridDesign, GridForm, GridPhase } from '../../design/grid-layout.ts'
import { ModuleWriter } from '../expressions/module-writer.ts'
import { vectorOf } from '../wasm/vector.ts'
import { gridPhases } from './grid-phases.ts'
import { modePhases } from './modes.ts'
import { pointPhases } from './windows.ts'

export function gridDesign(form: GridForm): GridDesign {
  const m = new ModuleWriter({ vector: vectorOf(form.precision), shared: form.shared, fused: false, tile: 0 })
  pointPhases(m, form)
  gridPhases(m, form)
  modePhases(m, form)
  return {
    module: m.module.encode(),
    phases: phases.map((name) => ({ name })),
    block: [...m.block.keys()],
  }
}

const phases: readonly GridPhase[] = [
  'locate',
  'sort',
  'window',
  'spread',
  'forwardZ',
  'forwardY',
  'forwardX',
  'backX',
  'backY',
  'backZ',
  'gather',
]
