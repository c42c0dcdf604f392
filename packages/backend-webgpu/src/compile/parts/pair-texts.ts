/**
 * The expressions of a pair loop as WGSL statements: loading a target, loading a source, and visiting one pair. This file
 * chooses the names; `pair-loop.ts` arranges the statements.
 *
 * Target r has the index `i_r` and variables such as `xi_r` and `t0_r`. A source is a record of vectors. Its numbers are
 * `source.x` or `source1.y`.
 *
 * @module
 */
import type { Dimension, Shape } from '@manybody/core'
import { axesOf, lowAxisOf } from '@manybody/core/backend'
import type { PairBody, Fold as VectorFold } from '@manybody/core/expression'
import { arrayOf } from '../../design/arrays.ts'
import type { VectorCounts } from '../../design/component-tile.ts'
import { arrayName, type Resource } from '../../design/shader.ts'
import { plus } from '../../design/wgsl.ts'
import type { Fold, SourceOrder } from '../folds/fold.ts'
import { wgslText } from '../wgsl/operators.ts'
import { componentFunction, foldCall, foldFunction } from './fold-functions.ts'

export interface PairTexts {
  readonly resources: readonly Resource[]
  /** The name of the array of a vector, such as `x_i`. */
  readonly arrayOfVector: (vector: string) => string
  /** Functions that the texts call. */
  readonly functions: string
  /** WGSL types of the vectors that hold a source. */
  readonly record: readonly string[]
  /** Whether the last number of a source's only vector is unused. */
  readonly hasRoom: boolean
  /** Components of each vector of the record, for the source at index `j`. @param at other coordinates for it */
  readonly loadSource: (j: string, at?: readonly string[]) => readonly string[]
  /** The same for a source with these coordinates and attributes. */
  readonly recordOf: (coordinates: readonly string[], attribute: (name: string) => string) => readonly string[]
  /** Declares a target. @param at other coordinates for it */
  readonly loadTarget: (r: number, at?: readonly string[]) => string
  /** Visits the pair of target r and the source in scope. The index of the source is `j`, if `needsIndex`. */
  readonly pair: (r: number) => string
  /** Whether `pair` needs the index of the source. */
  readonly needsIndex: boolean
  /** The functions of vectors of both points that `pair` reads. */
  readonly ofBoth: readonly BothFold[]
  readonly scale: (r: number) => string | undefined
}

/** A function of vectors of both points, with the names of their arrays and the number of components. */
export interface BothFold {
  readonly fold: VectorFold
  readonly length: number
}

export interface PairTextOptions {
  readonly body: PairBody
  readonly dimension: Dimension
  readonly fold: Pick<Fold, 'pair' | 'indexed'>
  readonly sameSet: boolean
  readonly exclusions: boolean
  /** The number of components of each vector. */
  readonly lengths?: Shape['lengths']
  /** Whether points have positions; by default they do. */
  readonly placed?: boolean
  /** The order of the sources; ascending by default. */
  readonly order?: SourceOrder
  /** Whether targets and sources of one set are told apart by their places in the order, `place_r` and `at`; by default, by their indices. */
  readonly places?: boolean
  /** The value of a function of vectors for target r and the source in scope; by default a call that computes it. */
  readonly foldValue?: (name: string, r: number) => string
  /** A further condition for target r and the source in scope, for loops that run beyond the last point. */
  readonly within?: (r: number) => string
}

