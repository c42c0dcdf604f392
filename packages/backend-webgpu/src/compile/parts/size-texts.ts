/**
 * The sizes of points in a cutoff of pairs (`cutoff-sizes.ts` of core), as WGSL. Walks look as far as the largest size in a box.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { lawFact } from '@manybody/core/backend'
import { type Binding, type Expr, expandPowers, symbol, symbolsOf } from '@manybody/core/expression'
import { arrayName, type Resource } from '../../design/shader.ts'
import { wgslText } from '../wgsl/operators.ts'

/** The sizes of the points of one set. */
export interface SizeTexts {
  readonly resources: readonly Resource[]
  /** The size of the point at an index. */
  readonly of: (point: string) => string
}

export interface SetSizes {
  /** The numbers of a run that sizes read. */
  readonly run: readonly Binding[]
  /** @param set the name of the set: `points`, `targets` or `sources` */
  readonly of: (set: string) => SizeTexts
}

/** Undefined if pairs are not looked for by sizes. */
export function setSizes(workload: PairWorkload, shape: Shape): SetSizes | undefined {
  const sizes = lawFact('sizes', workload, shape)
  if (!sizes) return undefined
  const isAttribute = (name: string) => !Object.hasOwn(workload.law.parameters, name)
  const parameters = [...symbolsOf(sizes.target, sizes.source)].filter((name) => !isAttribute(name))
  const textOf = (e: Expr, set: string, point: string) => {
    const [expanded] = expandPowers([e], 'sqrt') as [Expr]
    return wgslText(expanded, (name) =>
      isAttribute(name) ? `${arrayName(`${set}.${name.slice(0, -2)}`)}[${point}]` : `run.${runName(name)}`,
    )
  }
  return {
    run: parameters.map((name) => ({ name: runName(name), expr: symbol(name) })),
    of: (set) => {
      // A point of one set is both a target and a source, and its box has one size.
      const all = shape.sameSet ? [sizes.target, sizes.source] : [set === 'targets' ? sizes.target : sizes.source]
      const names = [...symbolsOf(...all)].filter(isAttribute).map((name) => `${set}.${name.slice(0, -2)}`)
      return {
        resources: [...new Set(names)].map((key): Resource => ({ key, access: 'read', type: 'f32' })),
        of: (point) => {
          const texts = [...new Set(all.map((e) => textOf(e, set, point)))]
          return texts.reduce((a, b) => `max(${a}, ${b})`)
        },
      }
    },
  }
}

const runName = (parameter: string) => `size_${parameter}`
