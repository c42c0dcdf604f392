/** Reads points from a file. Its extension decides the format. */

import { basename, extname } from 'node:path'
import { BadInputError } from '../errors.ts'
import { pointsFromCsv } from '../files/csv.ts'
import { pointsFromTipsy } from '../files/tipsy.ts'
import type { PointsFile } from '../problem.ts'
import { contentsOf } from './contents.ts'

/** @throws BadInputError if the file cannot be read, or does not have the format of its extension */
export function readPoints(file: string): PointsFile {
  const name = basename(file)
  const parse = parsers[extname(file).toLowerCase()]
  if (!parse)
    throw new BadInputError(`--input expected a file that ends in ${Object.keys(parsers).join(', ')}, got "${file}"`)
  const bytes = new Uint8Array(contentsOf(file, '--input ')).buffer
  try {
    return parse(bytes, name)
  } catch (error) {
    throw new BadInputError(`--input "${file}" ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Parse = (bytes: ArrayBuffer, name: string) => PointsFile

const parsers: Readonly<Record<string, Parse>> = {
  '.csv': (bytes, name) => pointsFromCsv(new TextDecoder().decode(bytes), name),
  '.tipsy': pointsFromTipsy,
  '.bin': pointsFromTipsy,
}
