/**
 * Totals in float64 on the host, for points with numbers that a device does not hold: in metres and kilograms, the kinetic energy of a
 * star exceeds float32. It is loaded once such a total occurs.
 *
 * @module
 */
import { added } from '../../ground/arrays/added.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { record } from '../../ground/names.ts'
import { mapLoop } from '../../truth/reference/particle-loop.ts'
import { whyNotFinite } from '../../truth/reference/strays/why-not-finite.ts'
import { type HostPoints, type TotalRequest, type Totals, totalGroup } from './total-request.ts'

/** @throws RangeError for a number that is not finite, with its point and the reason */
export function exactTotals({ names, maps, groups }: TotalRequest, points: HostPoints): Totals {
  const { shape, arrays, parameters } = points
  const values = record<FloatArray>([])
  for (const workload of maps) {
    const all = { ...parameters, ...workload.parameters }
    Object.assign(values, mapLoop(workload, shape, arrays, all))
    for (const output of workload.results) {
      const numbers = values[output] as FloatArray
      const target = numbers.findIndex((x) => !Number.isFinite(x))
      if (target < 0) continue
      const set = { count: shape.targets, arrays }
      const bound = { workload, shape, bindings: { targets: set, sources: set, parameters: all } }
      const why = whyNotFinite(bound, { target, output, component: 0 }, 'f64')
      throw new RangeError(
        `"${output}" expected expressions and a sum that are finite for these points, got ${numbers[target]} at point ${target}: ${why}`,
      )
    }
  }
  const ofAll = (name: string) => {
    const numbers = values[name] as FloatArray
    if (groups === undefined) return added(numbers)
    const sums = new Float64Array(groups)
    for (const [point, x] of numbers.entries()) {
      const group = Math.round(values[totalGroup]?.[point] as number)
      sums[group] = (sums[group] as number) + x
    }
    return sums
  }
  return record(names.map((name) => [name, ofAll(name)]))
}