export function pairTexts({
  body,
  dimension,
  fold,
  sameSet,
  exclusions,
  lengths = {},
  placed = true,
  order = 'ascending',
  places = false,
  foldValue,
  within,
}: PairTextOptions): PairTexts {
  const used = placed ? axesOf(dimension) : []
  const position = placed ? ['position'] : []
  const loops = [...body.folds, ...(body.vector ? [body.vector] : [])]
  const vectorsOf = (suffix: 'i' | 'j') => {
    const names = loops.flatMap(({ vectors }) => vectors).filter((name) => name.endsWith(`_${suffix}`))
    return names.map((name) => name.slice(0, -2))
  }
  const keyOf = (side: 'targets' | 'sources', name: string) => (sameSet ? `points.${name}` : `${side}.${name}`)
  const keys = new Set([
    ...[...position, ...body.attributes.targets, ...vectorsOf('i')].map((name) => keyOf('targets', arrayOf(name))),
    ...[...position, ...body.attributes.sources, ...vectorsOf('j')].map((name) => keyOf('sources', arrayOf(name))),
    ...(exclusions ? ['exclusions.offsets', 'exclusions.sources'] : []),
    ...(body.reads.length > 0 || loops.some(({ parameters }) => parameters.length > 0) ? [tableNumbers] : []),
  ])
  const resources = [...keys].map((key): Resource => {
    return { key, access: 'read', type: key.startsWith('exclusions') ? 'u32' : 'f32' }
  })

  const vectorAt = (side: 'targets' | 'sources', name: string, axis: number, at: string) =>
    `${arrayName(keyOf(side, name))}[${plus(`${dimension}u * ${at}`, axis)}]`
  const attributeAt = (side: 'targets' | 'sources', name: string, at: string) => {
    const axis = lowAxisOf(name)
    return axis === undefined ? `${arrayName(keyOf(side, name))}[${at}]` : vectorAt(side, arrayOf(name), axis, at)
  }
  const runNames = new Set(body.run.map((b) => b.name))
  const targetNames = new Set([...used.map((a) => `${a}i`), ...body.target.map((b) => b.name)])
  const sourceNames = [...used.map((a) => `${a}j`), ...body.source.map((b) => b.name)]
  const folds = new Map(body.folds.map((fold) => [fold.name, fold] as const))
  const foldAt = (name: string, i: string, j: string) => {
    const fold = folds.get(name)
    return fold?.side ? foldCall(fold, { i, j }) : undefined
  }
  const ofBothAt = (fold: VectorFold, r: number) =>
    foldValue ? foldValue(fold.name, r) : foldCall(fold, { i: `i_${r}`, j: 'j' })
  const inTarget = (r: number) => (name: string) => {
    if (runNames.has(name)) return `run.${name}`
    if (targetNames.has(name)) return `${name}_${r}`
    const at = sourceNames.indexOf(name)
    if (at >= 0) return `${vector('source', at >> 2)}.${'xyzw'[at % 4]}`
    const fold = foldAt(name, `i_${r}`, 'j')
    return fold ?? (name.endsWith('_i') ? attributeAt('targets', name.slice(0, -2), `i_${r}`) : name)
  }
  const inSource = (attribute: (name: string) => string, j: string) => (name: string) =>
    runNames.has(name) ? `run.${name}` : (foldAt(name, '', j) ?? attribute(name.slice(0, -2)))
  const coordinates = (side: 'targets' | 'sources', at: string) =>
    used.map((_, axis) => vectorAt(side, 'position', axis, at))

  // Even a source without numbers has a place in a tile.
  const vectors = Math.max(1, Math.ceil(sourceNames.length / 4))
  const record = (coordinates: readonly string[], attribute: (name: string) => string, j: string) => {
    const texts = [...coordinates, ...body.source.map((b) => wgslText(b.expr, inSource(attribute, j)))]
    return Array.from({ length: vectors }, (_, v) => {
      const part = texts.slice(4 * v, 4 * v + 4)
      const width = part.length <= 2 ? 2 : 4
      return [...part, ...Array<string>(width - part.length).fill('0.0')].join(', ')
    })
  }
  const self = (r: number) => (places ? `at != place_${r}` : `j != i_${r}`)
  const pairFolds = body.folds.filter(({ side }) => !side)
  const needsIndex = fold.indexed || (body.skipSelf && !places) || exclusions || pairFolds.length > 0
  const lengthOf = ({ vectors }: VectorFold) => lengths[(vectors[0] as string).slice(0, -2)] ?? 0
  const arrayOfVector = (name: string) =>
    arrayName(keyOf(name.endsWith('_i') ? 'targets' : 'sources', name.slice(0, -2)))
  return {
    resources,
    arrayOfVector,
    functions: body.folds
      .map((fold) =>
        foldValue && !fold.side
          ? componentFunction(fold)
          : foldFunction(fold, lengthOf(fold), arrayOfVector, arrayName(tableNumbers)),
      )
      .join(''),
    record: Array.from({ length: vectors }, (_, v) => (sourceNames.length - 4 * v <= 2 ? 'vec2f' : 'vec4f')),
    hasRoom: sourceNames.length < 4,
    loadSource: (j, at = coordinates('sources', j)) => record(at, (name) => attributeAt('sources', name, j), j),
    recordOf: (at, attribute) => record(at, attribute, 'j'),
    loadTarget: (r, at = coordinates('targets', `i_${r}`)) =>
      [
        ...at.map((text, axis) => `let ${used[axis]}i_${r} = ${text};`),
        ...body.target.map((b) => `let ${b.name}_${r} = ${wgslText(b.expr, inTarget(r))};`),
      ].join('\n'),
    pair: (r) => {
      const text = (e: Parameters<typeof wgslText>[0]) => wgslText(e, inTarget(r))
      const conditions = [
        ...(within ? [within(r)] : []),
        ...(body.keep ? [text(body.keep)] : []),
        ...(body.skipSelf ? [self(r)] : []),
        ...(exclusions ? [order === 'any' ? `!listed(j, i_${r})` : `!excluded(j, i_${r}, &cursor_${r})`] : []),
      ]
      const all = conditions.length > 1 ? `(${conditions.join(' && ')})` : conditions[0]
      // A fold may read it several times, and a search in a list has a loop.
      const [keep, kept] = exclusions ? ['counts', [`let counts = ${all};`]] : [all, []]
      return [
        ...pairFolds.map((fold) => `let ${fold.name} = ${ofBothAt(fold, r)};`),
        ...body.reads.flatMap(({ before, place, numbers }, n) => [
          ...before.map((b) => `let ${b.name} = ${text(b.expr)};`),
          `let place${n} = u32(${text(place)});`,
          ...numbers.map(
            ({ name, offset }) => `let ${name} = ${arrayName(tableNumbers)}[${plus(`place${n}`, offset)}];`,
          ),
        ]),
        ...body.loop.map((b) => `let ${b.name} = ${text(b.expr)};`),
        ...kept,
        fold.pair(r, {
          terms: body.terms.map(text),
          along: body.form === 'radial' ? used.map((a) => `d${a}`) : undefined,
          keep,
          source: 'j',
        }),
      ].join('\n')
    },
    needsIndex,
    ofBoth: pairFolds.map((fold) => ({ fold, length: lengthOf(fold) })),
    scale: (r) => (body.scale ? scaleText(body, inTarget(r)) : undefined),
  }
}

