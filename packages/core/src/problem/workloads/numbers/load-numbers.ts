/**
 * The numbers of a run in the precision of the device, for callers that can wait. The code for float64 positions loads with the first run
 * that has some.
 *
 * @module
 */
import type { Precision } from '../../../ground/precision.ts'
import type { Bound } from '../bind.ts'
import { exactPositions, plainNumbers } from './float32-numbers.ts'

let loaded: typeof import('./device-numbers.ts').deviceNumbers | undefined

/** As `deviceNumbers`; a promise only until that is loaded. @throws RangeError as `deviceNumbers` */
export function numbersOn(bound: Bound, precision: Precision): Bound | Promise<Bound> {
  if (precision === 'f64' || !exactPositions(bound)) return plainNumbers(bound, precision)
  return loaded ? loaded(bound, precision) : load(bound, precision)
}

async function load(bound: Bound, precision: Precision): Promise<Bound> {
  loaded = (await import('./device-numbers.ts')).deviceNumbers
  return loaded(bound, precision)
}
