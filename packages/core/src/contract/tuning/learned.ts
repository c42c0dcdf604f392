/**
 * Plans that an earlier run found fastest, from storage.
 *
 * @module
 */

import { describe, onlyNamed, unexpected, whole } from '../../ground/checks.ts'
import type { Plan } from '../backend.ts'

/** The fastest plan by device, law and size class. Survives `JSON.stringify`. */
export type Learned = Readonly<Record<string, Plan>>

/** A checked copy. Only its use shows whether a device has such a plan. @throws TypeError, RangeError */
export function learnedOf(given: Learned): Learned {
  return Object.fromEntries(
    entriesOf(given, 'learned').map(([key, plan]) => [key, planOf(plan as Plan, `learned[${describe(key)}]`)]),
  )
}

function planOf(plan: Plan, name: string): Plan {
  entriesOf(plan, name)
  const { variant, sizes } = onlyNamed(plan, `name of a plan, in ${name}`, ['variant', 'sizes'])
  if (typeof variant !== 'string') throw unexpected(`${name}.variant`, 'text', variant)
  if (sizes === undefined) return { variant }
  const checked = entriesOf(sizes, `${name}.sizes`).map(([size, n]) => [size, whole(n, `${name}.sizes.${size}`, 0)])
  return { variant, sizes: Object.fromEntries(checked) }
}

function entriesOf(given: unknown, name: string): [string, unknown][] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given)
  throw unexpected(name, 'an object, as learnedPlans(device) gives it', given)
}
