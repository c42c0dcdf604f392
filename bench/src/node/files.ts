/** The files that a command line names: reading them, and writing a record to them. */

import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'
import { textOf } from '../record-text.ts'

/** @throws BadInputError */
export function contentsOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new BadInputError(`"${file}" cannot be read: ${reasons[code] ?? message}`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

/** Before anything is measured, so that a wrong path costs no run. @throws BadInputError if the file could not be written */
export function checkWritable(file: string, option: string): void {
  const fault = file === '' ? 'expected the name of a file' : faultOf(resolve(file))
  if (fault !== undefined) throw new BadInputError(`${option} cannot be written to "${file}": ${fault}`)
}

function faultOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) return found.isDirectory() ? reasons.EISDIR : 'it is not an ordinary file'
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

export const writeRecord = (record: BenchmarkRecord, file: string): void => writeFileSync(file, textOf(record))

/** The plots need a large library, which is loaded only for them. */
export async function writeReport(record: BenchmarkRecord, file: string): Promise<void> {
  const { htmlReport } = await import('../report/html/report.ts')
  writeFileSync(file, htmlReport(record))
}
