/**
 * The names of folds over the components of vectors (`folds.ts`).
 *
 * @module
 */

/** The text of a component in the name of a fold; undefined for any other name. */
export const componentText = (name: string): string | undefined =>
  name.startsWith('sum{') ? name.slice(4, -1) : undefined

/** A fold as the text of a law has it. */
export const foldText = (name: string): string | undefined => {
  const component = componentText(name)
  return component === undefined ? undefined : `sum(${component})`
}

/** The vectors in the name of a fold, as `x_i`; undefined for any other name. */
export const vectorsIn = (name: string): readonly string[] | undefined =>
  componentText(name) === undefined ? undefined : [...new Set(name.match(/\b[A-Za-z]\w*_[ij]\b/g))]
