/**
 * The numbers of a run in float32, where no positions are float64 (see `device-numbers.ts`).
 *
 * @module
 */
import type { Bindings, PointSet } from '../../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import type { Precision } from '../../../ground/precision.ts'
import { Remembered } from '../../../ground/remember.ts'
import type { Bound } from '../bind.ts'
import { boxesIn } from '../parameters.ts'
import { vectorIn } from '../tables/layout.ts'
import type { Shape } from '../workload.ts'
import { largest, lostIn, requireFloat32, smallest } from './number-range.ts'
import { unitsFor } from './units.ts'

/** The float64 positions of a run over pairs, or float32 ones with them; undefined if there are none. */
export function exactPositions({ workload, bindings }: Bound): readonly [FloatArray, FloatArray] | undefined {
  const here = bindings.targets.arrays.position
  const there = bindings.sources.arrays.position
  if (workload.loop !== 'pair' || !isPlain(here) || !isPlain(there)) return undefined
  return here instanceof Float64Array || there instanceof Float64Array ? [here, there] : undefined
}

/** As `deviceNumbers`, for runs without `exactPositions`. */
export function plainNumbers(bound: Bound, precision: Precision): Bound {
  if (precision === 'f64') return bound
  const { targets, sources, parameters } = bound.bindings
  const here = targets.arrays.position
  const there = sources.arrays.position
  const rounded = inFloat32(bound)
  const measured = bound.workload.loop === 'pair' && isPlain(here) && isPlain(there)
  const given = measured ? inUnit(rounded, here === there ? [here] : [here, there], boxesIn(parameters)) : rounded
  requireFloat32(given.workload, given.shape, given.bindings.parameters)
  return given
}

/** Rounds every plain array. */
export function inFloat32(bound: Bound): Bound {
  const { targets, sources, tables } = bound.bindings
  const rounded = (set: PointSet): PointSet => {
    const arrays: Record<string, PointSet['arrays'][string]> = {}
    for (const name in set.arrays) {
      const array = set.arrays[name] as PointSet['arrays'][string]
      arrays[name] = array instanceof Float64Array ? toFloat32(array, name) : array
    }
    return { ...set, arrays }
  }
  const given = withSets(bound, targets === sources, rounded(targets), () => rounded(sources))
  if (!tables) return given
  requireVectors(bound)
  return { ...given, bindings: { ...given.bindings, tables: tablesIn('f32', tables) } }
}

/** Checks the parameters that are vectors, whose numbers are among those of tables. @throws RangeError */
function requireVectors({ workload, bindings }: Bound): void {
  if (workload.loop !== 'pair') return
  for (const name of Object.keys(workload.law.vectors ?? {})) {
    const numbers = vectorIn(name, workload.law.tables, bindings)
    if (numbers) requireHeld(numbers, name)
  }
}

/** If both sets are one object, they stay one. */
export function withSets(bound: Bound, same: boolean, targets: PointSet, sources: () => PointSet): Bound {
  return { ...bound, bindings: { ...bound.bindings, targets, sources: same ? targets : sources() } }
}

/** The run in a unit of length that suits its points and, if possible, its law. */
export function inUnit(bound: Bound, positions: readonly FloatArray[], boxes: readonly number[]): Bound {
  const units = unitsFor(positions, bound.shape.dimension, boxes)
  if (units.length === 0) return bound
  const shape: Shape = { ...bound.shape, scaled: true }
  const runs = units.map((lengthUnit): Bound => {
    const parameters = { ...bound.bindings.parameters, lengthUnit }
    return { ...bound, shape, bindings: { ...bound.bindings, parameters } }
  })
  return runs.find((run) => !lostIn(run.workload, shape, run.bindings.parameters)) ?? runs[0] ?? bound
}

const nothing = new Float32Array()
/** A list of one, as a new one for each call would be garbage. */
const alone: FloatArray[] = [nothing]

/** Whether float32 positions need no other unit of length. */
export function ownUnitSuits(position: FloatArray, { dimension }: Shape, parameters: Bindings['parameters']): boolean {
  alone[0] = position
  const suits = unitsFor(alone, dimension, boxesIn(parameters)).length === 0
  alone[0] = nothing
  return suits
}

const isPlain = (array: PointSet['arrays'][string] | undefined): array is FloatArray => ArrayBuffer.isView(array)

/** The numbers of all tables as a device gets them. @throws RangeError for numbers that float32 does not hold */
export const tablesIn = (precision: Precision, tables: FloatArray): FloatArray =>
  precision === 'f32' && tables instanceof Float64Array
    ? roundedTables.of(tables, () => toFloat32(tables, 'tables'))
    : tables

const roundedTables = new Remembered<FloatArray, Float32Array>()

/** @throws RangeError for numbers that are infinite in float32 */
export function requireInFloat32(array: FloatArray, name: string): void {
  requireNone(array, name, (x) => Math.abs(x) > largest)
}

/** @throws RangeError for numbers that become infinite in float32. Results that are infinite already have a note instead. */
export function requireFoundInFloat32(array: FloatArray, name: string): void {
  requireNone(array, name, (x) => Number.isFinite(x) && Math.abs(x) > largest)
}

function requireNone(array: FloatArray, name: string, isLost: (x: number) => boolean): void {
  const lost = array.findIndex(isLost)
  if (lost >= 0)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, up to 3.4e38, got ${array[lost]} at index ${lost}; use larger units or precision "f64"`,
    )
}

function toFloat32(array: Float64Array, name: string): Float32Array {
  requireHeld(array, name)
  return new Float32Array(array)
}

/** @throws RangeError for numbers that are infinite in float32, or all too small */
function requireHeld(array: FloatArray, name: string): void {
  let most = 0
  for (const x of array) most = Math.max(most, Math.abs(x))
  if (most > largest) requireInFloat32(array, name)
  if (most > 0 && most < smallest)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, from 1.2e-38, got at most ${most}; use smaller units or precision "f64"`,
    )
}
