/**
 * The interaction matrix in WGSL: each invocation holds one source and goes down `rowsPerGroup` rows, so that neighbours
 * write neighbouring columns. Writing is what it costs: 4 bytes a pair.
 *
 * @module
 */
import { excludedFunction, type PairTexts } from './pair-texts.ts'
import { type Field, indent, type Shader, shader } from './shader.ts'

export const matrixWorkgroup = 64
export const rowsPerGroup = 16

/** Fields of the uniform block before the bindings of the run. */
const matrixFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32' },
  { name: 'targetCount', type: 'u32' },
  { name: 'sourceFirst', type: 'u32' },
  { name: 'sourceLast', type: 'u32' },
  // Columns of the matrix, whichever of them are visited.
  { name: 'sourceCount', type: 'u32' },
  // 1 where columns that are not visited keep what they hold.
  { name: 'carry', type: 'u32' },
]

/** A pair of the matrix: its place is written, with 0 where the pair does not count. */
export const matrixFold = {
  indexed: true,
  pair: (_r: number, { terms, keep }: { readonly terms: readonly string[]; readonly keep: string | undefined }) =>
    `result_value[place] = ${keep ? `select(0.0, ${terms[0]}, ${keep})` : terms[0]};`,
}

export function matrixLoop(label: string, texts: PairTexts, run: readonly Field[], exclusions: boolean): Shader {
  const source = texts
    .loadSource('j')
    .map((parts, v) => `let source${v || ''} = ${texts.record[v]}(${parts});`)
    .join('\n')
  const body = `${exclusions ? excludedFunction : ''}
@compute @workgroup_size(${matrixWorkgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let j = (group.x + group.z * groups.x) * ${matrixWorkgroup}u + lane;
  if (j >= run.sourceCount) { return; }
  let visited = j >= run.sourceFirst && j < run.sourceLast;
  ${indent(source, 1)}
  let firstRow = group.y * ${rowsPerGroup}u;
  for (var row = firstRow; row < min(firstRow + ${rowsPerGroup}u, run.targetCount); row++) {
    let place = row * run.sourceCount + j;
    if (!visited) {
      if (run.carry == 0u) { result_value[place] = 0.0; }
      continue;
    }
    let i_0 = run.targetFirst + row;
    ${indent(texts.loadTarget(0), 2)}
    ${exclusions ? 'var cursor_0 = exclusions_offsets[i_0];' : ''}
    ${indent(texts.pair(0), 2)}
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
    body.replace(/^\s*\n/gm, ''),
  )
}
