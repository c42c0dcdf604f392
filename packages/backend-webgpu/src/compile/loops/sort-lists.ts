/**
 * Clears the counters of lists before they are filled, and sorts each list afterwards, in WGSL.
 *
 * A workgroup sorts some lists. If all are short, each list has a few invocations. They count for four entries at once how many
 * entries are lower. The counts are the places of the entries, because no source is in a list twice.
 *
 * Otherwise the whole workgroup sorts one list after the other by a bitonic network. Each of its comparisons puts the lower
 * number first. Places behind the end would count as greater than all numbers, so their comparisons are left out. Lists that
 * fit are sorted in workgroup memory; longer ones where they are.
 *
 * @module
 */

import { listsPerSort } from '../../design/loop-shape.ts'
import { arrayName, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { foundResult, listStarts } from '../folds/append-fold.ts'
import { shader } from '../wgsl/shader.ts'

const clearLanes = 256
/** Invocations of a list, if all lists of a workgroup are short. */
const members = 16
const lanes = members * listsPerSort
/** The longest list that is sorted by counting, and the longest that is sorted in workgroup memory. */
const [mostCounted, mostHeld] = [128, 1024]
const fours = mostCounted / 4

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
      memory: 4 * (mostHeld + listsPerSort + 1),
    },
    wgsl`
var<workgroup> bounds: array<u32, ${listsPerSort + 1}>;
var<workgroup> held: array<vec4i, ${mostHeld / 4}>;
${sortFunction('sortHeld', (place) => `held[${place} / 4u][${place} % 4u]`, 'workgroupBarrier();')}
${sortFunction('sortInPlace', (place) => `${index}[first + ${place}]`, 'storageBarrier();')}
${main(lanes)} {
  let list = (group.x + group.z * groups.x) * ${listsPerSort}u;
  if (lane <= ${listsPerSort}u) { bounds[lane] = ${starts}[min(list + lane, run.lists)]; }
  let ends = workgroupUniformLoad(&bounds);
  var longest = 0u;
  for (var n = 0u; n < ${listsPerSort}u; n++) { longest = max(longest, ends[n + 1u] - ends[n]); }
  if (longest > ${mostCounted}u) {
    for (var n = 0u; n < ${listsPerSort}u; n++) {
      let first = ends[n];
      let length = ends[n + 1u] - first;
      if (length > ${mostHeld}u) {
        sortInPlace(first, length, lane);
      } else {
        for (var place = lane; place < length; place += ${lanes}u) { held[place / 4u][place % 4u] = ${index}[first + place]; }
        workgroupBarrier();
        sortHeld(0u, length, lane);
        for (var place = lane; place < length; place += ${lanes}u) { ${index}[first + place] = held[place / 4u][place % 4u]; }
        workgroupBarrier();
      }
    }
    return;
  }
  let own = lane / ${members}u;
  let member = lane % ${members}u;
  let first = bounds[own];
  let length = bounds[own + 1u] - first;
  for (var four = member; 4u * four < length; four += ${members}u) {
    var entries = vec4i(0x7fffffff);
    for (var n = 0u; n < min(4u, length - 4u * four); n++) { entries[n] = ${index}[first + 4u * four + n]; }
    held[own * ${fours}u + four] = entries;
  }
  workgroupBarrier();
  for (var four = member; 4u * four < length; four += ${members}u) {
    let entries = held[own * ${fours}u + four];
    var places = vec4u(0u);
    for (var other = 0u; 4u * other < length; other++) {
      let others = held[own * ${fours}u + other];
      places += vec4u(entries > others.xxxx) + vec4u(entries > others.yyyy) + vec4u(entries > others.zzzz) + vec4u(entries > others.wwww);
    }
    for (var n = 0u; n < min(4u, length - 4u * four); n++) { ${index}[first + places[n]] = entries[n]; }
  }
}
`,
  )
}

/** A function that sorts numbers in one kind of memory. @param at the number at a place of the list, which begins at `first` */
const sortFunction = (name: string, at: (place: string) => string, barrier: string) => wgsl`
fn ${name}Two(first: u32, low: u32, high: u32, length: u32) {
  if (high >= length) { return; }
  let a = ${at('low')};
  let b = ${at('high')};
  if (a > b) {
    ${at('low')} = b;
    ${at('high')} = a;
  }
}
fn ${name}(first: u32, length: u32, lane: u32) {
  // Blocks of \`half\` numbers, a power of two, are sorted; the loop merges pairs of them.
  for (var half = 1u; half < length; half *= 2u) {
    let comparisons = (length + 2u * half - 1u) / (2u * half) * half;
    for (var n = lane; n < comparisons; n += ${lanes}u) {
      let inside = n & (half - 1u);
      let block = 2u * (n - inside);
      ${name}Two(first, block + inside, block + 2u * half - 1u - inside, length);
    }
    ${barrier}
    for (var step = half / 2u; step > 0u; step /= 2u) {
      for (var n = lane; n < comparisons; n += ${lanes}u) {
        let low = 2u * n - (n & (step - 1u));
        ${name}Two(first, low, low + step, length);
      }
      ${barrier}
    }
  }
}
`
