/**
 * Writes the loop over pairs as JavaScript source, around the body that core gives.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { type Binding, componentsOf, type Expr, type PairBody, pairBody, render } from '@manybody/core/expression'
import { javascript, library, nameOf } from './operators.ts'

/** The data of a loop, by the names in its source. The loop adds to `sum`. */
interface LoopData {
  readonly targets: Readonly<Record<string, ArrayLike<number>>>
  readonly sources: Readonly<Record<string, ArrayLike<number>>>
  readonly run: Readonly<Record<string, number>>
  readonly tables: ArrayLike<number>
  readonly excluded: readonly ReadonlySet<number>[]
  readonly range: { readonly target: readonly [number, number]; readonly source: readonly [number, number] }
  readonly sum: Float64Array
}

export interface PairLoop {
  readonly body: PairBody
  readonly source: string
  readonly compute: (data: LoopData) => void
}

/** The loop for one workload and shape. `guard` decides which coincident points are left out. */
export function pairLoop(workload: PairWorkload, shape: Shape, guard: Guard): PairLoop {
  const body = pairBody(workload, shape, { guard })
  const components = componentsOf(workload, shape.dimension)
  const axes = ['x', 'y', 'z'].slice(0, shape.dimension)
  const text = (e: Expr) => render(e, javascript).text
  const constants = (bindings: readonly Binding[]) =>
    bindings.map(({ name, expr }) => `const ${nameOf(name)} = ${text(expr)};`).join(' ')
  const load = (side: 'i' | 'j', set: string, attributes: readonly string[]) =>
    [
      ...axes.map((axis, n) => `const ${nameOf(axis + side)} = ${set}.position[${shape.dimension}*${side} + ${n}];`),
      ...attributes.map((name) => `const ${nameOf(`${name}_${side}`)} = ${set}.${name}[${side}];`),
    ].join(' ')
  const runNames = body.run.map(({ name }) => name)
  const terms =
    body.form === 'radial'
      ? axes.map((axis) => `(${text(body.terms[0] as Expr)})*${nameOf(`d${axis}`)}`)
      : body.terms.map(text)
  const reads = body.reads.map(({ before, place, numbers }, n) => {
    const entries = numbers.map(({ name, offset }) => `const ${nameOf(name)} = tables[place${n} + ${offset}];`)
    return `${constants(before)} const place${n} = ${text(place)}; ${entries.join(' ')}`
  })
  const scale = body.scale ? `(${text(body.scale)})*` : ''

  const source = `
    const { targets, sources, run, tables, excluded, range, sum } = data
    const { ${runNames.map((name) => `${name}: ${nameOf(name)}`).join(', ')} } = run
    const [firstTarget, lastTarget] = range.target
    const [firstSource, lastSource] = range.source
    for (let i = firstTarget; i < lastTarget; i++) {
      ${load('i', 'targets', body.attributes.targets)}
      ${constants(body.target)}
      const left = excluded[i]
      ${terms.map((_, c) => `let sum${c} = 0;`).join(' ')}
      for (let j = firstSource; j < lastSource; j++) {
        ${body.skipSelf ? 'if (i === j) continue' : ''}
        if (left !== undefined && left.has(j)) continue
        ${load('j', 'sources', body.attributes.sources)}
        ${constants(body.source)}
        ${reads.join(' ')}
        ${constants(body.loop)}
        ${body.keep ? `if (!(${text(body.keep)})) continue` : ''}
        ${terms.map((term, c) => `sum${c} += ${term};`).join(' ')}
      }
      ${terms.map((_, c) => `sum[(i - firstTarget)*${components} + ${c}] += ${scale}sum${c};`).join(' ')}
    }`
  const compiled = new Function('data', 'library', source)
  return { body, source, compute: (data) => compiled(data, library) }
}
