/** The least time that workloads other than forces can take on an NVIDIA H200, limited by its arithmetic or its memory. */

/** Instructions that start per second, over all lanes: 132 multiprocessors of 128 lanes at 1.98 GHz. */
const lanes = 132 * 128 * 1.98e9
/** Bytes per second, as the manufacturer states them. */
const bandwidth = 4.8e12
/** Microseconds of the smallest measured dispatch. */
const dispatch = 2.2

interface Bound {
  /** The bound in seconds, for n points. */
  readonly least: (n: number) => number
  readonly why: string
}

const pairs: Bound = {
  least: (n) => (7 * n * n) / lanes,
  why: '7 instructions a pair: 3 differences, 3 products, 1 minimum',
}

const bounds: Readonly<Record<string, Bound>> = {
  matrix: { least: (n) => (4 * n * n) / bandwidth, why: '4 bytes a pair to write' },
  argmin: pairs,
  'nearest(8)': pairs,
}

/** Describes the bound of a workload. */
export const boundOf = (law: string): string => bounds[law]?.why ?? ''

/** The share of the bound that a time in microseconds reaches: `67 %`. */
export function shareOfBound(law: string, n: number, time: number): string {
  const { least } = bounds[law] ?? {}
  return least ? `${Math.round((100 * (1e6 * least(n) + dispatch)) / time)} %` : ''
}
