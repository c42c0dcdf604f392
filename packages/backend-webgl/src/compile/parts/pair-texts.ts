/**
 * The parts of a pair loop as GLSL: loading a target, loading a source, and the condition for pairs that count. The loops are
 * in other files; core schedules the formulas.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { axesOf } from '@manybody/core/backend'
import type { Binding, Expr, Fold } from '@manybody/core/expression'
import { type PairBody, pairBody } from '@manybody/core/expression'
import { counted, packCounts } from '../../design/counts.ts'
import { lane, pagesFor } from '../../design/layout.ts'
import type { PassSource } from '../../design/pass.ts'
import { number } from '../../design/reads.ts'
import type { TermTexts } from '../folds/fold.ts'
import { lines, tidy } from '../glsl/code-text.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { glslOf, typeOf } from '../glsl/operators.ts'
import { type FoldPlaces, foldText } from './fold-texts.ts'

/** The body of a workload for one shape of points, and the GLSL that all loops over its pairs share. */
export interface PairTexts extends TermTexts {
  readonly dialect: Dialect
  readonly body: PairBody
  readonly shape: PairPoints
  /** The arrays that the loop and the packing of sources read besides positions, in the order of their textures. */
  readonly arrays: Readonly<Record<'targets' | 'sources', readonly string[]>>
  /** Numbers that can change with every run, as uniforms `user_p0, user_p1, ...`. */
  readonly numbers: readonly string[]
  /** The texture of all tables, if the loop reads one. */
  readonly tableTextures: readonly string[]
  /** Textures of the targets: `targetPosition`, then one per attribute; then those of the sources whose vectors meet theirs. */
  readonly pointTextures: readonly string[]
  readonly loadNumbers: string
  readonly loadTarget: string
  /** Code that prepares reads from row `row` of the sources. */
  readonly loadRow: string
  /** Variables for the texels of a source: `page0, page1, ...`. */
  readonly pages: readonly string[]
  /** Declares those variables for the source in a column of the row. `after` is appended to their names. */
  fetchSource(column: string, after?: string): string
  /** Code that declares the numbers of a source from its pages. */
  readonly unpackSource: string
  readonly bindLoop: string
  /** The condition for pairs that count; undefined if every pair counts. */
  readonly keep: string | undefined
}

/** The facts about the points that the texts depend on. */
export type PairPoints = Pick<Shape, 'dimension' | 'sameSet' | 'split' | 'scaled' | 'vectors' | 'lengths'>

/** The axes of positions. A law of vectors may need none. */
const axesIn = ({ dimension, lengths, vectors }: PairPoints) =>
  lengths && !vectors.includes('position') ? [] : axesOf(dimension)

export function pairTexts(workload: PairWorkload, shape: PairPoints, guard: Guard, dialect: Dialect): PairTexts {
  const { dimension } = shape
  const body = pairBody(workload, shape, { guard })
  const { targets } = body.attributes
  const arrays = arraysIn(body)
  const pairFolds = body.folds.filter(({ side }) => !side)
  const met = vectorsIn(pairFolds, 'j')
  const write = writerFor(namesIn(body))
  const radial = body.form === 'radial'
  const [coefficient] = body.terms
  const used = axesIn(shape)
  const lanes = lanesOf(body, shape)
  const pages = Array.from({ length: pagesFor(lanes.length) }, (_, page) => `page${page}`)
  const places = placesIn(arrays, shape, dialect)
  const conditions = [
    ...(body.skipSelf ? ['j != target'] : []),
    ...(workload.domain.exclusions.length ? ['!excluded'] : []),
    ...(body.keep ? [write(body.keep)] : []),
  ]
  return {
    dialect,
    body,
    shape,
    arrays,
    numbers: body.run.map((b) => b.name),
    tableTextures:
      body.reads.length > 0 || readsGiven(body.folds.filter(({ side }) => side !== 'source')) ? ['tables'] : [],
    pointTextures: [
      ...(used.length > 0 ? ['targetPosition'] : []),
      ...arrays.targets.map((_, n) => `targetAttribute${n}`),
      ...met.map((name) => textureIn(arrays, `${name}_j`)),
    ],
    loadNumbers: lines(loadNumbers(body.run.map((b) => b.name))),
    loadTarget: lines([
      ...used.map((a, k) => `float ${a}i = ${number('targetPosition', `${dimension} * target + ${k}`)};`),
      ...targets.map((_, n) => `float ofTarget${n} = ${number(`targetAttribute${n}`, 'target')};`),
      ...foldsOf(body, 'target').map((fold) => foldText(fold, places)),
      ...body.target.map((b) => bind(b, write)),
    ]),
    loadRow: lines(dialect.sourceRow),
    pages,
    fetchSource: (column, after = '') =>
      lines(
        pages.map((name, page) => {
          const at = page === 0 ? column : `${256 * page} + ${column}`
          return `vec4 ${name}${after} = ${dialect.source(at)};`
        }),
      ),
    unpackSource: lines(lanes.map((name, n) => `float ${name} = ${pages[n >> 2]}.${lane(n)};`)),
    bindLoop: lines([
      ...pairFolds.map((fold) => foldText(fold, places)),
      ...body.reads.flatMap(({ before, place, numbers }, n) => [
        ...before.map((b) => bind(b, write)),
        `int place${n} = int(${write(place)} + 0.5);`,
        ...numbers.map(({ name, offset }) => `float ${name} = ${number('tables', `place${n} + ${offset}`)};`),
      ]),
      ...body.loop.map((b) => bind(b, write)),
      ...(radial && coefficient ? [`float coefficient = ${write(coefficient)};`] : []),
    ]),
    keep: conditions.length ? conditions.join(' && ') : undefined,
    terms: radial ? used.map((a) => `coefficient * d${a}`) : body.terms.map(write),
    scale: body.scale && write(body.scale),
  }
}

