/** Invalid arguments: reported in one line, with exit code 2, before anything is measured. */
export class BadInputError extends Error {
  override readonly name = 'BadInputError'
}
