/**
 * The error for a malformed file.
 *
 * @module
 */

/** Says where a file is malformed, and why. */
export class FileFormatError extends Error {
  override readonly name = 'FileFormatError'

  /**
   * @param format such as `XYZ`
   * @param place `line 7`, or `byte 32` of a binary file
   */
  constructor(
    readonly format: string,
    readonly place: string,
    readonly reason: string,
  ) {
    super(`Malformed ${format} file, ${place}: ${reason}`)
  }
}

/** Reads a finite number from a text file. @throws {@link FileFormatError} */
export function numberIn(text: string | undefined, name: string, format: string, line: number): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  const got = text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 40))
  throw new FileFormatError(format, `line ${line}`, `"${name}" expected a number, got ${got}`)
}
