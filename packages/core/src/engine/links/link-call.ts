/**
 * A call of an engine over links, checked and ready to run or to be verified.
 *
 * @module
 */

import { hasNames } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import { dimensionOf, kindsIn } from '../../problem/loaded-at-once.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import type { Attributes } from '../../problem/workloads/particles.ts'
import type { MapWorkload, Shape } from '../../problem/workloads/workload.ts'
import { lookupsOfEnds } from '../../simulation/forces/link-calls.ts'
import type { EngineCalls } from '../calls/engine-calls.ts'
import type { CurrentDevice, Wanted } from '../devices/current-device.ts'
import type { PreparedLinks, RunResult } from '../run-types.ts'
import { type PreparedShape, shapeOf } from '../shape.ts'
import type { Verification } from '../verification.ts'
import { linkEnds } from './link-ends.ts'
import { asMapOfPoints, namesRead } from './link-map.ts'
import { type LinkWorkload, linkWorkloadOf } from './over-links.ts'
import { boundLinks, type LinkRun, type LinkRunOptions, numbersOfEnds, runLinks, runMaps } from './run-links.ts'
import { verifyLinks } from './verify-links.ts'

export interface LinkCall<P extends Precision> {
  readonly bound: LinkRun
  run<Name extends string>(): Promise<RunResult<Name, P>>
  verify(sample: number | undefined): Promise<Verification>
}

/** @throws TypeError, RangeError */
export function linkCall<P extends Precision>(
  workload: LinkWorkload,
  points: Attributes,
  options: LinkRunOptions,
  current: CurrentDevice,
  calls: EngineCalls<P>,
): LinkCall<P> {
  const precision = current.device.info.precision as P
  const bound = boundLinks(workload, points, options, precision)
  const { signal, onProgress } = options
  const run = <Name extends string>() =>
    runLinks<Name, P>(bound, (ends) => calls.run<'term'>(ends, { signal, onProgress }))
  return {
    bound,
    run,
    verify: async (sample) => verifyLinks(bound, await run(), sample),
  }
}

/**
 * Compiles the maps of a workload over links for points of one shape.
 *
 * @param callOf a call of the workload
 * @throws TypeError, RangeError
 */
export async function preparedLinks<Name extends string, P extends Precision>(
  given: LinkWorkload<Name>,
  wanted: PreparedShape | undefined,
  current: CurrentDevice,
  callOf: (points: Attributes, options: LinkRunOptions) => Promise<LinkCall<P>>,
): Promise<PreparedLinks<Name, P>> {
  const workload = linkWorkloadOf(given)
  if (hasNames(wanted) && 'lengths' in wanted)
    throw new TypeError(
      '"lengths" expected nothing, because a program over links takes vectors of any length; leave lengths out',
    )
  const shape = shapeOf(asMapOfPoints(workload, dimensionOf(wanted?.dimension, '')), wanted)
  const bound = boundLinks(workload, sampleOf(workload, shape), {}, current.device.info.precision)
  const ends = linkEnds(workload)
  const made: Wanted[] = []
  await runMaps(bound, ends, numbersOfEnds(bound, ends), async ({ workload: stage, shape: ofEnds }) => {
    const one = { workload: stage, shape: ofEnds }
    made.push(one)
    await current.running(one, (programs) => programs.using(stage, ofEnds, undefined, async () => ({})))
    const widths = [...mapComponents(stage as MapWorkload, ofEnds)]
    return Object.fromEntries(widths.map(([name, { length }]) => [name, new Float64Array(length * ends.count)]))
  })
  let disposed = false
  return {
    async run(points, options = {}) {
      if (disposed) throw new Error('Cannot run: the program was disposed; prepare it again')
      const { bound: now, run } = await callOf(points as Attributes, options)
      if (now.points !== shape.targets || now.shape.dimension !== shape.dimension)
        throw new RangeError(
          `"points" expected ${shape.targets} points in ${shape.dimension}-D, as prepared, got ${now.points} in ${now.shape.dimension}-D`,
        )
      return run()
    },
    dispose() {
      disposed = true
      for (const one of made) current.forget(one)
    },
  }
}

/** Points of a shape with all arrays that the workload reads, as if all were in one place. */
function sampleOf({ links, reduction }: LinkWorkload, { targets, dimension, vectors }: Shape): Attributes {
  const lookups = 'bonds' in links && links.law.tables ? lookupsOfEnds(links.law) : []
  const kinds = kindsIn(lookups, ('bonds' in links && links.law.tables) || {}).map(({ attribute }) => attribute)
  const names = namesRead({ links, reduction }, dimension).map((name) => {
    const vector = name.replace(/_[xyz]$/, '')
    return vectors.includes(vector) ? vector : name
  })
  const law = 'bonds' in links ? links.law : undefined
  /** A map of links has no loop over components, so any length will do. */
  const lengthOf = (name: string) => {
    const group = law && vectorsOf(law)?.groups.find((one) => one.includes(name))
    return group?.flatMap((one) => law?.vectors?.[one]?.length ?? [])[0] ?? 1
  }
  const arrays = [...new Set([...names, ...vectors])].map((name) => {
    const width = vectors.includes(name) ? dimension : lengthOf(name)
    return [name, new Float64Array(targets * width).fill(kinds.includes(name) ? 0 : 1)] as const
  })
  return { ...Object.fromEntries(arrays), dimension, ...(law && vectorsOf(law) && { count: targets }) } as Attributes
}
