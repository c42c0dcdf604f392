/**
 * Writes points as comma-separated values. `readCsv` reads them as the same points.
 *
 * @module
 */
import type { Boundary, Dimension } from '@manybody/core'
import { described, isBox, requireNames } from './checks.ts'
import { isTaken, vectors } from './csv-names.ts'
import { countOf, requireFinite, textOf } from './numbers.ts'

/**
 * The text of a file, in pieces: write them to a file or a stream one by one. A CSV file has no place for numbers of the whole frame, such
 * as its `time`, nor for its box, so they are left out.
 *
 * @throws TypeError, RangeError if the points do not fit a CSV file
 */
export function writeCsv(points: {
  readonly position: ArrayLike<number>
  readonly velocity?: ArrayLike<number> | undefined
  /** 2 or 3, by default 3. */
  readonly dimension?: Dimension | undefined
  /** The box of a frame of a simulation, or an attribute. */
  readonly boundary?: Boundary | Values | number | undefined
  readonly [attribute: string]: Values | Boundary | number | undefined
}): Generator<string, void> {
  requireNames(points, 'points')
  const { position, velocity, dimension = 3, ...others } = points
  const count = countOf(position, dimension)
  requireFinite(position, 'position')
  if (velocity) requireFinite(velocity, 'velocity')
  if (velocity && velocity.length !== position.length)
    throw new RangeError(`"velocity" expected length ${position.length}, got ${velocity.length}`)
  const attributes: [string, Values][] = []
  for (const [name, values] of Object.entries(others)) {
    if (values === undefined || typeof values === 'number' || (name === 'boundary' && isBox(values))) continue
    requireAttribute(name, values as Values, count)
    attributes.push([name, values as Values])
  }
  return linesOf({ position, velocity, dimension, attributes, count })
}

type Values = ArrayLike<number> | readonly string[]

interface Table {
  readonly position: ArrayLike<number>
  readonly velocity: ArrayLike<number> | undefined
  readonly dimension: Dimension
  readonly attributes: readonly (readonly [string, Values])[]
  readonly count: number
}

function* linesOf({ position, velocity, dimension, attributes, count }: Table): Generator<string, void> {
  const axes = [...vectors.position.slice(0, dimension), ...(velocity ? vectors.velocity.slice(0, dimension) : [])]
  yield `${[...axes, ...attributes.map(([name]) => fieldOf(name))].join(',')}\n`
  for (let n = 0; n < count; n++) {
    const fields: string[] = []
    for (const vector of velocity ? [position, velocity] : [position])
      for (let k = n * dimension; k < (n + 1) * dimension; k++) fields.push(fieldOf(vector[k]))
    for (const [, values] of attributes) fields.push(fieldOf(values[n]))
    yield `${fields.join(',')}\n`
  }
}

function requireAttribute(name: string, array: Values, count: number): void {
  if (isTaken(name)) throw new RangeError(`"${name}" has another meaning in a CSV file; rename the attribute`)
  if (name === '' || /[\r\n]/.test(name))
    throw new RangeError(`the name of an attribute expected text of one line, got ${JSON.stringify(name)}`)
  if (typeof array !== 'object' || array === null || !('length' in array))
    throw new TypeError(`"${name}" expected an array, got ${typeof array}`)
  if (array.length !== count) {
    const wide = count > 0 && array.length % count === 0 ? '; give each component its own name' : ''
    throw new RangeError(`"${name}" expected length ${count}, got ${array.length}${wide}`)
  }
  const texts = typeof array[0] === 'string'
  if (!texts) requireFinite(array, name)
  for (let n = 0; texts && n < count; n++) {
    const value = array[n]
    if (typeof value !== 'string' || /[\r\n]/.test(value))
      throw new RangeError(`"${name}" expected texts of one line, got ${described(value)} at index ${n}`)
  }
}

/** Quotes a field if it would be misread without quotes. */
function fieldOf(value: number | string | undefined): string {
  if (typeof value === 'number') return textOf(value)
  const text = value ?? ''
  return /^[^\s"#,;](?:[^"\t,;]*[^\s"\t,;])?$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}
