/**
 * The least and the largest of many numbers without their signs, and whether their sum is finite. Core reads every number of every
 * call and every result, so this is WebAssembly: about five times as fast as a loop in JavaScript.
 *
 * @module
 */

export type FloatArray = Float32Array | Float64Array

/** The most numbers that are compared at once: as many as a first-level cache holds. */
export const windowLength: number = 2 ** 12
/** Fewer are not worth the copy. */
const fewest = 256

/**
 * The module below as text. The numbers are at the start of the memory, up to byte `$end`; the results are on the second page. The
 * sum has four chains, because each addition waits for the one before.
 *
 *     (module
 *       (memory (export "memory") 2)
 *       (func (export "run") (param $end i32) (local $at i32) (local $mask v128) (local $most v128) (local $least v128) (local $x v128)
 *         (local.set $least (local.tee $mask (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)))
 *         (loop $next
 *           (local.tee $x (v128.and (v128.load (local.get $at)) (local.get $mask)))
 *           (local.set $most (i32x4.max_s (local.get $most)))
 *           (local.set $least (i32x4.min_s (local.get $x) (local.get $least)))
 *           (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
 *         (v128.store offset=65536 (i32.const 0) (local.get $most))
 *         (v128.store offset=65552 (i32.const 0) (local.get $least)))
 *       (func (export "add") (param $end i32) (local $at i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
 *         (loop $next
 *           (local.set $a (f32x4.add (local.get $a) (v128.load (local.get $at))))
 *           (local.set $b (f32x4.add (local.get $b) (v128.load offset=16 (local.get $at))))
 *           (local.set $c (f32x4.add (local.get $c) (v128.load offset=32 (local.get $at))))
 *           (local.set $d (f32x4.add (local.get $d) (v128.load offset=48 (local.get $at))))
 *           (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
 *         (v128.store offset=65536 (i32.const 0)
 *           (f32x4.add (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (local.get $c)) (local.get $d)))))
 */
const code = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // version 1
  ...[1, 5, 1, 0x60, 1, 0x7f, 0], // types: (i32)
  ...[3, 3, 2, 0, 0], // functions
  ...[5, 3, 1, 0, 2], // memory: 2 pages
  ...[7, 22, 3, 6, ...letters('memory'), 2, 0, 3, ...letters('run'), 0, 0, 3, ...letters('add'), 0, 1], // exports
  ...[10, 0xc1, 1, 2], // two functions
  ...[91, 2, 1, 0x7f, 4, 0x7b], // the first one: its locals,
  ...[0xfd, 12, ...Array.from({ length: 16 }, (_, n) => (n % 4 === 3 ? 0x7f : 0xff))],
  ...[0x22, 2, 0x21, 4], // mask and least,
  ...[3, 0x40], // the loop,
  ...[0x20, 1, 0xfd, 0, 4, 0, 0x20, 2, 0xfd, 0x4e, 0x22, 5], // x,
  ...[0x20, 3, 0xfd, 0xb8, 1, 0x21, 3], // the largest,
  ...[0x20, 5, 0x20, 4, 0xfd, 0xb6, 1, 0x21, 4], // the least,
  ...[0x20, 1, 0x41, 16, 0x6a, 0x22, 1, 0x20, 0, 0x49, 0x0d, 0, 0x0b], // the end of the loop,
  ...[0x41, 0, 0x20, 3, 0xfd, 11, 4, 0x80, 0x80, 4], // and the results
  ...[0x41, 0, 0x20, 4, 0xfd, 11, 4, 0x90, 0x80, 4],
  0x0b,
  ...[99, 2, 1, 0x7f, 4, 0x7b], // the second one: its locals,
  ...[3, 0x40], // the loop,
  ...[2, 3, 4, 5].flatMap((chain, n) => [0x20, chain, 0x20, 1, 0xfd, 0, 4, 16 * n, 0xfd, 0xe4, 1, 0x21, chain]),
  ...[0x20, 1, 0x41, 0xc0, 0, 0x6a, 0x22, 1, 0x20, 0, 0x49, 0x0d, 0, 0x0b], // the end of the loop,
  ...[0x41, 0, 0x20, 2, 0x20, 3, 0xfd, 0xe4, 1], // and the result
  ...[0x20, 4, 0xfd, 0xe4, 1, 0x20, 5, 0xfd, 0xe4, 1, 0xfd, 11, 4, 0x80, 0x80, 4],
  0x0b,
)

function letters(name: string): readonly number[] {
  return Array.from(name, (letter) => letter.charCodeAt(0))
}

interface Scanner {
  readonly run: (end: number) => void
  readonly add: (end: number) => void
  readonly floats: Float32Array
  /** As integers: the largest, then the least; as floats: four sums. */
  readonly results: Int32Array
  readonly sums: Float32Array
}

/** Undefined where pages may not compile WebAssembly, or it lacks vectors. */
function scannerOf(): Scanner | undefined {
  try {
    const { run, add, memory } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as {
      readonly run: Scanner['run']
      readonly add: Scanner['add']
      readonly memory: WebAssembly.Memory
    }
    const results = new Int32Array(memory.buffer, 2 ** 16, 8)
    const sums = new Float32Array(memory.buffer, 2 ** 16, 4)
    return { run, add, floats: new Float32Array(memory.buffer, 0, windowLength), results, sums }
  } catch {
    return undefined
  }
}

const withoutSign = 0x7fffffff

let scanner: Scanner | undefined | 'unknown' = 'unknown'

/** Undefined if a loop is as fast, or there is no WebAssembly. */
function scannerFor(length: number): Scanner | undefined {
  if (length < fewest) return undefined
  if (scanner === 'unknown') scanner = scannerOf()
  return scanner
}

/** Some of the numbers. A view is an object, so there is none for all of them. */
export const partOf = (array: FloatArray, first: number, last: number): FloatArray =>
  first === 0 && last === array.length ? array : array.subarray(first, last)

/**
 * Whether the sum of up to {@link windowLength} numbers is finite in float32. It is not if one of them is not, and the sum of large
 * numbers may be infinite, too. Undefined where {@link extremes} is.
 */
export function hasFiniteSum(array: FloatArray, first: number, last: number): boolean | undefined {
  const found = scannerFor(last - first)
  if (!found) return undefined
  const { add, floats, sums } = found
  floats.set(partOf(array, first, last))
  // The last round may have fewer than sixteen numbers.
  const end = Math.ceil((last - first) / 16) * 16
  if (end > last - first) floats.fill(0, last - first, end)
  add(4 * end)
  return Number.isFinite((sums[0] as number) + (sums[1] as number) + (sums[2] as number) + (sums[3] as number))
}

const latest = { least: 0, most: 0 }

/**
 * The bits of the least and of the largest of up to {@link windowLength} numbers in float32, without their signs, until the next call.
 * Undefined if a loop is as fast, or there is no WebAssembly.
 */
export function extremes(
  array: FloatArray,
  first: number,
  last: number,
): { readonly least: number; readonly most: number } | undefined {
  const found = scannerFor(last - first)
  if (!found) return undefined
  const { run, floats, results } = found
  floats.set(partOf(array, first, last))
  // The last vector may hold fewer than four numbers: repeat one that counts anyway.
  const end = Math.ceil((last - first) / 4) * 4
  if (end > last - first) floats.fill(floats[0] as number, last - first, end)
  run(4 * end)
  latest.most = 0
  latest.least = withoutSign
  for (let n = 0; n < 4; n++) {
    latest.most = Math.max(latest.most, results[n] as number)
    latest.least = Math.min(latest.least, results[4 + n] as number)
  }
  return latest
}
