/** Sums with a tolerance on a graphics card, beside all pairs, from a record of `npm run bench:gpu`. */

import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { type GpuFigures, sourceOf } from './gpu-record.ts'

/** The law of these sums. */
export const treeLaw = 'point-gravity'

export function gpuTrees(figures: GpuFigures, link: string): string {
  const rows = figures.rows.filter(({ law }) => law === treeLaw)
  const allPairs = rows.filter(({ contender }) => contender === 'webgpu')
  const largest = allPairs.toSorted((a, b) => b.n - a.n)[0]
  if (!largest) throw new RangeError(`the record ${link} has no figure of all pairs of ${treeLaw}`)
  const allOf = (n: number): number => {
    const { time, n: timed } = allPairs.find((row) => row.n === n) ?? largest
    return (time * (n / timed) ** 2) / 1000
  }
  const lines = rows.flatMap(({ n, contender, variant, time, wall, clocked, p99, error }) => {
    const [, tolerance] = /^webgpu, tolerance (\S+)$/.exec(contender) ?? []
    if (tolerance === undefined) return []
    const [, setting = 'all pairs'] = /^tree \(([^)]*)\)/.exec(variant) ?? []
    const times = [clocked ? threeDigits(time / 1000) : '', threeDigits(wall / 1000), threeDigits(allOf(n))]
    return [[String(n), tolerance, setting, ...times, scientific(p99), scientific(error)]]
  })
  const head = ['points', 'tolerance', 'setting', 'device, ms', 'call, ms', 'all pairs, ms', 'p99', 'largest']
  const said = `Gravity in a cube: the tree on the device's clock; a call, which has copies from and to the host, and measures its error; and all pairs on the device's clock, which take ${threeDigits(allOf(largest.n))} ms at ${largest.n} points, and are extrapolated to more. Errors are those of 2048 targets.`
  const verdicts = (figures.record.judged ?? []).flatMap((one) =>
    'tolerances' in one && one.tolerances
      ? ` Before, ${one.tolerances.sums} other sums were judged, ${one.tolerances.trees} of them by a tree, with ${one.faults.length} faults.`
      : '',
  )
  return `${sourceOf(figures, link)} ${said}${verdicts.join('')}\n\n${markdownTable(head, lines)}`
}
