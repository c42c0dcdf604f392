/**
 * How far a device's sum over the components of vectors may be from the reference, in whatever order it adds up.
 *
 * @source N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), 4.2
 * @module
 */
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { componentsOf } from '../../problem/workloads/tables/pair-numbers.ts'
import type { Arithmetic } from './arithmetic.ts'
import { perRun } from './parts.ts'
import { tapeOf } from './tape/tape.ts'

/** The largest error for target i and source j; undefined for a name that is no fold. */
export function foldError(
  name: string,
  law: Pick<Interaction, 'tables'>,
  data: PairData,
  arithmetic: Arithmetic,
): ((i: number, j: number) => number) | undefined {
  const components = componentsOf(name, law, data)
  if (!components) return undefined
  const { body, names, length, numbers, read } = components
  const tape = tapeOf([body], names, arithmetic, perRun(Object.keys(data.parameters)))
  for (const [slot, one] of names.entries())
    if (Object.hasOwn(data.parameters, one)) {
      tape.errors[slot] = arithmetic.stored(numbers[slot] as number)
      tape.systematic[slot] = tape.errors[slot] as number
    }
  const [output = 0] = tape.outputs
  const { unit, least, single } = arithmetic
  return (i, j) => {
    let [errors, sizes] = [0, 0]
    for (let k = 0; k < length; k++) {
      read(i, j, k)
      tape.values.set(numbers)
      tape.run()
      errors += (tape.errors[output] as number) + least
      sizes += Math.abs(tape.values[output] as number)
    }
    // In float64, the reference rounds as often as the device.
    return (single ? 1 : 2) * (errors + length * unit * sizes)
  }
}