/**
 * The pass that computes coordinates and bindings once per source, into pages of four lanes that every target reads. It also
 * fills the rest of the last row, which no target reads, so its text is the same for any number of sources.
 */
export function packSources({ body, shape, arrays, numbers, dialect }: PairTexts, sources: number): PassSource {
  const { sources: attributes } = body.attributes
  const lanes = lanesOf(body, shape)
  const used = axesIn(shape)
  const folds = foldsOf(body, 'source')
  const textures = [
    ...(used.length > 0 ? ['sourcePosition'] : []),
    ...attributes.map((_, n) => `sourceAttribute${n}`),
    ...vectorsIn(folds, 'j').map((name) => textureIn(arrays, `${name}_j`)),
    ...(readsGiven(folds) ? ['tables'] : []),
  ]
  const places = placesIn(arrays, shape, dialect)
  const pass = {
    name: 'packSources',
    glsl: tidy(`
vec4 packSources() {
  int page = rowOf(int(gl_FragCoord.x));
  int source = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  ${lines([
    ...loadNumbers(numbers),
    ...used.map((a, k) => `float ${a}j = ${number('sourcePosition', `${shape.dimension} * source + ${k}`)};`),
    ...attributes.map((_, n) => `float ofSource${n} = ${number(`sourceAttribute${n}`, 'source')};`),
    ...folds.map((fold) => foldText(fold, { ...places, pointOf: { i: '', j: 'source' } })),
    ...body.source.map((b) => bind(b, writerFor(namesIn(body)))),
  ])}
  ${pickPage(lanes)}
}`),
    textures,
    numbers,
  }
  return counted(pass, packCounts(pagesFor(lanes.length), sources))
}

/** Code that returns page `page` of these values, four to a page. */
export function pickPage(values: readonly string[]): string {
  const pages = pagesOf(values)
  const last = pages.length - 1
  return lines(pages.map((page, n) => (n === last ? `return ${page};` : `if (page == ${n}) return ${page};`)))
}

/** These values as texels, four to a page. */
export function pagesOf(values: readonly string[]): readonly string[] {
  return Array.from({ length: pagesFor(values.length) }, (_, page) => {
    const four = [...values.slice(4 * page, 4 * page + 4), '0.0', '0.0', '0.0', '0.0'].slice(0, 4)
    return `vec4(${four.join(', ')})`
  })
}

/** Copies the numbers of a run to variables: software rasterisers check every load of a uniform. */
export const loadNumbers = (names: readonly string[]): readonly string[] =>
  names.map((name) => `float ${name} = user_${name};`)

/** Attributes get numbered names, because names chosen by the caller may be reserved in GLSL. */
export const namesIn = ({ attributes: { targets, sources } }: PairBody): ReadonlyMap<string, string> =>
  new Map([
    ...targets.map((name, n) => [`${name}_i`, `ofTarget${n}`] as const),
    ...sources.map((name, n) => [`${name}_j`, `ofSource${n}`] as const),
  ])

/** Writes expressions, with these symbols renamed. */
export const writerFor =
  (names: ReadonlyMap<string, string>) =>
  (e: Expr): string =>
    glslOf(e, (name) => names.get(name) ?? name)

export const bind = ({ name, expr }: Binding, write: (e: Expr) => string): string =>
  `${typeOf(expr)} ${name} = ${write(expr)};`

/** The folds over vectors of one side. */
const foldsOf = (body: PairBody, side: Fold['side']) => body.folds.filter((fold) => fold.side === side)

/** Whether folds read vectors among the parameters. */
const readsGiven = (folds: readonly Fold[]) => folds.some(({ parameters }) => parameters.length > 0)

/** The attributes with the vectors of one side that folds read. */
const vectorsIn = (folds: readonly Fold[], suffix: 'i' | 'j'): readonly string[] => [
  ...new Set(
    folds.flatMap(({ vectors }) => vectors.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -2))),
  ),
]

const arraysIn = ({ attributes, folds }: PairBody): PairTexts['arrays'] => ({
  targets: [...attributes.targets, ...vectorsIn(folds, 'i')],
  sources: [...attributes.sources, ...vectorsIn(folds, 'j')],
})

/** The texture of a vector, such as `x_i`. */
function textureIn({ targets, sources }: PairTexts['arrays'], vector: string): string {
  const name = vector.slice(0, -2)
  return vector.endsWith('_i') ? `targetAttribute${targets.indexOf(name)}` : `sourceAttribute${sources.indexOf(name)}`
}

const placesIn = (arrays: PairTexts['arrays'], { lengths = {} }: PairPoints, dialect: Dialect): FoldPlaces => ({
  ...{ dialect, lengths, pointOf: { i: 'target', j: 'j' } },
  textureOf: (vector) => textureIn(arrays, vector),
})

function lanesOf(body: PairBody, shape: PairPoints): readonly string[] {
  return [...axesIn(shape).map((a) => `${a}j`), ...body.source.map((b) => b.name)]
}
