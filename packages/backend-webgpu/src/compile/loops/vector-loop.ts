/**
 * The loop of a sum that is a vector of any length, in WGSL. A workgroup has some targets and some components. It computes the numbers of
 * each pair of a tile once, into workgroup memory. Then each invocation multiplies them into its own targets and components, which
 * it keeps in registers.
 *
 * @module
 */
import { componentBytes, type TileSizes } from '../../design/component-tile.ts'
import type { VectorSizes } from '../../design/design.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import type { ComponentTexts } from '../parts/component-texts.ts'
import { componentTiles } from '../parts/component-tiles.ts'
import { listedFunction, type PairTexts, sourceBytes, vectorCounts } from '../parts/pair-texts.ts'
import { declare, pairs } from '../parts/source-texts.ts'
import { shader } from '../wgsl/shader.ts'

/** Fields of the uniform block before the bindings of the run. */
const vectorFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: 'targets [targetFirst, targetFirst + targetCount)' },
  { name: 'targetCount', type: 'u32' },
  { name: 'sourceFirst', type: 'u32', note: 'sources [sourceFirst, sourceLast)' },
  { name: 'sourceLast', type: 'u32' },
  { name: 'chunk', type: 'u32', note: 'number of sources of one workgroup' },
  { name: 'parts', type: 'u32', note: 'number of parts into which the grid splits the sources' },
  { name: 'carry', type: 'u32', note: '1 if the results contain earlier ones to continue from' },
]

/** Number `n` of the pair of target `r` and the source in scope, and whether that pair counts. */
const ofPair = (n: number, r: number): string => `number${n}_${r}`
const kept = (r: number): string => `kept_${r}`

/** The texts of pairs: the fold keeps the numbers, and functions of vectors are in variables. */
export const ofTile = {
  fold: {
    indexed: true,
    pair: (
      r: number,
      { terms, keep }: { readonly terms: readonly string[]; readonly keep: string | undefined },
    ): string =>
      [
        ...terms.map((term, n) => `${ofPair(n, r)} = ${term};`),
        ...(keep ? [`${kept(r)} = select(0u, 1u, ${keep});`] : []),
      ].join('\n'),
  },
  foldValue: (name: string, r: number): string => `${name}_${r}`,
}

export interface VectorTexts {
  readonly texts: PairTexts
  readonly component: ComponentTexts
  /** How many numbers of a pair a component reads. */
  readonly numbers: number
  /** Whether some pairs do not count. */
  readonly some: boolean
  readonly exclusions: boolean
  /** The number of components. */
  readonly length: number
  /** The key of the result. */
  readonly result: string
}

/** The tile of pairs: an invocation has four targets side by side, and four sources. */
const tileOf = ({ ofGroup, sources }: Pick<VectorSizes, 'ofGroup' | 'sources'>): TileSizes => ({
  ...{ members: ofGroup / four, slices: sources / four },
  ...{ targets: four, sources: four },
})

/** Targets and sources of an invocation that computes numbers of pairs. */
export const four = 4

/** Bytes of workgroup memory. */
export function tileBytes(
  { texts, numbers, some }: Pick<VectorTexts, 'texts' | 'numbers' | 'some'>,
  sizes: Pick<VectorSizes, 'sources' | 'ofGroup'>,
): number {
  const { sources, ofGroup } = sizes
  const components = texts.ofBoth.length > 0 ? componentBytes(tileOf(sizes), vectorCounts(texts.ofBoth)) : 0
  const pairs = sources * ofGroup
  return sources * sourceBytes(texts) + components + 4 * numbers * pairs + (some ? pairs : 0)
}

