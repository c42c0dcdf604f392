/**
 * A component of a term that is a vector, as functions in WGSL: its numbers of one point, and its value from these and from the numbers of
 * the pair. The text does not depend on the number of components. `vector-loop.ts` calls the functions.
 *
 * @module
 */
import { type Expr, pairNumber, symbolsOf, type TermLoop } from '@manybody/core/expression'
import { wgsl } from '../../design/wgsl.ts'
import { wgslText } from '../wgsl/operators.ts'

export interface ComponentTexts {
  readonly functions: string
  /** The numbers of component `k` that a target has, at the index of that target. */
  readonly target: readonly ((k: string, i: string) => string)[]
  /** Those that a source has. */
  readonly source: readonly ((k: string, j: string) => string)[]
  /** Those of the run. */
  readonly run: readonly ((k: string) => string)[]
  /** The value of a component. @param inputs those of the target, of the source and of the run */
  readonly value: (numbers: readonly string[], inputs: readonly string[]) => string
}

/**
 * @param numbers how many numbers of the pair a component may read
 * @param length the number of components
 * @param arrayOf the name of the array of a vector, such as `x_i`
 * @param tables that of the array of all tables
 */
export function componentTexts(
  term: TermLoop,
  numbers: number,
  length: number,
  arrayOf: (vector: string) => string,
  tables: string,
): ComponentTexts {
  const ofPair = new Map(Array.from({ length: numbers }, (_, n) => [pairNumber(n), `pair${n}`]))
  const { loop, value, parts, parameters } = term
  const own = new Set(loop.map(({ name }) => name))
  const read = [...symbolsOf(value, ...loop.map(({ expr }) => expr))].filter((name) => !own.has(name))
  const known = new Set([
    ...own,
    ...term.vectors,
    ...parameters.map(({ name }) => name),
    ...[...parts.target, ...parts.source].map(({ name }) => name),
  ])
  const nameOf = (name: string) => ofPair.get(name) ?? (known.has(name) ? name.replace(':', '_') : `run.${name}`)
  const text = (e: Expr) => wgslText(e, nameOf)
  const statements = (bindings: TermLoop['loop']) =>
    bindings.map(({ name, expr }) => `let ${nameOf(name)} = ${text(expr)};`)
  const ofParameter = ({ start }: TermLoop['parameters'][number], k: string) => `${tables}[u32(run.${start}) + ${k}]`

  /** A function for each number of one side that the component reads. */
  const ofSide = (side: 'target' | 'source') => {
    const [suffix, point] = side === 'target' ? ['_i', 'i'] : ['_j', 'j']
    const bindings = parts[side]
    const vectors = term.vectors.filter((name) => name.endsWith(suffix))
    const names = read.filter((name) => vectors.includes(name) || bindings.some((one) => one.name === name))
    const component = (name: string) => `${arrayOf(name)}[${length}u * ${point} + k]`
    const used = symbolsOf(...bindings.map(({ expr }) => expr))
    const loads = [
      ...vectors.filter((name) => used.has(name)).map((name) => `let ${name} = ${component(name)};`),
      ...parameters.filter(({ name }) => used.has(name)).map((one) => `let ${one.name} = ${ofParameter(one, 'k')};`),
    ]
    const functions = names.map((name, n) => {
      const stored = vectors.includes(name)
      const before = stored ? [] : [...loads, ...statements(bindings)]
      const result = stored ? component(name) : nameOf(name)
      return wgsl`
fn ${side}_number${n}(${point}: u32, k: u32) -> f32 {
  ${before}
  return ${result};
}
`
    })
    const numbers = names.map((_, n) => (k: string, at: string) => `${side}_number${n}(${at}, ${k})`)
    return { names, functions, numbers }
  }
  const [target, source] = [ofSide('target'), ofSide('source')]
  const ofRun = parameters.filter(({ name }) => read.includes(name))
  const inputs = [...target.names, ...source.names, ...ofRun.map(({ name }) => name)]
  const arguments_ = [...ofPair.values(), ...inputs.map(nameOf)]
  const component = wgsl`
fn component(${arguments_.map((name) => `${name}: f32`).join(', ')}) -> f32 {
  ${statements(loop)}
  return ${text(value)};
}
`
  return {
    functions: [...target.functions, ...source.functions, component].join(''),
    target: target.numbers,
    source: source.numbers,
    run: ofRun.map((one) => (k: string) => ofParameter(one, k)),
    value: (pair, rest) => `component(${[...pair, ...rest].join(', ')})`,
  }
}
