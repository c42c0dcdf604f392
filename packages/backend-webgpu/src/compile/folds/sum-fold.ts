/**
 * The fold of sums, as WGSL. Plain sums need no other fold.
 *
 * @module
 */
import { arrayName } from '../../design/shader.ts'
import { bits, type FoldOf, float, guarded, range } from './fold.ts'

/**
 * A sum of at most this many components has a `select` for each, a longer one a branch. SwiftShader compiles 24 selects, 6 for
 * each of 4 targets, for over 40 seconds.
 */
const mostChoices = 4

export const sumFoldOf: FoldOf = ({ results: [name = 'value'] }, width) => {
  const sum = (r: number) => (c: number) => `sum${c}_${r}`
  const out = arrayName(`result.${name}`)
  const finishWord = (word: string, at: string, value: string, scale: string | undefined) => {
    const place = `${out}[${width}u * ${at} + ${word}]`
    const scaled = scale ? `${value} * ${scale}` : value
    return `${place} = select(0.0, ${place}, run.carry == 1u) + ${scaled};`
  }
  return {
    results: [{ name, type: 'f32', hostType: 'f32', width }],
    words: width,
    indexed: false,
    revisits: false,
    sums: (r) => range(width).map(sum(r)),
    declare: (r) =>
      range(width)
        .map((c) => `var ${sum(r)(c)} = 0.0;`)
        .join(' '),
    pair: (r, { terms, along, keep }) => {
      if (terms.length > mostChoices)
        return guarded(keep, terms.map((term, c) => `${sum(r)(c)} += ${term};`).join('\n'))
      const masked = (term: string) => (keep ? `select(0.0, ${term}, ${keep})` : term)
      if (!along) return terms.map((term, c) => `${sum(r)(c)} += ${masked(term)};`).join('\n')
      const adds = along.map((d, c) => `${sum(r)(c)} += w * ${d};`)
      return [`let w = ${masked(terms[0] as string)};`, ...adds].join('\n')
    },
    save: (r, write) =>
      range(width)
        .map((c) => write(`${c}u`, bits(sum(r)(c))))
        .join('\n'),
    merge: (r, read) =>
      range(width)
        .map((c) => `${sum(r)(c)} += ${float(read(`${c}u`))};`)
        .join('\n'),
    resume: () => '',
    finish: (r, at, scale) =>
      range(width)
        .map((c) => finishWord(`${c}u`, at, sum(r)(c), scale))
        .join('\n'),
    finishWord,
  }
}