export function vectorLoop(label: string, given: VectorTexts, sizes: VectorSizes, run: readonly Field[]): Shader {
  const { texts, exclusions, component, length, result } = given
  const { workgroup, lanes, components, targets, ofGroup, sources } = sizes
  const { members, slices } = tileOf(sizes)
  const { memory, numbers } = componentTiles(
    texts,
    tileOf(sizes),
    {
      target: (of, n) => `(run.targetFirst + min(firstTarget + ${plus(`${four}u * ${of}`, n)}, run.targetCount - 1u))`,
      source: (of, n) => `min(start + ${plus(of, n * slices)}, lastSource - 1u)`,
    },
    { member: 'member', slice: 'slice', meets: 'computes' },
  )
  const stage = texts.loadSource('j').map((parts, v) => `tile${v}[lane] = ${texts.record[v]}(${parts});`)
  const { components: own, load, zero, open, add, close, write } = sumsOf(given, sizes)
  const functions = [exclusions ? listedFunction : '', component.functions, writeFunction(length, result)]
  const body = wgsl`
${texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${sources}>;`)}
${memory}
${numbersMemory(given, sizes)}
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.y % run.parts;
  let firstSource = run.sourceFirst + part * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let firstTarget = (group.x + group.z * groups.x) * ${ofGroup}u;
  // The targets and sources of this invocation when it computes numbers of pairs.
  let member = lane % ${members}u;
  let slice = lane / ${members}u;
  let computes = slice < ${slices}u && firstTarget + ${four}u * member < run.targetCount;
  ${range(four).map(
    (r) => wgsl`
let i_${r} = run.targetFirst + min(firstTarget + ${plus(`${four}u * member`, r)}, run.targetCount - 1u);
${texts.loadTarget(r)}`,
  )}
  // Its targets and components when it adds up. Neighbours have neighbouring components.
  let ofLane = lane / ${lanes}u * ${targets}u;
  let first = firstTarget + ofLane;
  let adds = lane < ${lanes * (ofGroup / targets)}u && first < run.targetCount;
  let firstComponent = group.y / run.parts * ${lanes * components}u + lane % ${lanes}u;
  ${own}
  ${load}
  ${zero}
  for (var start = firstSource; start < lastSource; start += ${sources}u) {
    let count = min(${sources}u, lastSource - start);
    if (lane < count) {
      let j = start + lane;
      ${stage}
    }
    ${numbers}
    workgroupBarrier();
    if (computes) {
      ${range(four).map((c) => pairsOfSource(given, c, slices, members))}
    }
    workgroupBarrier();
    if (adds) {
      ${open}
      for (var at = 0u; at < count; at++) {
        ${add}
      }
      ${close}
    }
  }
  if (adds) {
    ${write}
  }
}
`
  const results: readonly Resource[] = [partial('read_write'), resultOf(result)]
  const resources = [...texts.resources, ...results]
  const fields = [...vectorFields, ...run]
  return shader({ label, resources, fields, workgroup, memory: tileBytes(given, sizes) }, body, texts.functions)
}

/** Computes the numbers of source `c` of an invocation with its four targets. */
function pairsOfSource({ texts, numbers, some }: VectorTexts, c: number, slices: number, members: number): string {
  const targets = range(four)
  const together = (type: string, name: (r: number) => string) => `${type}(${targets.map(name).join(', ')})`
  const shifted = targets.map((r) => `(${kept(r)} << ${r}u)`).join(' | ')
  const bits = some
    ? { open: targets.map((r) => `var ${kept(r)} = 0u;`), close: `kept[at * ${members}u + member] = ${shifted};` }
    : { open: [], close: '' }
  return wgsl`{
  let at = ${plus('slice', c * slices)};
  let j = min(start + at, lastSource - 1u);
  ${declare(
    'source',
    texts.record.map((_, v) => `tile${v}[at]`),
  )}
  ${texts.ofBoth.flatMap(({ fold: { name } }) =>
    targets.map((r) => `let ${ofTile.foldValue(name, r)} = ${name}_${r}_${c};`),
  )}
  ${range(numbers).flatMap((n) => targets.map((r) => `var ${ofPair(n, r)} = 0.0;`))}
  ${bits.open}
  ${pairs(texts, targets)}
  ${range(numbers).map((n) => `numbers${n}[at * ${members}u + member] = ${together('vec4f', (r) => ofPair(n, r))};`)}
  ${bits.close}
}`
}

/** Writes a sum to its place in the results, or among the parts. */
function writeFunction(length: number, result: string): string {
  const out = arrayName(`result.${result}`)
  return wgsl`
