/**
 * Gathers sources in the order of their leaves, in WGSL: packs the numbers that a pair reads, and makes the box and the moments
 * of each leaf. It has one invocation per place, and then one per leaf.
 *
 * @module
 */
import { symbolsOf } from '@manybody/core/expression'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { emptyBox, pointBox } from '../ranges/boxes.ts'
import { nodeSetFields } from '../ranges/excluded-nodes.ts'
import { leafPoints } from '../ranges/opening-tree.ts'
import { vectorOf } from '../ranges/space.ts'
import { wgslText } from '../wgsl/operators.ts'
import { shader } from '../wgsl/shader.ts'
import {
  momentAt,
  momentsArray,
  momentsOf,
  othersAt,
  secondsOf,
  storeRecord,
  type TreeSources,
  treeFields,
} from './source-groups.ts'

const workgroup = 256
const leaves = workgroup / leafPoints

export const gatheringGroups = (leafCount: number): number => Math.ceil(leafCount / leaves)

const fields: readonly Field[] = [
  ...treeFields,
  { name: 'sourceCount', type: 'u32' },
  { name: 'sourceOrder', type: 'u32', note: 'where the order of the sources starts' },
]

/** The name of an attribute of a source, if a symbol is one. */
export const attributeIn = (symbol: string): string | undefined =>
  symbol.endsWith('_j') ? symbol.slice(0, -2) : undefined

/** The attributes of sources that weights are computed from. */
export const weightAttributes = ({ weights }: Pick<TreeSources, 'weights'>): readonly string[] => [
  ...new Set(weights.flatMap(({ value }) => [...symbolsOf(value)].flatMap((name) => attributeIn(name) ?? []))),
]

/** The parameters that weights depend on, by the names of their fields. */
export const weightParameters = ({ weights }: Pick<TreeSources, 'weights'>): ReadonlyMap<string, string> =>
  new Map(
    weights
      .flatMap(({ value }) => [...symbolsOf(value)])
      .filter((name) => attributeIn(name) === undefined)
      .map((name) => [`weight_${name}`, name]),
  )

export const parameterFields = (sources: Pick<TreeSources, 'weights'>): readonly Field[] =>
  [...weightParameters(sources)].map(([name, of]): Field => ({ name, type: 'f32', note: of }))

/**
 * @param set the name of the set of the sources: `points` or `sources`
 * @param exclusions whether to store the place of each source, so that excluded sources can be found
 */
