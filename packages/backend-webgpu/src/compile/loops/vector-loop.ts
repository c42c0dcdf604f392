/**
 * The loop of a sum that is a vector of any length, in WGSL. A workgroup has some targets and some components. It computes the numbers of
 * each pair of a tile once, into workgroup memory. Then each invocation multiplies them into its own targets and components, which
 * it keeps in registers.
 *
 * @module
 */
import type { VectorSizes } from '../../design/design.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import type { ComponentTexts } from '../parts/component-texts.ts'
import { listedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { declare } from '../parts/source-texts.ts'
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

/** The numbers of a pair at a place of the tile, and whether it counts. */
const numberAt = (n: number, place: string): string => `numbers${n}[${place}]`

/** The fold of a pair: it keeps the numbers, and whether the pair counts. */
export const vectorFold = {
  indexed: true,
  pair: (
    _r: number,
    { terms, keep }: { readonly terms: readonly string[]; readonly keep: string | undefined },
  ): string =>
    [
      ...terms.map((term, n) => `${numberAt(n, 'place')} = ${term};`),
      ...(keep ? [`kept[place] = select(0u, 1u, ${keep});`] : []),
    ].join('\n'),
}

export interface VectorTexts {
  readonly texts: PairTexts
  readonly component: ComponentTexts
  /** How many numbers a pair has. */
  readonly numbers: number
  /** Whether some pairs do not count. */
  readonly some: boolean
  readonly exclusions: boolean
  /** The number of components. */
  readonly length: number
  /** The key of the result. */
  readonly result: string
}

/** Bytes of workgroup memory of a tile, as WebGPU counts them: each array in whole units of 16. */
export function tileBytes(
  { texts, numbers, some }: Pick<VectorTexts, 'texts' | 'numbers' | 'some'>,
  { sources, ofGroup }: Pick<VectorSizes, 'sources' | 'ofGroup'>,
): number {
  const counted = (bytes: number) => 16 * Math.ceil(bytes / 16)
  const staged = texts.record.reduce((sum, type) => sum + counted(sources * (type === 'vec2f' ? 8 : 16)), 0)
  return staged + (numbers + (some ? 1 : 0)) * counted(4 * sources * ofGroup)
}

export function vectorLoop(label: string, given: VectorTexts, sizes: VectorSizes, run: readonly Field[]): Shader {
  const { texts, exclusions, component, length, result } = given
  const { workgroup, lanes, components, targets, ofGroup, sources } = sizes
  const sourcesAtOnce = Math.floor(workgroup / ofGroup)
  const stage = texts.loadSource('j').map((parts, v) => `tile${v}[lane] = ${texts.record[v]}(${parts});`)
  const staged = declare(
    'source',
    texts.record.map((_, v) => `tile${v}[at]`),
  )
  const { components: own, load, zero, open, add, close, write } = sumsOf(given, sizes)
  const functions = [exclusions ? listedFunction : '', component.functions, writeFunction(length, result)]
  const body = wgsl`
${memoryOf(given, sizes)}
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
  // The target of this invocation when it computes numbers of pairs.
  let member = lane % ${ofGroup}u;
  let i_0 = run.targetFirst + min(firstTarget + member, run.targetCount - 1u);
  ${texts.loadTarget(0)}
  let computes = lane < ${sourcesAtOnce * ofGroup}u && firstTarget + member < run.targetCount;
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
    workgroupBarrier();
    if (computes) {
      for (var at = lane / ${ofGroup}u; at < count; at += ${sourcesAtOnce}u) {
        let j = start + at;
        let place = at * ${ofGroup}u + member;
        ${staged}
        ${texts.pair(0)}
      }
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

/** The arrays of a tile: its sources, the numbers of each pair, and whether the pair counts. */
function memoryOf({ texts, numbers, some }: VectorTexts, { sources, ofGroup }: VectorSizes): readonly string[] {
  const pairs = sources * ofGroup
  return [
    ...texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${sources}>;`),
    ...range(numbers).map((n) => `var<workgroup> numbers${n}: array<f32, ${pairs}>;`),
    ...(some ? [`var<workgroup> kept: array<u32, ${pairs}>;`] : []),
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
  const ofPair = (r: number) => {
    const values = range(numbers).map((n) => `pair${n}`)
    const place = plus('place', r)
    const open = some ? `if (kept[${place}] != 0u) {` : '{'
    return wgsl`${open}
  ${values.map((name, n) => `let ${name} = ${numberAt(n, place)};`)}
  ${ownComponents.map((c) => `sum_${r}_${c} += ${component.value(values, inputs(r, c))};`)}
}`
  }
  return {
    components: [
      ...ownComponents.map((c) => `let k_${c} = ${plus('firstComponent', c * lanes)};`),
      ...ownComponents.map((c) => `let at_${c} = min(k_${c}, ${length - 1}u);`),
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
      `let place = at * ${ofGroup}u + ofLane;`,
      ...component.source.flatMap((of, n) =>
        ownComponents.map((c) => `let source${n}_${c} = ${of(`at_${c}`, 'start + at')};`),
      ),
      ...ownTargets.map(ofPair),
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
