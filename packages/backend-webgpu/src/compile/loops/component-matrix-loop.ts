/**
 * The loop of an interaction matrix of a law that reads vectors of both points, in WGSL. A workgroup has a tile of pairs. It computes
 * their functions of vectors component by component (`component-tiles.ts`), and then each invocation writes its pairs.
 *
 * @module
 */
import type { TileSizes } from '../../design/component-tile.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { componentTiles, stridedPlace } from '../parts/component-tiles.ts'
import { excludedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { declare } from '../parts/source-texts.ts'
import { shader } from '../wgsl/shader.ts'
import { inTiles } from './component-loop.ts'
import { matrixFields } from './matrix-loop.ts'

/** @param texts of pairs whose functions of vectors are variables */
export function componentMatrixLoop(
  label: string,
  texts: PairTexts,
  tile: TileSizes,
  run: readonly Field[],
  exclusions: boolean,
): Shader {
  const { members, slices } = tile
  const workgroup = members * slices
  const [rows, columns] = [range(tile.targets), range(tile.sources)]
  const { memory, numbers } = componentTiles(texts, tile, {
    target: (four, n) => `(run.targetFirst + min(firstRow + ${stridedPlace(members, four, n)}, run.targetCount - 1u))`,
    source: (four, n) => `min(firstColumn + ${stridedPlace(slices, four, n)}, run.sourceCount - 1u)`,
  })
  const loadRow = rows.map((r) => {
    const cursor = exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''
    return wgsl`let row_${r} = firstRow + ${r * members}u + member;
let i_${r} = run.targetFirst + min(row_${r}, run.targetCount - 1u);
${texts.loadTarget(r)}
${cursor}`
  })
  const pair = (r: number, c: number) => wgsl`{
  ${texts.ofBoth.map(({ fold: { name } }) => `let ${inTiles.foldValue(name, r)} = ${name}_${r}_${c};`)}
  var value = 0.0;
  ${texts.pair(r)}
  if (row_${r} < run.targetCount) { result_value[row_${r} * run.sourceCount + column] = select(0.0, value, visited); }
}`
  const column = (c: number) => wgsl`{
  let column = firstColumn + ${c * slices}u + slice;
  let j = min(column, run.sourceCount - 1u);
  let visited = (j >= run.sourceFirst) & (j < run.sourceLast);
  if ((column < run.sourceCount) & (visited | (run.carry == 0u))) {
    ${declare(
      'source',
      texts.loadSource('j').map((text, v) => `${texts.record[v]}(${text})`),
    )}
    ${rows.map((r) => pair(r, c))}
  }
}`
  const functions = exclusions ? excludedFunction : ''
  const body = wgsl`
${memory}
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The columns of an invocation are ${slices} apart, so that neighbours write neighbouring columns.
  let member = lane / ${slices}u;
  let slice = lane % ${slices}u;
  let firstRow = group.y * ${members * tile.targets}u;
  let firstColumn = (group.x + group.z * groups.x) * ${slices * tile.sources}u;
  ${numbers}
  ${loadRow}
  ${columns.map(column)}
}
`
  return shader(
    {
      label,
      resources: [...texts.resources, { key: 'result.value', access: 'read_write', type: 'f32' }],
      fields: [...matrixFields, ...run],
      workgroup,
    },
    body,
    texts.functions,
  )
}
