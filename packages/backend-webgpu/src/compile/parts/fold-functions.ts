/**
 * Sums over the components of vectors as functions in WGSL: of a target and a source, or of one point.
 *
 * @module
 */
import type { Fold } from '@manybody/core/expression'
import { wgsl } from '../../design/wgsl.ts'
import { wgslText } from '../wgsl/operators.ts'

/** Components that join before they join the sum: so sums of long vectors round less. */
const partLength = 8

/** The point that each side of a fold reads, as parameters of its function. */
const indices = { target: ['i'], source: ['j'], both: ['i', 'j'] } as const

const indicesOf = ({ side }: Fold): readonly ('i' | 'j')[] => indices[side ?? 'both']

/** The call of a fold. @param at the index of the target and that of the source */
export const foldCall = (fold: Fold, at: { readonly i: string; readonly j: string }): string =>
  `sum_${fold.name}(${indicesOf(fold)
    .map((index) => at[index])
    .join(', ')})`

/** The numbers that a component of a fold reads: the components of its vectors, and of vectors among the parameters. */
const numbersOf = ({ vectors, parameters }: Fold): readonly string[] => [
  ...vectors,
  ...parameters.map(({ name }) => name),
]

/** The call of a fold's component. @param numberOf the number with a name */
export const componentCall = (fold: Fold, numberOf: (name: string) => string): string =>
  `component_${fold.name}(${numbersOf(fold).map(numberOf).join(', ')})`

/** The function of a component, which reads its numbers. */
export function componentFunction(fold: Fold): string {
  const given = numbersOf(fold)
  const names = new Set([...given, ...fold.loop.map(({ name }) => name)])
  const text = (e: Fold['value']) => wgslText(e, (name) => (names.has(name) ? name : `run.${name}`))
  return wgsl`
fn component_${fold.name}(${given.map((name) => `${name}: f32`).join(', ')}) -> f32 {
  ${fold.loop.map((b) => `let ${b.name} = ${text(b.expr)};`)}
  return ${text(fold.value)};
}
`
}

/** Component `k` of a vector among the parameters. @param tables the name of the array of all tables */
export const givenComponent = (fold: Fold, name: string, k: string, tables: string): string => {
  const start = fold.parameters.find((one) => one.name === name)?.start
  return `${tables}[u32(run.${start}) + ${k}]`
}

/**
 * The function of a fold, which calls that of its component.
 *
 * @param arrayOf the name of the array of a vector, such as `x_i`
 * @param tables that of the array of all tables
 */
export function foldFunction(fold: Fold, length: number, arrayOf: (vector: string) => string, tables: string): string {
  const parameters = indicesOf(fold).map((index) => `${index}: u32`)
  const numberOf = (name: string) =>
    fold.vectors.includes(name)
      ? `${arrayOf(name)}[${length}u * ${name.at(-1)} + k]`
      : givenComponent(fold, name, 'k', tables)
  return wgsl`
${componentFunction(fold)}
fn sum_${fold.name}(${parameters.join(', ')}) -> f32 {
  var sum = 0.0;
  for (var first = 0u; first < ${length}u; first += ${partLength}u) {
    var part = 0.0;
    for (var k = first; k < min(first + ${partLength}u, ${length}u); k++) {
      part += ${componentCall(fold, numberOf)};
    }
    sum += part;
  }
  return sum;
}
`
}
