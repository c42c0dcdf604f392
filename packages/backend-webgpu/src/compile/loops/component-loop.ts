/**
 * The pair loop for laws that read vectors of both points, in WGSL. A workgroup has a tile of pairs. It computes their functions of
 * vectors component by component (`component-tiles.ts`), and then visits each pair once.
 *
 * @module
 */
import { componentBytes, tileInRegisters } from '../../design/component-tile.ts'
import { type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import { plus, wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { componentTiles, stridedPlace } from '../parts/component-tiles.ts'
import type { LoopParts, PairTemplate } from '../parts/loop-parts.ts'
import { sourceBytes, vectorCounts } from '../parts/pair-texts.ts'
import { declare } from '../parts/source-texts.ts'

/** Sources of a tile. */
const sourcesOfTile = ({ slices, unroll }: LoopShape): number => slices * unroll

/** What texts need to know of this loop: functions of vectors are in variables, and it runs beyond the last source. */
export const inTiles = {
  foldValue: (name: string, r: number): string => `${name}_${r}`,
  within: (): string => 'inside',
}

function componentLoop({
  texts,
  shape,
  sharing,
  each,
  functions,
  targets,
  open,
  close,
  visit,
  finish,
}: LoopParts): string {
  const { workgroup, slices, unroll } = shape
  const length = sourcesOfTile(shape)
  const tile = tileInRegisters(shape)
  const first = `block * ${targetsPerGroup(shape)}u`
  const { memory, numbers } = componentTiles(texts, tile, {
    // Points of an invocation are strided, so that neighbours read and write neighbouring points.
    target: (four, n) =>
      `(run.targetFirst + min(${first} + ${stridedPlace(tile.members, four, n)}, run.targetCount - 1u))`,
    source: (four, n) => `min(start + ${stridedPlace(slices, four, n)}, lastSource - 1u)`,
  })
  const store = texts.loadSource('j').map((text, v) => `tile${v}[lane] = ${texts.record[v]}(${text});`)
  const visitSource = (c: number) => wgsl`{
  let at = ${plus('slice', c * slices)};
  let inside = start + at < lastSource;
  let j = min(start + at, lastSource - 1u);
  ${declare(
    'source',
    texts.record.map((_, v) => `tile${v}[at]`),
  )}
  ${texts.ofBoth.flatMap(({ fold: { name } }) => each.map((r) => `let ${inTiles.foldValue(name, r)} = ${name}_${r}_${c};`))}
  ${visit}
}`
  return wgsl`
${texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${length}>;`)}
${memory}
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
  for (var start = firstSource; start < lastSource; start += ${length}u) {
    workgroupBarrier();
    if (lane < ${length}u) {
      let j = min(start + lane, lastSource - 1u);
      ${store}
    }
    ${numbers}
    ${open}
    ${range(unroll).map(visitSource)}
    ${close}
  }
  ${finish}
}
`
}

export const componentTemplate: PairTemplate = {
  text: componentLoop,
  bytes: (texts, shape) =>
    sourceBytes(texts) * sourcesOfTile(shape) + componentBytes(tileInRegisters(shape), vectorCounts(texts.ofBoth)),
}
