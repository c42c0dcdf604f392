/** Reads points from the file that was named: its ending says what it holds. */

import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { BadInputError } from '../errors.ts'
import { pointsFromCsv } from '../files/csv.ts'
import { pointsFromTipsy } from '../files/tipsy.ts'
import type { PointsFile } from '../problem.ts'

/** @throws BadInputError if the file cannot be read, or is not what it says */
export function readPoints(file: string): PointsFile {
  const name = basename(file)
  try {
    const ending = extname(file).toLowerCase()
    if (ending === '.csv') return pointsFromCsv(readFileSync(file, 'utf8'), name)
    if (ending !== '.tipsy' && ending !== '.bin')
      throw new Error(`expected a name that ends in .csv, .tipsy or .bin, got "${name}"`)
    return pointsFromTipsy(new Uint8Array(readFileSync(file)).buffer, name)
  } catch (error) {
    throw new BadInputError(`--input "${file}" ${error instanceof Error ? error.message : String(error)}`)
  }
}
