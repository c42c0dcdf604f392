/** Reads points from a file, with the readers of `manybody/files`. Its extension decides the format. */

import { basename, extname } from 'node:path'
import { readCsv, readTipsy } from 'manybody/files'
import { BadInputError } from '../errors.ts'
import type { PointsFile } from '../problem.ts'
import { contentsOf } from './files.ts'

/** @throws BadInputError if the file cannot be read, or does not have the format of its extension */
export async function readPoints(file: string): Promise<PointsFile> {
  const read = readers[extname(file).toLowerCase()]
  if (!read)
    throw new BadInputError(`--input expected a file that ends in ${Object.keys(readers).join(', ')}, got "${file}"`)
  const bytes = new Uint8Array(contentsOf(file, '--input '))
  try {
    const points = await read(bytes)
    if (points.arrays.position?.length === 0) throw new Error('expected at least one point, got none')
    return { name: basename(file), ...points }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadInputError(
      `--input "${file}": ${remedies.reduce((text, [from, to]) => text.replace(from, to), message)}`,
    )
  }
}

/** `readCsv` advises to use its options, which the command does not have. */
const remedies: readonly (readonly [from: RegExp, to: string])[] = [
  [/; to read the column as text, give text: \[".*"\]$/, '; write numbers in this column, or leave it out'],
  [/; give "missing", the number for such fields$/, '; write a number there, or leave out this column'],
]

type Read = (bytes: Uint8Array) => Promise<Omit<PointsFile, 'name'>>

const readers: Readonly<Record<string, Read>> = {
  '.csv': pointsFromCsv,
  '.tipsy': pointsFromTipsy,
  '.bin': pointsFromTipsy,
}

async function pointsFromCsv(bytes: Uint8Array): Promise<Omit<PointsFile, 'name'>> {
  const { dimension, velocity: _, ...columns } = await readCsv(bytes)
  const arrays = Object.entries(columns).map(([name, values]) => [name, plain(name, values as Float64Array)] as const)
  return { dimension, arrays: Object.fromEntries(arrays) }
}

/** Gas, dark matter and stars all become points with masses. */
async function pointsFromTipsy(bytes: Uint8Array): Promise<Omit<PointsFile, 'name'>> {
  const { gas, dark, star } = await readTipsy(bytes)
  const all = (of: 'position' | 'mass') => [gas, dark, star].flatMap((kind) => [...kind[of]])
  return { dimension: 3, arrays: { position: all('position'), mass: all('mass') } }
}

/** @throws Error for a number that float32 cannot hold, because points are stored in it */
function plain(name: string, values: Float64Array): readonly number[] {
  const beyond = values.find((value) => !Number.isFinite(Math.fround(value)))
  if (beyond !== undefined) throw new Error(`expected numbers below 3.4e38 in ${name}, got ${beyond}`)
  return [...values]
}
