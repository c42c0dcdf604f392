/** Reads a file that the command line names. */

import { readFileSync } from 'node:fs'
import { BadInputError } from '../errors.ts'

/** @throws BadInputError that begins with `what`, the role of the file */
export function contentsOf(file: string, what = ''): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new BadInputError(`${what}"${file}" cannot be read: ${reasons[code] ?? message}`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}
