/**
 * A pair workload on points of one shape, as WGSL texts that no plan changes. The choice of a plan depends on them, and every
 * plan builds its shaders from them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard, GuardRule } from '@manybody/core/backend'
import { guardRule, type PairBody, pairBody, Remembered } from '@manybody/core/expression'
import type { ResultRule } from '../../design/design.ts'
import type { Field } from '../../design/shader.ts'
import { type Versions, versionFor } from '../../design/versions.ts'
import { versionsFor } from '../../designs/lazily.ts'
import type { LawCase, VectorCase } from '../../plans/pair-case.ts'
import type { Fold, FoldOf, FoldPlace } from '../folds/fold.ts'
import type { LookTexts } from '../parts/looks.ts'
import { type PairTextOptions, type PairTexts, pairTexts, sourceBytes, vectorCounts } from '../parts/pair-texts.ts'
import { hostText } from '../wgsl/operators.ts'

/** The texts of a workload with a guard for coincident points, or without. */
export interface WrittenPair {
  readonly body: PairBody
  readonly fold: Fold
  readonly texts: PairTexts
  readonly look: LookTexts | undefined
  /** Fields of the uniform block for the bindings of the run. */
  readonly run: readonly Field[]
  /** The texts for another fold. They include the pair of a target with itself. */
  readonly unskipped: (fold: PairTextOptions['fold'], exclusions: boolean) => PairTexts
  /** The same for other functions of vectors, and under a further condition. */
  readonly under: (options: Pick<PairTextOptions, 'foldValue' | 'within'>) => PairTexts
  /** The same for coordinates of images: displacements are differences, and points are told apart by their places in the order. */
  readonly ofImages: (owned: number) => Pick<WrittenPair, 'body' | 'fold' | 'texts' | 'run'>
  /** The same for sources that come in any order. @param places whether points are told apart by their places in it */
  readonly inAnyOrder: (
    place?: Omit<FoldPlace, 'order'>,
    places?: boolean,
  ) => Pick<WrittenPair, 'fold' | 'texts' | 'look'>
}

export interface PairProblem {
  readonly workload: PairWorkload
  readonly shape: Shape
  readonly exclusions: boolean
  readonly guard: GuardRule
  readonly written: Versions<WrittenPair>
}

/** The texts of each workload, which the numbers of points do not change. */
const texts = new Remembered<FoldOf, Remembered<PairWorkload, Pick<PairProblem, 'guard' | 'written'>>>()

export function pairProblem(workload: PairWorkload, shape: Shape, foldOf: FoldOf): PairProblem {
  const exclusions = workload.domain.exclusions.length > 0
  const write = () => {
    const guard = guardRule(workload, shape)
    return {
      guard,
      written: versionsFor(guard, (one) => writtenPair(workload, shape, { exclusions, guard: one, foldOf })),
    }
  }
  const known = texts.of(foldOf, () => new Remembered()).of(workload, write, withoutCounts(shape))
  return { workload, shape, exclusions, ...known }
}

/** A shape without its numbers of points, as text. */
export const withoutCounts = ({ targets: _, sources: __, ...rest }: Shape): string => JSON.stringify(rest)

function writtenPair(
  workload: PairWorkload,
  shape: Shape,
  { exclusions, guard, foldOf }: { readonly exclusions: boolean; readonly guard: Guard; readonly foldOf: FoldOf },
): WrittenPair {
  const body = pairBody(workload, shape, { guard })
  const { dimension, sameSet, lengths } = shape
  const points = { dimension, sameSet, ...(lengths && { lengths, placed: shape.vectors.includes('position') }) }
  const components = body.form === 'radial' ? dimension : body.terms.length
  const fold = foldOf(workload, components)
  const unskipped: WrittenPair['unskipped'] = (other, exclusions) =>
    pairTexts({ ...points, body: { ...body, skipSelf: false }, exclusions, fold: other })
  const lookOf = ({ look }: Fold): LookTexts | undefined => {
    // Settling visits sources twice, but the cursor into a list of exclusions can only move forward.
    if (!look || (look.settle && exclusions)) return undefined
    // A look may let excluded sources pass: their visit tests them.
    return { ...look, texts: unskipped({ indexed: false, pair: look.pair }, false), skipSelf: body.skipSelf }
  }
  return {
    body,
    fold,
    texts: pairTexts({ ...points, body, exclusions, fold }),
    look: lookOf(fold),
    run: runFields(body),
    unskipped,
    under: (options) => pairTexts({ ...points, body, exclusions, fold, ...options }),
    ofImages(owned) {
      const open = { ...workload, domain: { ...workload.domain, boundary: { kind: 'open' } as const } }
      const images = pairBody(open, shape, { guard })
      const own = foldOf(workload, components, { order: 'any', owned })
      const options = { ...points, exclusions, order: 'any', places: true } as const
      return {
        body: images,
        fold: own,
        texts: pairTexts({ ...options, body: images, fold: own }),
        run: runFields(images),
      }
    },
    inAnyOrder(place, places = false) {
      const order = 'any'
      const fold = foldOf(workload, components, { ...place, order })
      return { fold, texts: pairTexts({ ...points, body, exclusions, fold, order, places }), look: lookOf(fold) }
    },
  }
}

const runFields = ({ run }: PairBody): readonly Field[] =>
  run.map(({ name, expr }) => ({ name, type: 'f32', note: hostText(expr) }))

/** The results of a loop. */
export const resultRules = ({ results }: Fold): readonly ResultRule[] =>
  results.map(({ name, hostType, width }) => ({ name, type: hostType, width }))

const vectorCase = ({ ofBoth }: PairTexts): VectorCase => ({
  numbers: ofBoth.length,
  counts: vectorCounts(ofBoth),
})

/** The facts of a law that the plan of its loop depends on. */
export function lawCaseOf({ workload, shape, guard, written }: PairProblem): LawCase {
  const { body, fold, texts } = versionFor({ versions: written, guard })
  return {
    sourceBytes: sourceBytes(texts),
    words: fold.words,
    registers: shape.dimension + body.target.length + fold.words,
    neighbours: workload.reduction === 'smallest' ? (workload.k ?? 1) : 0,
    sums: fold.sums(0).length > 0,
    ...(texts.ofBoth.length > 0 && { vectors: vectorCase(texts) }),
  }
}
