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
import { componentStride, componentsAtOnce, type TileSizes, type VectorCounts } from '../../design/component-tile.ts'
import { arrayName } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { componentCall, givenComponent } from './fold-functions.ts'
import { type BothFold, type PairTexts, tableNumbers } from './pair-texts.ts'

/** The most vectors of one function that belong to a target, and to a source. */
export function vectorCounts(ofBoth: PairTexts['ofBoth']): VectorCounts {
  const most = (suffix: Side['suffix']) => Math.max(...ofBoth.map(({ fold }) => vectorsOf(fold.vectors, suffix).length))
  return [most('_i'), most('_j')]
}

export interface ComponentTiles {
  readonly memory: readonly string[]
  /** Computes the numbers of the tile. It ends and begins where all invocations of the workgroup may meet. */
  readonly numbers: readonly string[]
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
 * @param meets whether this invocation has pairs; all have by default
 */
export function componentTiles(
  texts: Pick<PairTexts, 'ofBoth' | 'arrayOfVector'>,
  sizes: TileSizes,
  indices: { readonly target: Side['index']; readonly source: Side['index'] },
  meets?: string,
): ComponentTiles {
  const { members, slices, targets, sources } = sizes
  const sides: readonly Side[] = [
    { name: 'target', suffix: '_i', invocations: members, member: 'member', each: targets, index: indices.target },
    { name: 'source', suffix: '_j', invocations: slices, member: 'slice', each: sources, index: indices.source },
  ]
  const counts = vectorCounts(texts.ofBoth)
  const atOnce = componentsAtOnce(sizes, counts)
  const length = (side: Side) => atOnce * componentStride(side.invocations, side.each)
  return {
    memory: sides.flatMap((side, s) =>
      range(counts[s] ?? 0).map((n) => `var<workgroup> ${side.name}s${n}: array<vec4f, ${length(side)}>;`),
    ),
    numbers: texts.ofBoth.map((one) => foldOfTile(one, texts, sizes, sides, Math.min(one.length, atOnce), meets)),
  }
}

const vectorsOf = (vectors: readonly string[], suffix: Side['suffix']): readonly string[] =>
  vectors.filter((name) => name.endsWith(suffix))

function foldOfTile(
  { fold, length }: BothFold,
  { arrayOfVector }: Pick<PairTexts, 'arrayOfVector'>,
  sizes: TileSizes,
  sides: readonly Side[],
  atOnce: number,
  meets: string | undefined,
): string {
  const staged = sides.flatMap((side) =>
    vectorsOf(fold.vectors, side.suffix).map((vector, n) => ({ side, vector, array: `${side.name}s${n}`, ahead: `ahead_${side.name}${n}` })),
  )
  const [own, others] = [range(sizes.targets), range(sizes.sources)]
  const pairs = own.flatMap((r) => others.map((c) => ({ r, c, number: `${fold.name}_${r}_${c}` })))
  /** The four points that an invocation loads, and where their components go. */
  const places = sides
    .filter((side) => staged.some((one) => one.side === side))
    .map(({ name, invocations, each, index }) => {
      const points = range(4).map((n) => index(`of_${name}`, n))
      return wgsl`
let of_${name} = lane / ${atOnce}u;
let loads_${name} = of_${name} < ${(invocations * each) / 4}u;
let rows_${name} = vec4u(${points.join(', ')}) * ${length}u;
let at_${name} = lane % ${atOnce}u * ${componentStride(invocations, each)}u + of_${name};`
    })
  const load = (declaration: string, first: string) => [
    `${declaration}next = min(${first} + lane % ${atOnce}u, ${length - 1}u);`,
    ...staged.map(({ side: { name }, vector, ahead }) => {
      const numbers = ['x', 'y', 'z', 'w'].map((axis) => `${arrayOfVector(vector)}[rows_${name}.${axis} + next]`)
      return `${declaration}${ahead} = vec4f(${numbers.join(', ')});`
    }),
  ]
  const meet = (count: number, more: readonly string[]) => wgsl`
workgroupBarrier();
${staged.map(({ side, array, ahead }) => `if (loads_${side.name}) { ${array}[at_${side.name}] = ${ahead}; }`)}
workgroupBarrier();
${more}
for (var k = 0u; k < ${count}u${meets ? ` && ${meets}` : ''}; k++) {
  ${staged.flatMap(({ side, array, vector }) =>
    range(side.each / 4).map(
      (q) => `let ${vector}${q} = ${array}[k * ${componentStride(side.invocations, side.each)}u + ${q * side.invocations}u + ${side.member}];`,
    ),
  )}
  ${fold.parameters.map(({ name }) => `let ${name} = ${givenComponent(fold, name, 'first + k', arrayName(tableNumbers))};`)}
  ${pairs.map(({ r, c, number }) => {
    const numberOf = (name: string) => {
      if (!fold.vectors.includes(name)) return name
      const n = name.endsWith('_i') ? r : c
      return `${name}${n >> 2}.${'xyzw'[n % 4]}`
    }
    return `${number} += ${componentCall(fold, numberOf)};`
  })}
}`
  const rest = length % atOnce
  return wgsl`
${pairs.map(({ number }) => `var ${number} = 0.0;`)}
{
  ${places}
  var first = 0u;
  ${load('var ', 'first')}
  for (; first < ${length - rest}u; first += ${atOnce}u) {
    ${meet(atOnce, load('', `first + ${atOnce}u`))}
  }
  ${rest > 0 ? meet(rest, []) : ''}
}`
}
