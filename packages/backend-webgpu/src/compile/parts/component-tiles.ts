/**
 * The numbers of the pairs of a tile that are functions of vectors of both points, as WGSL. A workgroup loads a few components of its
 * targets and of the sources of the tile into workgroup memory. Then each invocation meets its targets with its sources in registers,
 * as in a product of matrices, so that a number that it loads takes part in several pairs.
 *
 * An invocation has the numbers of its target `r` and its source `c` in variables such as `fold0_r_c`.
 *
 * @source V. Volkov and J. W. Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, SC (2008)
 * @module
 */
import { componentStride, componentsAtOnce, type TileSizes } from '../../design/component-tile.ts'
import { arrayName } from '../../design/shader.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { componentCall, givenComponent } from './fold-functions.ts'
import { type BothFold, type PairTexts, tableNumbers, vectorCounts } from './pair-texts.ts'

export interface ComponentTiles {
  readonly memory: readonly string[]
  /** Computes the numbers of the tile. It ends and begins where all invocations of the workgroup may meet. */
  readonly numbers: readonly string[]
}

interface OwnPlace {
  readonly member: string
  readonly slice: string
  readonly meets: string
}

/** One side of a tile. */
interface Side {
  readonly name: 'target' | 'source'
  readonly suffix: '_i' | '_j'
  /** Invocations with other points, which of them this one is, and how many points it has. */
  readonly invocations: number
  readonly member: string
  readonly each: number
  /** The index of point `n` of a four of points, which lie together in workgroup memory. */
  readonly index: (four: string, n: number) => string
}

/**
 * @param texts of pairs whose functions of vectors are variables
 * @param indices of point `n` of four targets, and of four sources: `member` has the fours `member`, `member + members` and so on
 * @param own the place of this invocation among those with other targets, and among those with other sources, and whether it has pairs
 */
export function componentTiles(
  texts: Pick<PairTexts, 'ofBoth' | 'arrayOfVector'>,
  sizes: TileSizes,
  indices: { readonly target: Side['index']; readonly source: Side['index'] },
  own: OwnPlace = { member: 'member', slice: 'slice', meets: 'true' },
): ComponentTiles {
  const { members, slices, targets, sources } = sizes
  const sides: readonly Side[] = [
    { name: 'target', suffix: '_i', invocations: members, member: own.member, each: targets, index: indices.target },
    { name: 'source', suffix: '_j', invocations: slices, member: own.slice, each: sources, index: indices.source },
  ]
  const counts = vectorCounts(texts.ofBoth)
  const atOnce = componentsAtOnce(sizes, counts)
  const length = (side: Side) => atOnce * componentStride(side.invocations, side.each)
  return {
    memory: sides.flatMap((side, s) =>
      range(counts[s] ?? 0).map((n) => `var<workgroup> ${side.name}s${n}: array<vec4f, ${length(side)}>;`),
    ),
    numbers: texts.ofBoth.map((one) => foldOfTile(one, texts, sizes, sides, Math.min(one.length, atOnce), own.meets)),
  }
}

/** The place of point `n` of a four of points, where those of an invocation are as far apart as there are invocations. */
export const stridedPlace = (invocations: number, four: string, n: number): string =>
  `(${four} / ${invocations}u * 4u + ${n}u) * ${invocations}u + ${four} % ${invocations}u`

const vectorsOf = (vectors: readonly string[], suffix: Side['suffix']): readonly string[] =>
  vectors.filter((name) => name.endsWith(suffix))

/** A vector in workgroup memory: the name of its array, and of the four numbers that this invocation has loaded ahead. */
interface Staged {
  readonly side: Side
  readonly vector: string
  readonly array: string
  readonly ahead: string
}

function foldOfTile(
  { fold, length }: BothFold,
  { arrayOfVector }: Pick<PairTexts, 'arrayOfVector'>,
  sizes: TileSizes,
  sides: readonly Side[],
  atOnce: number,
  meets: string,
): string {
  const staged = sides.flatMap((side) =>
    vectorsOf(fold.vectors, side.suffix).map((vector, n): Staged => {
      return { side, vector, array: `${side.name}s${n}`, ahead: `ahead_${side.name}${n}` }
    }),
  )
  const load = (declaration: string, begin: string) => [
    `${declaration}next = min(${begin} + lane % ${atOnce}u, ${length - 1}u);`,
    ...staged.map(({ side: { name }, vector, ahead }) => {
      const numbers = ['x', 'y', 'z', 'w'].map((axis) => `${arrayOfVector(vector)}[rows_${name}.${axis} + next]`)
      return `${declaration}${ahead} = vec4f(${numbers.join(', ')});`
    }),
  ]
  const component = componentOfPairs(fold, staged, sizes)
  const meet = (count: number, more: readonly string[]) => wgsl`
workgroupBarrier();
${staged.map(({ side, array, ahead }) => `if (loads_${side.name}) { ${array}[at_${side.name}] = ${ahead}; }`)}
workgroupBarrier();
${more}
if (${meets}) {
  for (var k = 0u; k < ${count}u; k++) {
    ${component}
  }
}`
  const rest = length % atOnce
  const meetRest = rest > 0 ? meet(rest, []) : ''
  return wgsl`
${numbersOf(fold, sizes).map(({ number }) => `var ${number} = 0.0;`)}
{
  ${sides.map((side) => placesOf(side, length, atOnce))}
  var begin = 0u;
  ${load('var ', 'begin')}
  for (; begin < ${length - rest}u; begin += ${atOnce}u) {
    ${meet(atOnce, load('', `begin + ${atOnce}u`))}
  }
  ${meetRest}
}`
}

/** Four points of a side with a component that this invocation loads, and where these numbers go. */
function placesOf({ name, invocations, each, index }: Side, length: number, atOnce: number): string {
  const points = range(4).map((n) => index(`of_${name}`, n))
  return wgsl`
let of_${name} = lane / ${atOnce}u;
let loads_${name} = of_${name} < ${(invocations * each) / 4}u;
let rows_${name} = vec4u(${points.join(', ')}) * ${length}u;
let at_${name} = lane % ${atOnce}u * ${componentStride(invocations, each)}u + of_${name};`
}

/** The numbers of an invocation: of its target `r` and its source `c`. */
const numbersOf = ({ name }: BothFold['fold'], { targets, sources }: TileSizes) =>
  range(targets).flatMap((r) => range(sources).map((c) => ({ r, c, number: `${name}_${r}_${c}` })))

/** Adds component `k` of the tile to all numbers of an invocation. */
function componentOfPairs(fold: BothFold['fold'], staged: readonly Staged[], sizes: TileSizes): readonly string[] {
  const fours = staged.flatMap(({ side: { invocations, each, member }, array, vector }) =>
    range(each / 4).map((q) => {
      const place = plus(`k * ${componentStride(invocations, each)}u + ${member}`, q * invocations)
      return `let ${vector}${q} = ${array}[${place}];`
    }),
  )
  const given = fold.parameters.map(
    ({ name }) => `let ${name} = ${givenComponent(fold, name, 'begin + k', arrayName(tableNumbers))};`,
  )
  const adds = numbersOf(fold, sizes).map(({ r, c, number }) => {
    const numberOf = (name: string) => {
      if (!fold.vectors.includes(name)) return name
      const n = name.endsWith('_i') ? r : c
      return `${name}${n >> 2}.${'xyzw'[n % 4]}`
    }
    return `${number} += ${componentCall(fold, numberOf)};`
  })
  return [...fours, ...given, ...adds]
}
