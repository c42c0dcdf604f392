/**
 * Decides whether the inertias of a run permit the loop by forces that both points share, and finds the unit for its divisions.
 *
 * @module
 */
import type { Bindings, Workload } from '@manybody/core'
import { inertiaUnitOf } from '@manybody/core/backend'
import { HeldArray } from '../host/held-array.ts'
import type { Memory } from '../host/memory.ts'

/** The bindings of a run with the unit for dividing forces; undefined if these inertias have no such unit. */
export function withInertiaUnit(workload: Workload, bindings: Bindings, memory: Memory): Bindings | undefined {
  const unit = unitIn(workload, bindings, memory)
  return unit === undefined ? undefined : { ...bindings, parameters: { inertiaUnit: unit, ...bindings.parameters } }
}

/** Whether the current inertias still have the unit that a stage is bound with. */
export function suitsInertiaUnit(workload: Workload, bindings: Bindings, memory: Memory): boolean {
  return unitIn(workload, bindings, memory) === bindings.parameters.inertiaUnit
}

function unitIn(workload: Workload, { targets }: Bindings, memory: Memory): number | undefined {
  const { inertia = '' } = workload.loop === 'pair' ? workload.law : {}
  const inertias = targets.arrays[inertia]
  if (inertias instanceof Float32Array || inertias instanceof Float64Array) return inertiaUnitOf(inertias)
  return inertias instanceof HeldArray && inertias.isIn(memory) ? inertiaUnitOf(inertias.numbers()) : undefined
}
