/**
 * Rejects laws, maps and parameters with numbers outside the range of float32, before they become infinite or 0 on a device.
 *
 * It checks the parts of an expression that change at most once per run (`run-parts.ts`). A value too small
 * for float32 is harmless as a summand, like the square of a softening length. A value too large is harmless
 * if something is compared with it.
 *
 * @module
 */
import { play } from '../../../language/tape.ts'
import { lawFact, type PartUse } from '../law-facts.ts'
import type { Shape, Workload } from '../workload.ts'

/** The largest float32, and the smallest that every device keeps: some devices round smaller numbers to 0. */
export const largest: number = (2 - 2 ** -23) * 2 ** 127
export const smallest: number = 2 ** -126

type Parameters = Readonly<Record<string, number>>

/** @throws RangeError for numbers that float32 does not hold */
export function requireFloat32(workload: Workload, shape: Shape, parameters: Parameters): void {
  const lost = lostIn(workload, shape, parameters)
  if (!lost) return
  const unit = shape.scaled ? `, where lengthUnit is ${parameters.lengthUnit} to suit the positions` : ''
  throw new RangeError(
    `"${lost.what}" expected numbers that float32 holds, from 1.2e-38 to 3.4e38, got ${lost.value}${unit}; use other units or precision "f64"`,
  )
}

/** The first number outside the range of float32, if any, and the name of its part. */
export function lostIn(
  workload: Workload,
  shape: Shape,
  parameters: Parameters,
): { readonly what: string; readonly value: number } | undefined {
  const parts = lawFact('parts', workload, shape)
  const values = play(parts, parameters)
  const lost = parts.uses.findIndex((use, n) => isLost(values[n] as number, use))
  return lost < 0 ? undefined : { what: parts.names[lost] as string, value: values[lost] as number }
}

function isLost(value: number, { factor, compared }: PartUse): boolean {
  const size = Math.abs(value)
  if (size > largest) return Number.isFinite(value) && !compared
  return factor && size > 0 && size < smallest
}
