/**
 * The error for a malformed file.
 *
 * @module
 */

/** Says where a file is malformed, and why. */
export class FileFormatError extends Error {
  override readonly name = 'FileFormatError'

  /**
   * @param format for example `XYZ`
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
