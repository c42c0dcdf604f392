/** Whether a file can be written. It is checked before anything is measured, so that a wrong path costs no run. */

import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BadInputError } from '../errors.ts'

/** @throws BadInputError if the file could not be written */
export function checkWritable(file: string, option: string): void {
  const fault = file === '' ? 'expected the name of a file' : faultOf(resolve(file))
  if (fault !== undefined) throw new BadInputError(`${option} cannot be written to "${file}": ${fault}`)
}

function faultOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) return found.isDirectory() ? 'it is a folder' : 'it is not an ordinary file'
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder "${folder}"`
  try {
    closeSync(openSync(path, 'a'))
    if (!found) rmSync(path)
  } catch {
    return 'this user may not write there'
  }
  return undefined
}
