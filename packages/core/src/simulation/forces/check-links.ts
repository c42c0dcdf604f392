/**
 * Checks what bonds and angles have in common: lists of points, and numbers of each.
 *
 * @module
 */
import { describe, finite, howMany, onlyNamed, takenArray, whole } from '../../checks.ts'

/** Lists of different points. @param what `pair [a, b]` @throws TypeError, RangeError */
export function pointLists(given: unknown, name: string, size: number, what: string): readonly (readonly number[])[] {
  if (typeof Object(given)[Symbol.iterator] !== 'function' || typeof given === 'string')
    throw new TypeError(`"${name}" expected a list of ${what.replace(' ', 's ')}, got ${describe(given)}`)
  return Array.from(given as Iterable<readonly number[]>, (points, n) => {
    const own = `${name}[${n}]`
    if (points?.length !== size) throw new TypeError(`"${own}" expected a ${what}, got ${howMany(points)}`)
    const list = Array.from(points, (point, k) => whole(point, `${own}[${k}]`, 0))
    const twice = list.find((point, k) => list.indexOf(point) < k)
    if (twice !== undefined)
      throw new RangeError(`"${own}" expected ${size === 2 ? 'two' : 'three'} points, got point ${twice} twice`)
    return list
  })
}

/** Numbers of each link by the name of a parameter, whose value they replace. @throws TypeError, RangeError */
export function linkNumbers(
  attributes: unknown,
  law: {
    readonly name: string
    readonly parameters: object
    readonly minimum?: Readonly<Partial<Record<string, number>>>
  },
  part: string,
  { count, each }: { readonly count: number; readonly each: string },
): Readonly<Record<string, readonly number[]>> {
  const known = Object.keys(law.parameters)
  const given = onlyNamed(attributes as Record<string, unknown>, `parameter of ${law.name}`, known)
  const numbers = Object.entries(given).map(([name, list]) => {
    const listed = typeof list === 'object' && Symbol.iterator in Object(list) && !ArrayBuffer.isView(list)
    const array = takenArray(listed ? Array.from(list as Iterable<number>) : list, `${part}.attributes.${name}`)
    if (array.length !== count)
      throw new RangeError(
        `"${part}.attributes.${name}" expected length ${count}, one number per ${each}, got ${array.length}`,
      )
    for (const value of array) finite(value, `${part}.attributes.${name}`, law.minimum?.[name])
    return [name, Array.from(array)] as const
  })
  return Object.fromEntries(numbers)
}
