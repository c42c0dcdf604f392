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

/**
 * The function of a fold.
 *
 * @param arrayOf the name of the array of a vector, such as `x_i`
 * @param tables that of the array of all tables
 */
export function foldFunction(fold: Fold, length: number, arrayOf: (vector: string) => string, tables: string): string {
  const parameters = indicesOf(fold).map((index) => `${index}: u32`)
  const names = new Set([...fold.vectors, ...fold.parameters.map((one) => one.name), ...fold.loop.map((b) => b.name)])
  const text = (e: Fold['value']) => wgslText(e, (name) => (names.has(name) ? name : `run.${name}`))
  const loads = [
    ...fold.vectors.map((name) => `let ${name} = ${arrayOf(name)}[${length}u * ${name.at(-1)} + k];`),
    ...fold.parameters.map(({ name, start }) => `let ${name} = ${tables}[u32(run.${start}) + k];`),
  ]
  return wgsl`
fn sum_${fold.name}(${parameters.join(', ')}) -> f32 {
  var sum = 0.0;
  for (var first = 0u; first < ${length}u; first += ${partLength}u) {
    var part = 0.0;
    for (var k = first; k < min(first + ${partLength}u, ${length}u); k++) {
      ${loads}
      ${fold.loop.map((b) => `let ${b.name} = ${text(b.expr)};`)}
      part += ${text(fold.value)};
    }
    sum += part;
  }
  return sum;
}
`
}
