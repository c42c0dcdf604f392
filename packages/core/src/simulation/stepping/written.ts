/**
 * Numbers of some points that a caller writes: where they go, and whether a simulation can take them.
 *
 * @module
 */
import type { DeviceBuffer } from '../../contract/backend.ts'
import { type FloatArray, onlyNamed, takenArray, unexpected, whole } from '../../ground/checks.ts'
import { entriesOf } from '../../ground/entries.ts'
import { foundArrays, widthOf } from '../arrays.ts'
import type { ClockedState } from '../state.ts'

/** Which points a write replaces; all of them by default. */
export interface WriteOptions {
  /** These points from the first on, as many as there are numbers for. */
  readonly first?: number
  /** Or those with these indices, in this order. */
  readonly indices?: Iterable<number>
  /** Of links: numbers of each by the name of a parameter, as when the simulation was made. */
  readonly attributes?: Readonly<Record<string, Iterable<number>>>
}

/** Numbers of some points. */
export interface Written {
  readonly name: string
  readonly width: number
  readonly numbers: FloatArray
  /** The indices of the points; undefined for all of them. */
  readonly points: ArrayLike<number> | undefined
}

/** The points that a caller names, copied; undefined for all. @throws TypeError, RangeError */
export function pointsOf(
  options: WriteOptions,
): Pick<WriteOptions, 'first'> & { readonly indices?: readonly number[] } {
  const { first, indices } = onlyNamed(options, 'option of write', ['first', 'indices'])
  if (first === undefined && indices === undefined) return {}
  if (first !== undefined && indices !== undefined)
    throw new TypeError('"first" expected no indices beside it; give one of them')
  if (first !== undefined) return { first: whole(first, 'first', 0) }
  if (typeof Object(indices)[Symbol.iterator] !== 'function' || typeof indices === 'string')
    throw unexpected('indices', 'a list of indices of points', indices)
  return { indices: entriesOf(indices as Iterable<number>, 'indices').map((point) => whole(point, 'indices', 0)) }
}

/** @throws TypeError for options of a write that replaces all numbers of a name */
export function requireNoOptions(options: WriteOptions, name: string): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined)?.[0]
  if (given !== undefined)
    throw new TypeError(
      `"${given}" expected nothing with ${name}, which has no numbers of single points; give all of it`,
    )
}

/** Checks numbers against the points of a simulation, and copies them. @throws TypeError, RangeError */
export function writtenTo(
  state: ClockedState,
  name: string,
  given: unknown,
  { first, indices }: ReturnType<typeof pointsOf>,
): Written {
  const { arrays, dimension, integrator } = state
  const computed = [...foundArrays, ...(integrator.motion === 'first-order' ? ['velocity'] : [])]
  const names = Object.keys(arrays).filter((array) => !computed.includes(array))
  if (!names.includes(name)) throw unexpected('name', `one of ${names.join(', ')}`, name)
  const count = arrays.position.length / dimension
  const width = widthOf(state, name)
  if (first === undefined && indices === undefined)
    return { name, width, numbers: takenArray(given, name, arrays[name]?.length, ', as before'), points: undefined }
  const numbers =
    indices === undefined
      ? takenArray(given, name)
      : takenArray(given, name, width * indices.length, `, ${width} for each of the ${indices.length} points`)
  if (numbers.length % width !== 0)
    throw new RangeError(`"${name}" expected ${width} numbers per point, got length ${numbers.length}`)
  const points = indices ?? Array.from({ length: numbers.length / width }, (_, n) => (first as number) + n)
  const beyond = points.find((point) => point >= count)
  if (beyond !== undefined)
    throw new RangeError(
      `"${indices ? 'indices' : 'first'}" expected points below ${count}, got numbers for point ${beyond}`,
    )
  const seen = new Set<number>()
  for (const point of indices ?? []) {
    if (seen.has(point)) throw new RangeError(`"indices" expected each point once, got point ${point} twice`)
    seen.add(point)
  }
  return { name, width, numbers, points }
}

/** @throws RangeError for a velocity of a fixed point */
export function requireStill({ numbers, points, width }: Written, fixed: readonly number[] = []): void {
  if (fixed.length === 0) return
  const held = new Set(fixed)
  for (let n = 0; n < numbers.length; n++) {
    const place = Math.floor(n / width)
    const point = points ? (points[place] as number) : place
    if (numbers[n] !== 0 && held.has(point))
      throw new RangeError(`"fixed" expected points without velocity, got point ${point}, which moves`)
  }
}

/** All numbers, with those that are written in their places. */
export function merged(before: FloatArray, { numbers, points, width }: Written): FloatArray {
  if (points === undefined) return numbers
  const all = before.slice()
  for (let n = 0; n < points.length; n++)
    for (let axis = 0; axis < width; axis++)
      all[width * (points[n] as number) + axis] = numbers[width * n + axis] as number
  return all
}

/** So many stretches of neighbouring points are written one by one. */
const mostStretches = 64

/** Writes into an array on a device only the numbers that are given. */
export async function writeInto(buffer: DeviceBuffer, written: Written): Promise<void> {
  const { numbers, points, width } = written
  if (points === undefined) return buffer.write(numbers)
  const starts: number[] = []
  for (let n = 0; n < points.length; n++) if (n === 0 || points[n] !== (points[n - 1] as number) + 1) starts.push(n)
  if (!buffer.writePart || starts.length > mostStretches) return buffer.write(merged(await buffer.read(), written))
  for (const [k, start] of starts.entries()) {
    const end = starts[k + 1] ?? points.length
    await buffer.writePart(numbers.subarray(width * start, width * end), width * (points[start] as number))
  }
}
