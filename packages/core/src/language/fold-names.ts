/**
 * The names of folds over the components of vectors, and of vectors that terms give component by component (`folds.ts`).
 *
 * @module
 */

const pattern = /^(sum|vector)\{(.*)\}$/

/** The text of a component in the name of a fold or a vector; undefined for any other name. */
export const componentText = (name: string): string | undefined => pattern.exec(name)?.[2]

/** Whether a name is that of a vector, which has a value for each component. */
export const isVector = (name: string): boolean => name.startsWith('vector{')

/** @throws TypeError for a vector: loops compute numbers, and an engine asks for those of a few components at a time */
export function requireNumbers(names: readonly string[]): void {
  if (names.some(isVector))
    throw new TypeError('"workload" expected a term that is a number, got a vector, which an engine sums')
}

/** A fold or a vector as the text of a law has it. */
export const foldText = (name: string): string | undefined => {
  const [, called, component] = pattern.exec(name) ?? []
  return called === undefined ? undefined : `${called}(${component})`
}

/** The vectors in the name of a fold or a vector, as `x_i`; undefined for any other name. */
export const vectorsIn = (name: string): readonly string[] | undefined =>
  componentText(name) === undefined ? undefined : [...new Set(name.match(/\b[A-Za-z]\w*_[ij]\b/g))]
