/**
 * Checks the options of a method with a tolerance. They are plain data, which may come from anywhere.
 *
 * @module
 */
import { finite, oneOf, onlyNamed } from '../../ground/checks.ts'
import type { Method } from '../../problem/workloads/workload.ts'

/**
 * @param what the method in an error: `a tree`
 * @throws TypeError, RangeError
 */
export function checkedMethod<M extends Method>(method: M, what: string): M {
  const { kind, tolerance, of = 'terms' } = onlyNamed<Method>(method, `option of ${what}`, ['kind', 'tolerance', 'of'])
  oneOf(kind, 'method.kind', ['tree', 'mesh', 'fast'])
  oneOf(of, 'method.of', ['terms', 'result'])
  if (!(finite(tolerance, 'tolerance', Number.MIN_VALUE) < 1))
    throw new RangeError(`"tolerance" expected less than 1, got ${tolerance}`)
  return method
}
