/**
 * Points as comma-separated values: a line of names, then a line of numbers for each point. `x`, `y`, `z` are the position, `vx`, `vy`, `vz` the
 * velocity, and all other columns attributes.
 *
 * @module
 */
import { FileFormatError, numberIn } from './file-format-error.ts'
import { type FileSource, linesOf } from './source.ts'

/** Arrays by name, as `engine.simulate` and `engine.run` take them. */
export interface CsvPoints {
  readonly position: Float64Array
  readonly velocity?: Float64Array
  /** 2 without a column `z`. */
  readonly dimension: 2 | 3
  readonly [attribute: string]: Float64Array | number | undefined
}

const vectors = { position: ['x', 'y', 'z'], velocity: ['vx', 'vy', 'vz'] } as const

/** @throws {@link FileFormatError} with the line */
export async function readCsv(source: FileSource): Promise<CsvPoints> {
  let names: readonly string[] | undefined
  let columns: number[][] = []
  let line = 0
  for await (const text of linesOf(source)) {
    line++
    if (text.trim() === '') continue
    const fields = text.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'))
    if (!names) {
      names = checkedNames(fields, line)
      columns = names.map(() => [])
      continue
    }
    if (fields.length !== names.length)
      throw new FileFormatError('CSV', `line ${line}`, `expected ${names.length} fields, got ${fields.length}`)
    for (const [n, name] of names.entries()) columns[n]?.push(numberIn(fields[n], name, 'CSV', line))
  }
  if (!names) throw new FileFormatError('CSV', 'line 1', 'expected names, such as x,y,z,mass, got an empty file')
  const byName = new Map(names.map((name, n) => [name, columns[n] as number[]]))
  const dimension = byName.has('z') ? 3 : 2
  const woven = (axes: readonly string[]) => {
    const parts = axes.slice(0, dimension).map((axis) => byName.get(axis) as number[])
    const count = parts[0]?.length ?? 0
    return Float64Array.from({ length: count * dimension }, (_, n) => {
      return parts[n % dimension]?.[Math.floor(n / dimension)] as number
    })
  }
  const components: readonly string[] = Object.values(vectors).flat()
  const attributes = [...byName].filter(([name]) => !components.includes(name))
  return {
    ...Object.fromEntries(attributes.map(([name, numbers]) => [name, Float64Array.from(numbers)])),
    position: woven(vectors.position),
    ...(byName.has('vx') && { velocity: woven(vectors.velocity) }),
    dimension,
  }
}

function checkedNames(names: readonly string[], line: number): readonly string[] {
  const fault = (reason: string) => new FileFormatError('CSV', `line ${line}`, reason)
  const twice = names.find((name, n) => names.indexOf(name) !== n)
  if (twice !== undefined) throw fault(`the name "${twice}" is there twice`)
  const taken = names.find(
    (name) => !/^[A-Za-z]\w*$/.test(name) || ['position', 'velocity', 'dimension'].includes(name),
  )
  if (taken !== undefined) throw fault(`expected names such as x, vx or mass, got ${JSON.stringify(taken)}`)
  const last = names.includes('z') ? 3 : 2
  for (const axes of Object.values(vectors)) {
    if (axes[0] === 'vx' && !axes.some((axis) => names.includes(axis))) continue
    for (const [n, axis] of axes.entries())
      if (names.includes(axis) !== n < last)
        throw fault(n < last ? `the column "${axis}" is missing` : `the column "${axis}" has no "z" beside it`)
  }
  return names
}

/** The text of a file, in pieces: give them to a file or a stream one by one. */
export function* writeCsv(points: {
  readonly position: ArrayLike<number>
  readonly velocity?: ArrayLike<number> | undefined
  readonly dimension?: 2 | 3
  readonly [attribute: string]: ArrayLike<number> | number | undefined
}): Generator<string, void> {
  const { position, velocity, dimension = 3, ...attributes } = points
  const count = position.length / dimension
  const others = Object.entries(attributes).filter(
    (entry): entry is [string, ArrayLike<number>] => entry[1] !== undefined,
  )
  for (const [name, array] of [...others, ...(velocity ? [['velocity', velocity] as const] : [])]) {
    const expected = name === 'velocity' ? position.length : count
    if (array.length !== expected) throw new RangeError(`"${name}" expected length ${expected}, got ${array.length}`)
  }
  const axes = [...vectors.position.slice(0, dimension), ...(velocity ? vectors.velocity.slice(0, dimension) : [])]
  yield `${[...axes, ...others.map(([name]) => name)].join(',')}\n`
  const vector = (array: ArrayLike<number>, n: number) =>
    Array.from({ length: dimension }, (_, axis) => array[n * dimension + axis])
  for (let n = 0; n < count; n++) {
    const numbers = [...vector(position, n), ...(velocity ? vector(velocity, n) : []), ...others.map(([, a]) => a[n])]
    yield `${numbers.join(',')}\n`
  }
}
