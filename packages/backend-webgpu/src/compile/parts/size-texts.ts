/**
 * The sizes of points in a cutoff of pairs (`cutoff-sizes.ts` of core), as WGSL. Walks look as far as the largest size in a box.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { lawFact } from '@manybody/core/backend'
import { type Binding, type Expr, type Rate, schedule, symbolsOf } from '@manybody/core/expression'
import { arrayName, type Resource } from '../../design/shader.ts'
import { wgslText } from '../wgsl/operators.ts'

/** The sizes of the points of one set. */
export interface SizeTexts {
  readonly resources: readonly Resource[]
  /** The size of the point at an index. */
  readonly of: (point: string) => string
}

export interface SetSizes {
  /** The numbers of a run that sizes read, which the host computes. */
  readonly run: readonly Binding[]
  /** @param set the name of the set: `points`, `targets` or `sources` */
  readonly of: (set: string) => SizeTexts
}

/** Undefined if pairs are not looked for by sizes. */
export function setSizes(workload: PairWorkload, shape: Shape): SetSizes | undefined {
  const sizes = lawFact('sizes', workload, shape)
  if (!sizes) return undefined
  const { run, target, source, outputs } = schedule([sizes.target, sizes.source], { rateOf, roots: 'sqrt' })
  const inRun = new Set(run.map(({ name }) => name))
  const ofPoints = new Map([...target, ...source].map(({ name, expr }) => [name, expr]))
  const [ofTarget, ofSource] = outputs.map((e) => (e.kind === 'symbol' && ofPoints.get(e.name)) || e) as [Expr, Expr]
  const nameIn = (set: string, attribute: string) => `${set}.${attribute.slice(0, -2)}`
  return {
    run: run.map(({ name, expr }) => ({ name: runName(name), expr })),
    of: (set) => {
      // A point of one set is both a target and a source, and its box has one size.
      const all = shape.sameSet ? [ofTarget, ofSource] : [set === 'targets' ? ofTarget : ofSource]
      const names = [...symbolsOf(...all)].filter((name) => !inRun.has(name)).map((name) => nameIn(set, name))
      return {
        resources: [...new Set(names)].map((key): Resource => ({ key, access: 'read', type: 'f32' })),
        of: (point) => {
          const symbolText = (name: string) =>
            inRun.has(name) ? `run.${runName(name)}` : `${arrayName(nameIn(set, name))}[${point}]`
          const texts = [...new Set(all.map((e) => wgslText(e, symbolText)))]
          return texts.reduce((a, b) => `max(${a}, ${b})`)
        },
      }
    },
  }
}

const rateOf = (name: string): Rate => (name.endsWith('_i') ? 'target' : name.endsWith('_j') ? 'source' : 'run')

const runName = (name: string) => `size_${name}`
