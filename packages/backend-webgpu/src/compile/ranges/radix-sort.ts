/**
 * The shaders of a sort by keys of two words, in WGSL. A pass sorts by one digit: tiles of keys count their digits, the counts
 * are added up to places, and the keys and their points move there. `drivers/sort.ts` makes the passes.
 *
 * Equal keys keep their order, so that the result depends only on the keys. No workgroup waits for another, because WebGPU
 * does not promise that the other ever runs.
 *
 * @module
 */

import type { Field, Resource, Shader } from '../../design/shader.ts'
import { digits, digitsAtOnce, sharers } from '../../design/sort-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { entry } from './entry.ts'
import { runningSum } from './running-sum.ts'

/** Number of invocations in a workgroup: one per digit. */
const lanes = digits
/** Number of words with one bit per key of a row. */
const words = lanes / 32

const fields: readonly Field[] = [
  { name: 'count', type: 'u32', note: 'number of keys' },
  { name: 'tiles', type: 'u32', note: 'number of workgroups that count digits' },
  { name: 'rows', type: 'u32', note: 'number of rows of keys of each, with one key per invocation' },
  { name: 'shift', type: 'u32', note: 'number of bits below those of this pass' },
  { name: 'ordered', type: 'u32', note: '0 in the first pass, before which the points are in their own order' },
  {
    name: 'ofPoints',
    type: 'u32',
    note: '1 in the first pass of each word, whose keys are in the order of the points',
  },
  { name: 'keysFrom', type: 'u32', note: 'where the keys are' },
  { name: 'keysTo', type: 'u32', note: 'where the keys go' },
  { name: 'orderFrom', type: 'u32', note: 'where the points are' },
  { name: 'orderTo', type: 'u32', note: 'where the points go' },
]

const resources: readonly Resource[] = [
  { key: 'keys', access: 'read_write', type: 'u32' },
  { key: 'order', access: 'read_write', type: 'u32' },
  { key: 'counts', access: 'read_write', type: 'u32' },
]

const keyFunctions = wgsl`
fn pointAt(at: u32) -> u32 {
  if (run.ordered == 0u) { return at; }
  return order[run.orderFrom + at];
}
fn keyAt(at: u32) -> u32 {
  if (run.ofPoints == 0u) { return keys[run.keysFrom + at]; }
  return keys[run.keysFrom + pointAt(at)];
}`

const digitOf = (key: string) => `(${key} >> run.shift) & ${digits - 1}u`

const countDigits = shader(
  { label: 'sort: count the digits of each tile', resources, fields, workgroup: lanes, memory: 4 * digits },
  wgsl`
var<workgroup> found: array<atomic<u32>, ${digits}>;
${keyFunctions}

${entry(
  lanes,
  wgsl`let place = group.x + group.z * groups.x;
atomicStore(&found[lane], 0u);
workgroupBarrier();
for (var row = 0u; row < run.rows; row++) {
  let at = (place * run.rows + row) * ${lanes}u + lane;
  if (at < run.count) { atomicAdd(&found[${digitOf('keyAt(at)')}], 1u); }
}
workgroupBarrier();
if (place < run.tiles) { counts[place * ${digits}u + lane] = atomicLoad(&found[lane]); }`,
)}`,
)

const sumCounts = shader(
  { label: 'sort: add up the counts of each digit', resources, fields, workgroup: lanes, memory: 4 * lanes },
  wgsl`
var<workgroup> sums: array<u32, ${lanes}>;

${entry(
  lanes,
  wgsl`// Replaces each count by the number of keys with that digit in earlier tiles. Each invocation adds up some tiles.
let own = lane % ${digitsAtOnce}u;
let digit = group.x * ${digitsAtOnce}u + own;
let share = lane / ${digitsAtOnce}u;
let length = (run.tiles + ${sharers - 1}u) / ${sharers}u;
let first = share * length;
let last = min(first + length, run.tiles);
var sum = 0u;
for (var place = first; place < last; place++) { sum += counts[place * ${digits}u + digit]; }
sums[lane] = sum;
workgroupBarrier();
var before = 0u;
for (var other = 0u; other < share; other++) { before += sums[other * ${digitsAtOnce}u + own]; }
for (var place = first; place < last; place++) {
  let found = counts[place * ${digits}u + digit];
  counts[place * ${digits}u + digit] = before;
  before += found;
}
if (share == ${sharers - 1}u) { counts[run.tiles * ${digits}u + digit] = before; }`,
)}`,
)

const moveKeys = shader(
  {
    label: 'sort: move the keys',
    resources,
    fields,
    workgroup: lanes,
    memory: 4 * (digits * words + digits + lanes),
  },
  wgsl`
// One bit for each digit and lane of a row, set if the key of the lane has that digit.
var<workgroup> marks: array<atomic<u32>, ${digits * words}>;
// Where the next key of each digit goes.
var<workgroup> next: array<u32, ${digits}>;
${runningSum(lanes)}
${keyFunctions}

${entry(
  lanes,
  wgsl`let place = group.x + group.z * groups.x;
for (var word = 0u; word < ${words}u; word++) { atomicStore(&marks[word * ${lanes}u + lane], 0u); }
let all = counts[run.tiles * ${digits}u + lane];
let smaller = runningSum(all, lane) - all;
next[lane] = smaller + counts[min(place, run.tiles - 1u) * ${digits}u + lane];
for (var row = 0u; row < run.rows; row++) {
  let at = (place * run.rows + row) * ${lanes}u + lane;
  let inside = at < run.count;
  var key = 0u;
  var point = 0u;
  if (inside) {
    key = keyAt(at);
    point = pointAt(at);
  }
  let digit = ${digitOf('key')};
  if (inside) { atomicOr(&marks[digit * ${words}u + lane / 32u], 1u << (lane % 32u)); }
  workgroupBarrier();
  var before = 0u;
  var ofDigit = 0u;
  for (var word = 0u; word < ${words}u; word++) {
    let marked = atomicLoad(&marks[digit * ${words}u + word]);
    let lower = select(0u, marked, word < lane / 32u) | select(0u, marked & ((1u << (lane % 32u)) - 1u), word == lane / 32u);
    before += countOneBits(lower);
    ofDigit += countOneBits(marked);
  }
  let goes = next[digit] + before;
  workgroupBarrier();
  if (inside) {
    keys[run.keysTo + goes] = key;
    order[run.orderTo + goes] = point;
    if (before == 0u) {
      next[digit] += ofDigit;
      for (var word = 0u; word < ${words}u; word++) { atomicStore(&marks[digit * ${words}u + word], 0u); }
    }
  }
  workgroupBarrier();
}`,
)}`,
)

/** The shaders of a pass, in running order. */
export const sortShaders: Readonly<Record<'countDigits' | 'sumCounts' | 'moveKeys', Shader>> = {
  countDigits,
  sumCounts,
  moveKeys,
}
