/** What is wrong with what was typed: told in one line, with exit code 2, before anything is measured. */
export class BadInputError extends Error {
  override readonly name = 'BadInputError'
}
