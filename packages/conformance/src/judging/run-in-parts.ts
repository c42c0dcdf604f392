/**
 * Runs a program over ranges of targets and sources and puts the results together, as a time-sliced or divided run would.
 *
 * @module
 */
import type { ArrayResults, Device, Program, Range, RunOptions, Workload } from '@manybody/core'
import { makesLists, pairsIn, rangesWithin, runRanges } from '@manybody/core/backend'
import { type Bound, listsTogether } from '@manybody/core/judge'
import type { RangeParts } from '../case.ts'
import { InputCopies } from './inputs.ts'
import { reportFaults } from './report-faults.ts'

export interface PartedRun {
  readonly results: ArrayResults
  readonly faults: readonly string[]
}

/** Runs every target range over every source range in order or, without parts, everything at once. */
export async function runInParts(
  device: Device,
  program: Program,
  bound: Bound & { readonly workload: Workload },
  parts: RangeParts = {},
): Promise<PartedRun> {
  const faults: string[] = []
  const pieces: ArrayResults[] = []
  for (const targets of parts.targets ?? [undefined]) {
    let results: ArrayResults | undefined
    for (const sources of parts.sources ?? [undefined]) {
      const part = { ...(targets ? { targets } : {}), ...(sources ? { sources } : {}) }
      const run = await runPart(device, program, bound, { ...part, ...(results ? { initial: results } : {}) })
      results = run.results
      faults.push(...run.faults)
    }
    if (results) pieces.push(results)
  }
  const together = makesLists(bound.workload) ? listsTogether : concatenated
  return { results: pieces.length === 1 ? (pieces[0] as ArrayResults) : together(pieces), faults }
}

async function runPart(
  { info }: Device,
  program: Program,
  { workload, shape, bindings }: Bound & { readonly workload: Workload },
  options: RunOptions,
): Promise<PartedRun> {
  const inputs = new InputCopies(bindings, options.initial)
  const fractions: number[] = []
  const start = performance.now()
  const results = await program.run(bindings, { ...options, onProgress: (fraction) => fractions.push(fraction) })
  const waited = performance.now() - start
  const length = (range: Range | undefined, all: number) => (range ? range[1] - range[0] : all)
  const { ranges } = bindings
  const part = runRanges(workload, shape, options)
  const pairs = ranges && pairsIn(rangesWithin(ranges, part))
  const visited = { targets: length(options.targets, shape.targets), sources: length(options.sources, shape.sources) }
  return {
    results,
    faults: [
      ...inputs.changes(),
      ...reportFaults(program.report, info, { workload, shape, visited, pairs, waited }),
      ...progressFaults(fractions),
    ],
  }
}

function progressFaults(fractions: readonly number[]): readonly string[] {
  const wrong = fractions.find((fraction, n) => !(fraction >= (fractions[n - 1] ?? 0) && fraction <= 1))
  return wrong === undefined ? [] : [`onProgress expected fractions rising from 0 to 1, got ${fractions.join(', ')}`]
}

function concatenated(pieces: readonly ArrayResults[]): ArrayResults {
  const [first = {}] = pieces
  return Object.fromEntries(
    Object.entries(first).map(([name, array]) => {
      const arrays = pieces.map((piece) => piece[name] ?? array.subarray(0, 0))
      const whole = new (array.constructor as Float64ArrayConstructor)(
        arrays.reduce((length, each) => length + each.length, 0),
      )
      let at = 0
      for (const each of arrays) {
        whole.set(each, at)
        at += each.length
      }
      return [name, whole]
    }),
  )
}
