/**
 * A sum over the invocations of a workgroup, in WGSL.
 *
 * @module
 */
import { wgsl } from '../../design/wgsl.ts'

/** A function that adds up the values of all lanes up to each lane. */
export const runningSum = (lanes: number): string => wgsl`
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
