/**
 * Totals of points that a caller passes: their arrays go to the device, and only the totals come back.
 *
 * @module
 */
import type { Device } from '../../contract/backend.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { deviceNumbers } from '../../problem/workloads/numbers/device-numbers.ts'
import type { Attributes } from '../../problem/workloads/particles.ts'
import {
  boundTotals,
  checkedTotals,
  type GroupOptions,
  type TotalRequest,
  type Totals,
} from '../../simulation/reading/total-request.ts'
import { PointTotals } from '../../simulation/reading/totals.ts'

export interface TotalInput {
  readonly request: TotalRequest
  readonly bound: Bound
}

/** Checks and copies the outputs and the points. @throws TypeError, RangeError */
export function totalInput(outputs: unknown, particles: Attributes, options: Partial<GroupOptions>): TotalInput {
  const request = checkedTotals(outputs, options)
  return { request, bound: boundTotals(request, particles) }
}

export async function totalsOn(device: Device, { request, bound }: TotalInput): Promise<Totals> {
  const totals = await PointTotals.create(device, request, deviceNumbers(bound, device.info.precision))
  try {
    return await totals.now()
  } finally {
    totals.dispose()
  }
}
