/**
 * Sums over the components of vectors as GLSL. A loop is one function, so each sum is written where its points are known: beside
 * the numbers of a target, of a source, or of a pair.
 *
 * @module
 */
import type { Fold } from '@manybody/core/expression'
import { number } from '../../design/reads.ts'
import { lines } from '../glsl/code-text.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { glslOf, typeOf } from '../glsl/operators.ts'

/** Components that join before they join the sum: so sums of long vectors round less. */
const partLength = 8

export interface FoldPlaces {
  readonly dialect: Dialect
  /** The number of components of each vector, by the name of its attribute. */
  readonly lengths: Readonly<Record<string, number>>
  /** The texture of a vector, such as `x_i`, and the variable with its point. */
  readonly textureOf: (vector: string) => string
  readonly pointOf: { readonly i: string; readonly j: string }
}

/** Statements that declare `fold0` and add up its components. */
export function foldText(fold: Fold, { dialect, lengths, textureOf, pointOf }: FoldPlaces): string {
  const { name, vectors, parameters, loop, value } = fold
  const length = lengths[(vectors[0] as string).slice(0, -2)] ?? 0
  // Callers choose the names of vectors, and GLSL reserves some.
  const own = new Map(vectors.map((vector, n) => [vector, `component${n}`] as const))
  const write = (e: Fold['value']) => glslOf(e, (symbol) => own.get(symbol) ?? symbol)
  /** The statements for component `at`, which bring its value into a variable. */
  const component = (at: string, into: string) => {
    const loads = vectors.map((vector) => {
      const point = pointOf[vector.endsWith('_i') ? 'i' : 'j']
      return `float ${own.get(vector)} = ${number(textureOf(vector), `${length} * ${point} + ${at}`)};`
    })
    const given = parameters.map((one) => `float ${one.name} = ${number('tables', `int(${one.start} + 0.5) + ${at}`)};`)
    return `{
    ${lines([...loads, ...given])}
    ${lines(loop.map((b) => `${typeOf(b.expr)} ${b.name} = ${write(b.expr)};`))}
    ${into} += ${write(value)};
  }`
  }
  // Terms that are vectors read many of these, and drivers take long to compile loops.
  if (length === 1) return `float ${name} = 0.0;\n${component('0', name)}`
  const components = component('foldAt', 'foldPart')
  return `float ${name} = 0.0;
${dialect.loop({
  first: 'int foldFrom = 0',
  while: `foldFrom < ${length}`,
  next: `foldFrom += ${partLength}`,
  most: Math.ceil(length / partLength),
  body: `{
  float foldPart = 0.0;
  int foldTo = foldFrom + ${partLength} < ${length} ? foldFrom + ${partLength} : ${length};
  ${dialect.loop({ first: 'int foldAt = foldFrom', while: 'foldAt < foldTo', next: 'foldAt++', most: partLength, body: components })}
  ${name} += foldPart;
}`,
})}`
}
