/**
 * Whether the inertias of a run permit the loop by forces that both points share, and in which unit it divides by them.
 *
 * @module
 */
import type { Bindings, Workload } from '@manybody/core'
import { inertiaUnitOf } from '@manybody/core/backend'
import { DeviceArray } from '../host/buffer.ts'
import type { Memory } from '../host/memory.ts'

/** The bindings of a run with the unit in which forces are divided; undefined if these inertias have none. */
export function withInertiaUnit(workload: Workload, bindings: Bindings, memory: Memory): Bindings | undefined {
  const unit = unitIn(workload, bindings, memory)
  return unit === undefined ? undefined : { ...bindings, parameters: { inertiaUnit: unit, ...bindings.parameters } }
}

/** Whether the inertias of this moment have the unit that a stage is bound with. */
export function suitsInertiaUnit(workload: Workload, bindings: Bindings, memory: Memory): boolean {
  return unitIn(workload, bindings, memory) === bindings.parameters.inertiaUnit
}

function unitIn(workload: Workload, { targets }: Bindings, memory: Memory): number | undefined {
  const { inertia = '' } = workload.loop === 'pair' ? workload.law : {}
  const inertias = targets.arrays[inertia]
  if (inertias instanceof Float32Array || inertias instanceof Float64Array) return inertiaUnitOf(inertias)
  return inertias instanceof DeviceArray && inertias.isIn(memory) ? inertiaUnitOf(inertias.numbers()) : undefined
}