export function gatherSources(sources: TreeSources, set: string, exclusions: boolean): Shader {
  const { dimension, weights, run, label } = sources
  const space = { dimension, periodic: false } as const
  const vector = vectorOf(space)
  const resource = (name: string): Resource => ({ key: `${set}.${name}`, access: 'read', type: 'f32' })
  const position = resource('position')
  const array = (name: string) => `${arrayName(`${set}.${name}`)}[j]`
  const textOf = (symbol: string) => {
    const attribute = attributeIn(symbol)
    return attribute === undefined ? `run.weight_${symbol}` : array(attribute)
  }
  const weightOf = (name: string) => `weight${weights.findIndex(({ attribute }) => attribute === name)}`
  const coordinates = [...vector.parts].map((axis) => `x.${axis}`)
  // Excluded pairs name sources by their own numbers.
  const keepPlace = exclusions ? 'if (place < run.sourceCount) { order[run.sourcePlaces + j] = place; }' : ''
  const body = wgsl`
var<workgroup> places: array<vec4f, ${workgroup}>;
var<workgroup> lows: array<vec4f, ${workgroup}>;
var<workgroup> highs: array<vec4f, ${workgroup}>;
var<workgroup> weights: array<f32, ${workgroup * weights.length}>;
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.z * groups.x;
  let place = part * ${workgroup}u + lane;
  // The places after the last have its point, without weight.
  let j = order[run.sourceOrder + min(place, run.sourceCount - 1u)];
  let x = ${vector.load(arrayName(position.key), 'j')};
  ${weights.map(({ value }, w) => `let weight${w} = select(0.0, ${wgslText(value, textOf)}, place < run.sourceCount);`)}
  ${pointBox(space)}
  places[lane] = ${vector.extended('x')};
  lows[lane] = low;
  highs[lane] = high;
  ${weights.map((_, w) => `weights[${w * workgroup}u + lane] = weight${w};`)}
  if (place < (run.sourceCount + ${leafPoints - 1}u) / ${leafPoints}u * ${leafPoints}u) {
    ${storeRecord(sources, coordinates, weightOf, 'place')}
  }
  ${keepPlace}
  workgroupBarrier();
  let leaf = part * ${leaves}u + lane;
  if (lane >= ${leaves}u || leaf >= run.leaves) { return; }
  var least = ${emptyBox('low')};
  var most = ${emptyBox('high')};
  let first = lane * ${leafPoints}u;
  if (leaf * ${leafPoints}u < run.sourceCount) {
    for (var n = first; n < first + ${leafPoints}u; n++) {
      least = min(least, lows[n]);
      most = max(most, highs[n]);
    }
  }
  packed[run.boxes + 2u * leaf] = least;
  packed[run.boxes + 2u * leaf + 1u] = most;
  let centre = 0.5 * (least.${vector.parts} + most.${vector.parts});
  let holds = leaf * ${leafPoints}u < run.sourceCount;
  ${weights.map((_, w) => momentsOfLeaf(sources, w))}
}
`
  return shader(
    {
      label: `${label}: gather sources`,
      resources: [
        position,
        ...weightAttributes(sources).map(resource),
        { key: 'order', access: exclusions ? 'read_write' : 'read', type: 'u32' },
        { key: 'packed', access: 'read_write', type: 'vec4f' },
        momentsArray('read_write'),
      ],
      fields: [...fields, ...(exclusions ? nodeSetFields : []), ...run, ...parameterFields(sources)],
      workgroup,
      memory: (48 + 4 * weights.length) * workgroup,
    },
    body,
  )
}

function momentsOfLeaf({ dimension }: TreeSources, w: number): string {
  const { type, parts } = vectorOf({ dimension, periodic: false })
  const seconds = secondsOf(dimension)
  const each = [0, 1].map((sign) => {
    const [name, clamp] = sign === 0 ? ['plus', 'max'] : ['minus', 'min']
    const store = [
      `${name}Total`,
      ...[...parts].map((axis) => `${name}First.${axis}`),
      ...seconds.map((_, n) => `${name}Second${n}`),
    ]
    return {
      declare: [
        `var ${name}Total = 0.0;`,
        `var ${name}First = ${type}(0.0);`,
        ...seconds.map((_, n) => `var ${name}Second${n} = 0.0;`),
      ],
      add: [
        `let ${name} = ${clamp}(weight, 0.0);`,
        `${name}Total += ${name};`,
        `${name}First += ${name} * d;`,
        ...seconds.map(([a, b], n) => `${name}Second${n} += ${name} * d.${parts[a]} * d.${parts[b]};`),
      ],
      store: store.map((text, m) => `${momentAt(dimension, 2 * w + sign, m, 'leaf')} = ${text};`),
    }
  })
  return wgsl`{
  var heaviest = 0.0;
  var others = 0.0;
  ${each.flatMap(({ declare }) => declare)}
  for (var n = first; holds && n < first + ${leafPoints}u; n++) {
    let d = places[n].${parts} - centre;
    let weight = weights[${w * workgroup}u + n];
    others += min(abs(weight), heaviest);
    heaviest = max(abs(weight), heaviest);
    ${each.flatMap(({ add }) => add)}
  }
  ${othersAt(w, 'leaf')} = others;
  ${each.flatMap(({ store }) => store)}
}`
}

/** Number of floats of the moments of all nodes. */
export const momentWords = (
  { dimension, weights }: Pick<TreeSources, 'dimension' | 'weights'>,
  nodes: number,
): number => 2 * weights.length * momentsOf(dimension) * nodes
