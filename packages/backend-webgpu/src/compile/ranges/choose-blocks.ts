/**
 * The choice between blocks and all pairs in a sequence, in WGSL. The host cannot see the points, so the device decides. One
 * workgroup estimates the share of pairs that blocks would compute, as `nearShare` of core does. Then it writes the uniform
 * blocks of the dispatches of both loops. For the other loop they are 0, so that it has no points, and writes nothing that is
 * read.
 *
 * The device could write the sizes of dispatches instead. But WebGPU then validates each size by another dispatch, and Dawn
 * allocates its memory each time: on an NVIDIA H100 that took 0.5 ms for each dispatch.
 *
 * @module
 */
import { nearTried, nearTries } from '@manybody/core/near'
import { chosenBlocks, farthest, givenBlocks } from '../../design/near.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { vectorOf } from './space.ts'

const workgroup = 256

const fields: readonly Field[] = [
  { name: 'targetCount', type: 'u32', note: 'number of targets' },
  { name: 'sourceCount', type: 'u32' },
  { name: 'words', type: 'u32', note: 'number of words of both loops' },
  { name: 'nearWords', type: 'u32', note: 'number of those of the loop by blocks, which come first' },
  { name: 'mostShare', type: 'f32', note: 'the share of all pairs up to which blocks are faster' },
  { name: 'cutoff', type: 'f32' },
  { name: 'edges', type: 'f32', note: 'half the edges of two blocks, by the distance that tells the local density' },
  { name: 'kept', type: 'f32', note: 'how far away the sources are that a target keeps, by that distance' },
  { name: 'fewEqual', type: 'u32', note: '1 if a target meets few of many equal points' },
]

const made = new Map<string, Shader>()

/** The shader that chooses: the same each time, so that it is compiled once. */
export function chooserShader(space: BoxSpace, sameSet: boolean): Shader {
  const key = [space.dimension, space.periodic, sameSet].join(' ')
  const known = made.get(key) ?? write(space, sameSet)
  made.set(key, known)
  return known
}

const fractions = (of: readonly number[]) => of.map((fraction) => fraction.toFixed(7)).join(', ')

function write(space: BoxSpace, sameSet: boolean): Shader {
  const { type, load, parts } = vectorOf(space)
  const [targets, sources] = (sameSet ? ['points', 'points'] : ['targets', 'sources']).map(
    (set): Resource => ({ key: `${set}.position`, access: 'read', type: 'f32' }),
  ) as [Resource, Resource]
  const lengths = [...parts].map((axis) => `run.length_${axis}`).join(', ')
  const perLengths = [...parts].map((axis) => `run.perLength_${axis}`).join(', ')
  const nearestImage = space.periodic
    ? `between -= ${type}(${lengths}) * floor(between * ${type}(${perLengths}) + 0.5);`
    : ''
  const sides = [...parts].map((axis) => `distance.${axis}`)
  const longest = sides.reduce((a, b) => `max(${a}, ${b})`)
  const tried = (of: readonly number[], resource: Resource, count: string) =>
    load(
      arrayName(resource.key),
      `min(u32(array<f32, ${of.length}>(${fractions(of)})[lane] * f32(${count})), ${count} - 1u)`,
    )
  const insert = Array.from(
    { length: nearTries.nearest },
    (_, n) => wgsl`
if (value < nearest[${n}]) {
  let farther = nearest[${n}];
  nearest[${n}] = value;
  value = farther;
}`,
  )
  const body = wgsl`
var<workgroup> triedTargets: array<${type}, ${nearTries.targets}>;
var<workgroup> triedSources: array<${type}, ${nearTries.sources}>;
var<workgroup> near: atomic<u32>;
fn apart(target_: ${type}, source: ${type}) -> ${type} {
  var between = source - target_;
  ${nearestImage}
  return abs(between);
}

@compute @workgroup_size(${workgroup})
fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) { atomicStore(&near, 0u); }
  if (lane < ${nearTries.targets}u) { triedTargets[lane] = ${tried(nearTried.targets, targets, 'run.targetCount')}; }
  if (lane < ${nearTries.sources}u) { triedSources[lane] = ${tried(nearTried.sources, sources, 'run.sourceCount')}; }
  workgroupBarrier();
  if (lane < ${nearTries.targets}u) {
    let tried = triedTargets[lane];
    var nearest = array<f32, ${nearTries.nearest}>(${Array(nearTries.nearest).fill(`${farthest}`).join(', ')});
    for (var n = 0u; n < ${nearTries.sources}u; n++) {
      let distance = apart(tried, triedSources[n]);
      var value = ${longest};
      ${insert}
    }
    let half = nearest[${nearTries.nearest - 1}] * run.edges;
    let reach = min(run.cutoff, nearest[${nearTries.nearest - 1}] * run.kept);
    let isEqual = run.fewEqual == 1u && reach == 0.0;
    var within = 0u;
    for (var n = 0u; n < ${nearTries.sources}u; n++) {
      let gap = max(apart(tried, triedSources[n]) - half, ${type}(0.0)) / reach;
      // What has no distance is near.
      if (!isEqual && !(dot(gap, gap) > 1.0)) { within++; }
    }
    atomicAdd(&near, within);
  }
  workgroupBarrier();
  let takesBlocks = f32(atomicLoad(&near)) < run.mostShare * ${nearTries.targets * nearTries.sources}.0;
  for (var word = lane; word < run.words; word += ${workgroup}u) {
    chosen[word] = select(0u, given[word], (word < run.nearWords) == takesBlocks);
  }
}
`
  return shader(
    {
      label: 'choose blocks or all pairs',
      resources: [
        ...(sameSet ? [targets] : [targets, sources]),
        { key: givenBlocks, access: 'read', type: 'u32' },
        { key: chosenBlocks, access: 'read_write', type: 'u32' },
      ],
      fields: [...fields, ...lengthFields(space)],
      workgroup,
      memory: 16 * (nearTries.targets + nearTries.sources) + 4,
    },
    body,
  )
}