/** The most vectors of one function that belong to a target, and to a source. */
export function vectorCounts(ofBoth: PairTexts['ofBoth']): VectorCounts {
  const most = (suffix: string) =>
    Math.max(...ofBoth.map(({ fold }) => fold.vectors.filter((name) => name.endsWith(suffix)).length))
  return [most('_i'), most('_j')]
}

/** Bytes of a source in workgroup memory. */
export const sourceBytes = ({ record }: Pick<PairTexts, 'record'>): number =>
  record.reduce((sum, type) => sum + (type === 'vec2f' ? 8 : 16), 0)

/** The array of all tables. */
export const tableNumbers = 'tables.numbers'

/** The name of vector `v` of a source. */
export const vector = (name: string, v: number): string => (v === 0 ? name : `${name}${v}`)

function scaleText(body: PairBody, symbolText: (name: string) => string): string | undefined {
  return body.scale && `(${wgslText(body.scale, symbolText)})`
}

/** Tests whether a source is excluded for a target. The cursor moves through the target's ascending list with the sources. */
export const excludedFunction = `
fn excluded(j: u32, i: u32, cursor: ptr<function, u32>) -> bool {
  let end = exclusions_offsets[i + 1u];
  while (*cursor < end && exclusions_sources[*cursor] < j) { (*cursor)++; }
  return *cursor < end && exclusions_sources[*cursor] == j;
}
`

/** The same for sources in any order, by binary search. */
export const listedFunction = `
fn listed(j: u32, i: u32) -> bool {
  var first = exclusions_offsets[i];
  let end = exclusions_offsets[i + 1u];
  var last = end;
  while (first < last) {
    let middle = (first + last) / 2u;
    if (exclusions_sources[middle] < j) { first = middle + 1u; } else { last = middle; }
  }
  return first < end && exclusions_sources[first] == j;
}
`
