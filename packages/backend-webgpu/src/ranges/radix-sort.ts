/**
 * Sorting whole numbers on the device, with the number of the point that each belongs to. Keys are sorted by 8 bits at a time,
 * in three dispatches each: tiles of keys count their digits, counts become places, and the keys go there.
 *
 * Equal keys keep their order, so that the outcome depends on the keys alone. No workgroup waits for another: WebGPU does not
 * promise that the other ever runs.
 *
 * @module
 */
import { type Dispatch, type Field, type Resource, type Shader, shader } from '../wgsl/shader.ts'
import { spread } from '../wgsl/spread.ts'
import { wgsl } from '../wgsl/wgsl.ts'

/** Invocations of a workgroup, one for each digit. */
const lanes = 256
const digits = lanes
const digitBits = 8
/** Keys of a workgroup in rows, one key for each invocation. */
const rows = 8
const tile = lanes * rows
/** Words that hold a bit for each key of a row. */
const words = lanes / 32

/** Passes over keys of 32 bits: an even number, so that the sorted keys end where they began. */
const passes = 4

/** Words of the arrays that sorting needs: keys and points twice each, as every pass reads one half and writes the other. */
export const sortedWords = (count: number): number => 2 * count
/** Words of the counts: tile by tile of each digit, then of each digit in all. */
export const countWords = (count: number): number => digits * (tilesOf(count) + 1)

const tilesOf = (count: number) => Math.ceil(count / tile)

const fields: readonly Field[] = [
  { name: 'count', type: 'u32', note: 'keys' },
  { name: 'tiles', type: 'u32', note: 'workgroups that count' },
  { name: 'shift', type: 'u32', note: 'bits below those of this pass' },
  { name: 'keysFrom', type: 'u32', note: 'where the keys are' },
  { name: 'keysTo', type: 'u32', note: 'where they go' },
  { name: 'orderFirst', type: 'u32', note: 'where the points of this set begin' },
]

const resources: readonly Resource[] = [
  { key: 'keys', access: 'read_write', type: 'u32' },
  { key: 'order', access: 'read_write', type: 'u32' },
  { key: 'counts', access: 'read_write', type: 'u32' },
]

const entry = (body: string) => wgsl`@compute @workgroup_size(${lanes})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${body}
}
`

/** Invocations that share the counts of a digit, and digits of a workgroup that adds these up. */
const sharers = 32
const digitsAtOnce = lanes / sharers

/** Adds up, for each lane, the values of the lanes up to it. */
const runningSum = wgsl`
var<workgroup> sums: array<u32, ${lanes}>;
fn runningSum(value: u32, lane: u32) -> u32 {
  sums[lane] = value;
  workgroupBarrier();
  for (var step = 1u; step < ${lanes}u; step *= 2u) {
    var sum = sums[lane];
    if (lane >= step) { sum += sums[lane - step]; }
    workgroupBarrier();
    sums[lane] = sum;
    workgroupBarrier();
  }
  return sums[lane];
}`

const digitOf = (key: string) => `(${key} >> run.shift) & ${digits - 1}u`

const countDigits = shader(
  { label: 'sort: count the digits of each tile', resources, fields, workgroup: lanes, memory: 4 * digits },
  wgsl`
var<workgroup> found: array<atomic<u32>, ${digits}>;

${entry(wgsl`let place = group.x + group.z * groups.x;
atomicStore(&found[lane], 0u);
workgroupBarrier();
for (var row = 0u; row < ${rows}u; row++) {
  let at = place * ${tile}u + row * ${lanes}u + lane;
  if (at < run.count) { atomicAdd(&found[${digitOf('keys[run.keysFrom + at]')}], 1u); }
}
workgroupBarrier();
if (place < run.tiles) { counts[place * ${digits}u + lane] = atomicLoad(&found[lane]); }`)}`,
)

const sumCounts = shader(
  { label: 'sort: add up the counts of each digit', resources, fields, workgroup: lanes, memory: 4 * lanes },
  wgsl`
var<workgroup> sums: array<u32, ${lanes}>;

${entry(wgsl`// How many keys of a digit are in the tiles before each. Every invocation has some tiles.
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
if (share == ${sharers - 1}u) { counts[run.tiles * ${digits}u + digit] = before; }`)}`,
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
// Which lanes of a row have a key of each digit.
var<workgroup> marks: array<atomic<u32>, ${digits * words}>;
// Where the next key of each digit goes.
var<workgroup> next: array<u32, ${digits}>;
${runningSum}

${entry(wgsl`let place = group.x + group.z * groups.x;
for (var word = 0u; word < ${words}u; word++) { atomicStore(&marks[word * ${lanes}u + lane], 0u); }
let all = counts[run.tiles * ${digits}u + lane];
let smaller = runningSum(all, lane) - all;
next[lane] = smaller + counts[min(place, run.tiles - 1u) * ${digits}u + lane];
let tileRows = min(${rows}u, (run.count - min(place * ${tile}u, run.count) + ${lanes - 1}u) / ${lanes}u);
for (var row = 0u; row < tileRows; row++) {
  let at = place * ${tile}u + row * ${lanes}u + lane;
  let inside = at < run.count;
  var key = 0u;
  var point = at;
  if (inside) {
    key = keys[run.keysFrom + at];
    // Before the first pass, each point is in its place.
    if (run.shift > 0u) { point = order[run.orderFirst + run.keysFrom + at]; }
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
    order[run.orderFirst + run.keysTo + goes] = point;
    if (before == 0u) {
      next[digit] += ofDigit;
      for (var word = 0u; word < ${words}u; word++) { atomicStore(&marks[digit * ${words}u + word], 0u); }
    }
  }
  workgroupBarrier();
}`)}`,
)

/** All shaders, in the order in which they first run. */
export const sortShaders: readonly Shader[] = [countDigits, sumCounts, moveKeys]

/**
 * Sorts `count` keys, the first of `keys`. Then `order`, from `orderFirst` on, has the points in the order of their keys.
 *
 * @param orderFirst where the numbers of points are, which take as many words as `sortedWords` says
 */
export function sortDispatches(count: number, orderFirst: number): readonly Dispatch[] {
  const tiles = tilesOf(count)
  const [x, z] = spread(tiles)
  const size = [x, 1, z] as const
  return Array.from({ length: passes }, (_, pass): readonly Dispatch[] => {
    const [keysFrom, keysTo] = pass % 2 ? [count, 0] : [0, count]
    const values = { count, tiles, shift: digitBits * pass, keysFrom, keysTo, orderFirst }
    return [
      { shader: countDigits, values, size },
      { shader: sumCounts, values, size: [digits / digitsAtOnce, 1, 1] },
      { shader: moveKeys, values, size },
    ]
  }).flat()
}
