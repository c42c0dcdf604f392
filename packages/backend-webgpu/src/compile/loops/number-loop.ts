/**
 * The pair loop for laws that read vectors of both points, for any fold, in WGSL. A workgroup computes the functions of vectors of all
 * pairs of a tile component by component (`component-tiles.ts`), into workgroup memory. Then each invocation visits its part of the
 * tile with its target, one source after the other.
 *
 * @module
 */
import { componentBytes, tileInMemory } from '../../design/component-tile.ts'
import { targetsPerGroup } from '../../design/loop-shape.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { componentTiles } from '../parts/component-tiles.ts'
import type { LoopParts, PairTemplate } from '../parts/loop-parts.ts'
import { sourceBytes, vectorCounts } from '../parts/pair-texts.ts'
import { declare } from '../parts/source-texts.ts'
import { inTiles } from './component-loop.ts'

function numberLoop({ texts, shape, sharing, functions, targets, open, close, visit, finish }: LoopParts): string {
  const { workgroup, slices, unroll: length } = shape
  const { members, slices: fours } = tileInMemory(shape)
  const first = `block * ${targetsPerGroup(shape)}u`
  const { memory, numbers } = componentTiles(
    texts,
    tileInMemory(shape),
    {
      target: (of, n) => `(run.targetFirst + min(${first} + ${plus(`4u * ${of}`, n)}, run.targetCount - 1u))`,
      source: (of, n) => `min(start + ${plus(of, n * fours)}, lastSource - 1u)`,
    },
    { member: 'fourTargets', slice: 'sourcesOfTile', meets: 'computes' },
  )
  const names = texts.ofBoth.map(({ fold }) => fold.name)
  const store = texts.loadSource('j').map((text, v) => `tile${v}[lane] = ${texts.record[v]}(${text});`)
  const keep = names.flatMap((name) =>
    range(4).map((c) => {
      const together = range(4).map((r) => `${name}_${r}_${c}`)
      return `${name}s[(${plus('sourcesOfTile', c * fours)}) * ${members}u + fourTargets] = vec4f(${together.join(', ')});`
    }),
  )
  return wgsl`
${texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${length}>;`)}
${memory}
${names.map((name) => `var<workgroup> ${name}s: array<vec4f, ${length * members}>;`)}
${sharing.memory}
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${sharing.declare}
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  ${targets}
  // The targets and sources of this invocation when it computes functions of vectors.
  let fourTargets = lane % ${members}u;
  let sourcesOfTile = lane / ${members}u;
  let computes = sourcesOfTile < ${fours}u;
  for (var start = firstSource; start < lastSource; start += ${length}u) {
    let count = min(${length}u, lastSource - start);
    workgroupBarrier();
    if (lane < count) {
      let j = start + lane;
      ${store}
    }
    ${numbers}
    if (computes) {
      ${keep}
    }
    workgroupBarrier();
    ${open}
    for (var at = slice; at < count; at += ${slices}u) {
      let j = start + at;
      ${declare(
        'source',
        texts.record.map((_, v) => `tile${v}[at]`),
      )}
      ${names.map((name) => `let ${inTiles.foldValue(name, 0)} = ${name}s[at * ${members}u + member / 4u][member % 4u];`)}
      ${visit}
    }
    ${close}
  }
  ${finish}
}
`
}

export const numberTemplate: PairTemplate = {
  text: numberLoop,
  bytes: (texts, shape) => {
    const pairs = shape.unroll * targetsPerGroup(shape)
    const components = componentBytes(tileInMemory(shape), vectorCounts(texts.ofBoth))
    return sourceBytes(texts) * shape.unroll + components + 4 * texts.ofBoth.length * pairs
  },
}
