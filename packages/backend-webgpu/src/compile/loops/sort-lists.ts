/**
 * Clears the counters of lists before they are filled, and sorts each list afterwards, in WGSL.
 *
 * A workgroup sorts one list of any length where it is, by a bitonic network whose comparisons all put the lower number first.
 * Places behind the end count as greater than all numbers, so comparisons with them are left out.
 *
 * @module
 */

import { arrayName, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { foundResult, listStarts } from '../folds/append-fold.ts'
import { shader } from '../wgsl/shader.ts'

/** Lists often have about twice as many sources, and a step compares two. */
const lanes = 32
const clearLanes = 256

const fields = [{ name: 'lists', type: 'u32', note: 'number of lists' }] as const
const main = (workgroup: number) => `@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
)`

export function clearLists(): Shader {
  const found = arrayName(`result.${foundResult}`)
  return shader(
    {
      label: 'lists: counters cleared',
      resources: [{ key: `result.${foundResult}`, access: 'read_write', type: 'u32' }],
      fields,
      workgroup: clearLanes,
    },
    wgsl`
${main(clearLanes)} {
  let list = (group.x + group.z * groups.x) * ${clearLanes}u + lane;
  if (list < run.lists) { ${found}[list] = 0u; }
}
`,
  )
}

export function sortLists(name: string): Shader {
  const [starts, index] = [arrayName(listStarts.key), arrayName(`result.${name}`)]
  return shader(
    {
      label: 'lists: each sorted',
      resources: [listStarts, { key: `result.${name}`, access: 'read_write', type: 'i32' }],
      fields,
      workgroup: lanes,
      memory: 8,
    },
    wgsl`
var<workgroup> ends: vec2u;
fn ordered(first: u32, low: u32, high: u32, length: u32) {
  if (high >= length) { return; }
  let a = ${index}[first + low];
  let b = ${index}[first + high];
  if (a > b) {
    ${index}[first + low] = b;
    ${index}[first + high] = a;
  }
}
${main(lanes)} {
  let list = min(group.x + group.z * groups.x, run.lists - 1u);
  if (lane == 0u) { ends = vec2u(${starts}[list], ${starts}[list + 1u]); }
  let range = workgroupUniformLoad(&ends);
  let length = range.y - range.x;
  if (group.x + group.z * groups.x >= run.lists) { return; }
  // Blocks of \`half\` numbers are sorted; the loop merges pairs of them.
  for (var half = 1u; half < length; half *= 2u) {
    let comparisons = (length + 2u * half - 1u) / (2u * half) * half;
    for (var n = lane; n < comparisons; n += ${lanes}u) {
      let block = n / half * half * 2u;
      ordered(range.x, block + n % half, block + 2u * half - 1u - n % half, length);
    }
    storageBarrier();
    for (var step = half / 2u; step > 0u; step /= 2u) {
      for (var n = lane; n < comparisons; n += ${lanes}u) {
        let low = n / step * step * 2u + n % step;
        ordered(range.x, low, low + step, length);
      }
      storageBarrier();
    }
  }
}
`,
  )
}
