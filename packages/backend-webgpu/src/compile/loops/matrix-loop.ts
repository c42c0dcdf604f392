/**
 * The loop of an interaction matrix, in WGSL. Each invocation holds a few sources and walks down `rowsPerGroup` rows, a few at
 * a time, so that neighbouring invocations write neighbouring columns. Writing 4 bytes per pair takes most of its time.
 *
 * @module
 */

import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { excludedFunction, type PairTexts, vector } from '../parts/pair-texts.ts'
import { shader } from '../wgsl/shader.ts'

export const matrixWorkgroup = 64
export const rowsPerGroup = 16
/** Columns and rows that an invocation computes before it writes them, because writes delay the loads that follow. */
const columnsAtOnce = 4
const mostRowsAtOnce = 4
export const columnsPerGroup: number = matrixWorkgroup * columnsAtOnce

/** Fields of the uniform block before the bindings of the run. */
export const matrixFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: 'rows [targetFirst, targetFirst + targetCount)' },
  { name: 'targetCount', type: 'u32' },
  { name: 'sourceFirst', type: 'u32', note: 'columns to compute: [sourceFirst, sourceLast)' },
  { name: 'sourceLast', type: 'u32' },
  { name: 'sourceCount', type: 'u32', note: 'columns of the matrix' },
  { name: 'carry', type: 'u32', note: '1 if the other columns keep their values' },
]

/** The fold of a pair of the matrix: `value` is the term, or 0 if the pair does not count. */
export const matrixFold = {
  indexed: true,
  pair(_r: number, { terms, keep }: { readonly terms: readonly string[]; readonly keep: string | undefined }) {
    const term = keep ? `select(0.0, ${terms[0]}, ${keep})` : terms[0]
    return `value = ${term};`
  },
}

/**
 * @param looping whether each pair has a loop over components
 * @param software whether a software GPU may compile it: beside the search for exclusions, SwiftShader compiles 16 copies of the loop for minutes
 */
export function matrixLoop(
  label: string,
  texts: PairTexts,
  run: readonly Field[],
  {
    exclusions,
    looping,
    software,
  }: { readonly exclusions: boolean; readonly looping: boolean; readonly software: boolean },
): Shader {
  const rowsAtOnce = exclusions && looping && software ? 1 : mostRowsAtOnce
  const [columns, rows] = [range(columnsAtOnce), range(rowsAtOnce)]
  const loadColumn = columns.map((c) => {
    const vectors = texts.loadSource(`j_${c}`).map((parts, v) => `${texts.record[v]}(${parts})`)
    return wgsl`let column_${c} = first + ${c * matrixWorkgroup}u;
let j_${c} = min(column_${c}, run.sourceCount - 1u);
let visited_${c} = (j_${c} >= run.sourceFirst) & (j_${c} < run.sourceLast);
let writes_${c} = (column_${c} < run.sourceCount) & (visited_${c} | (run.carry == 0u));
${vectors.map((text, v) => `let ${vector('source', v)}_${c} = ${text};`)}`
  })
  const loadRow = rows.map((r) => {
    const cursor = exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''
    return wgsl`let i_${r} = run.targetFirst + min(row + ${r}u, run.targetCount - 1u);
${texts.loadTarget(r)}
${cursor}`
  })
  const pair = (r: number, c: number) => wgsl`var value_${r}_${c} = 0.0;
{
  let j = j_${c};
  ${texts.record.map((_, v) => `let ${vector('source', v)} = ${vector('source', v)}_${c};`)}
  var value = 0.0;
  ${texts.pair(r)}
  value_${r}_${c} = select(0.0, value, visited_${c});
}`
  const write = (r: number, c: number) =>
    `if ((row + ${r}u < run.targetCount) & writes_${c}) { result_value[(row + ${r}u) * run.sourceCount + column_${c}] = value_${r}_${c}; }`
  const each = (text: (r: number, c: number) => string) => rows.flatMap((r) => columns.map((c) => text(r, c)))
  const functions = exclusions ? excludedFunction : ''
  const body = wgsl`
${functions}
@compute @workgroup_size(${matrixWorkgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The columns of an invocation are ${matrixWorkgroup} apart, so that neighbours write neighbouring columns.
  let first = (group.x + group.z * groups.x) * ${columnsPerGroup}u + lane;
  ${loadColumn}
  let firstRow = group.y * ${rowsPerGroup}u;
  for (var row = firstRow; row < min(firstRow + ${rowsPerGroup}u, run.targetCount); row += ${rowsAtOnce}u) {
    ${loadRow}
    ${each(pair)}
    ${each(write)}
  }
}
`
  return shader(
    {
      label,
      resources: [...texts.resources, { key: 'result.value', access: 'read_write', type: 'f32' }],
      fields: [...matrixFields, ...run],
      workgroup: matrixWorkgroup,
    },
    body,
    texts.functions,
  )
}