fn write(at: u32, k: u32, part: u32, sum: f32) {
  if (at >= run.targetCount || k >= ${length}u) { return; }
  let place = at * ${length}u + k;
  if (run.parts > 1u) {
    partial[part * run.targetCount * ${length}u + place] = sum;
  } else {
    ${out}[place] = select(0.0, ${out}[place], run.carry == 1u) + sum;
  }
}
`
}

const partial = (access: Resource['access']): Resource => ({ key: 'partial', access, type: 'f32' })
const resultOf = (name: string): Resource => ({ key: `result.${name}`, access: 'read_write', type: 'f32' })

/** The numbers of the pairs of a tile for each source, of four targets at once, and a bit for each pair that counts. */
function numbersMemory({ numbers, some }: VectorTexts, sizes: VectorSizes): readonly string[] {
  const fours = (sizes.sources * sizes.ofGroup) / four
  return [
    ...range(numbers).map((n) => `var<workgroup> numbers${n}: array<vec4f, ${fours}>;`),
    ...(some ? [`var<workgroup> kept: array<u32, ${fours}>;`] : []),
  ]
}

/** The sums of an invocation, for each of its targets and components. */
function sumsOf(
  { component, numbers, some, length }: VectorTexts,
  { lanes, components, targets, ofGroup }: VectorSizes,
): Readonly<Record<'components' | 'load' | 'zero' | 'open' | 'add' | 'close' | 'write', readonly string[]>> {
  const [ownTargets, ownComponents] = [range(targets), range(components)]
  const each = (text: (r: number, c: number) => string) =>
    ownTargets.flatMap((r) => ownComponents.map((c) => text(r, c)))
  const inputs = (r: number, c: number) => [
    ...component.target.map((_, n) => `target${n}_${r}_${c}`),
    ...component.source.map((_, n) => `source${n}_${c}`),
    ...component.run.map((_, n) => `given${n}_${c}`),
  ]
  const indices = ownTargets.map(
    (r) => `let own_${r} = run.targetFirst + min(${plus('first', r)}, run.targetCount - 1u);`,
  )
  // An invocation with fewer than four targets reads single numbers.
  const whole = targets % four === 0
  const fours = range(Math.ceil(targets / four))
  const arrays = [...(whole ? range(numbers).map((n) => `numbers${n}`) : []), ...(some ? ['kept'] : [])]
  const loads = arrays.flatMap((name) => fours.map((q) => `let ${name}_${q} = ${name}[${plus('place', q)}];`))
  const numberOf = (n: number, r: number) =>
    whole ? `numbers${n}_${r >> 2}.${'xyzw'[r % four]}` : `numbers${n}[place][${plus('within', r)}]`
  const bit = (r: number) => (whole ? `${2 ** (r % four)}u` : `(1u << (${plus('within', r)}))`)
  const begin = (r: number) => (some ? `if ((kept_${r >> 2} & ${bit(r)}) != 0u) {` : '{')
  const addPair = (r: number) => wgsl`${begin(r)}
  ${range(numbers).map((n) => `let pair${n} = ${numberOf(n, r)};`)}
  ${ownComponents.map(
    (c) =>
      `sum_${r}_${c} += ${component.value(
        range(numbers).map((n) => `pair${n}`),
        inputs(r, c),
      )};`,
  )}
}`
  return {
    components: [
      ...ownComponents.map((c) => `let k_${c} = ${plus('firstComponent', c * lanes)};`),
      ...ownComponents.map((c) => `let at_${c} = min(k_${c}, ${length - 1}u);`),
      ...(targets < four ? [`let within = ofLane % ${four}u;`] : []),
    ],
    load: [
      ...(component.target.length > 0 ? indices : []),
      ...component.target.flatMap((of, n) =>
        each((r, c) => `let target${n}_${r}_${c} = ${of(`at_${c}`, `own_${r}`)};`),
      ),
      ...component.run.flatMap((of, n) => ownComponents.map((c) => `let given${n}_${c} = ${of(`at_${c}`)};`)),
    ],
    zero: each((r, c) => `var total_${r}_${c} = 0.0;`),
    open: each((r, c) => `var sum_${r}_${c} = 0.0;`),
    add: [
      `let place = at * ${ofGroup / four}u + ofLane / ${four}u;`,
      ...loads,
      ...component.source.flatMap((of, n) =>
        ownComponents.map((c) => `let source${n}_${c} = ${of(`at_${c}`, 'start + at')};`),
      ),
      ...ownTargets.map(addPair),
    ],
    close: each((r, c) => `total_${r}_${c} += sum_${r}_${c};`),
    write: each((r, c) => `write(${plus('first', r)}, k_${c}, part, total_${r}_${c});`),
  }
}

/** Invocations of a workgroup that adds up parts. */
const addingWorkgroup = 64

/** Adds up the sums of the parts of all sources. */
export function addParts(label: string, length: number, result: string): Shader {
  const out = arrayName(`result.${result}`)
  return shader(
    {
      label,
      resources: [partial('read'), resultOf(result)],
      fields: vectorFields,
      workgroup: addingWorkgroup,
    },
    wgsl`
@compute @workgroup_size(${addingWorkgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = (group.x + group.z * groups.x) * ${addingWorkgroup}u + lane;
  let all = run.targetCount * ${length}u;
  if (place >= all) { return; }
  var sum = select(0.0, ${out}[place], run.carry == 1u);
  for (var part = 0u; part < run.parts; part++) { sum += partial[part * all + place]; }
  ${out}[place] = sum;
}
`,
  )
}
