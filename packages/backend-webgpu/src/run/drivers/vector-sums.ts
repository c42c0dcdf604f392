/**
 * A sum that is a vector of any length. Each step visits as many sources as fit the time budget, and continues from the results of the
 * step before. If workgroups are few, the grid splits the sources, and a second dispatch adds up the parts.
 *
 * @module
 */
import type { VectorDesign, VectorVersion } from '../../design/design.ts'
import type { Dispatch } from '../../design/shader.ts'
import { alongZ, spread } from '../../design/spread.ts'
import { type DesignRun, type LoopDriver, type Step, spansOf, valuesOf } from './driver.ts'

export const vectorDriver: LoopDriver<VectorDesign> = (design, version, run, [result]) => {
  const [, [first, last]] = spansOf(run.bindings, run.options)
  const length = result?.length ?? 0
  const parts = partsOf(design, run, last - first)
  return {
    scratch: { partial: parts > 1 ? 4 * parts * length : 4 },
    steps: length > 0 ? stepsOf(design, version, run, length) : [],
  }
}

/** Parts into which the grid splits some sources. */
function partsOf({ sizes, blocks, parts, groups }: VectorDesign, run: DesignRun, sources: number): number {
  const [[first, last]] = spansOf(run.bindings, run.options)
  const others = Math.ceil((last - first) / sizes.ofGroup) * blocks
  return Math.max(1, Math.min(parts, Math.ceil(groups / others), Math.ceil(sources / sizes.sources)))
}

function* stepsOf(
  design: VectorDesign,
  { shaders, run }: VectorVersion,
  given: DesignRun,
  length: number,
): Generator<Step> {
  const { sizes, blocks, results } = design
  const { bindings, options, budget } = given
  const [[targetFirst, targetLast], [sourceFirst, sourceLast]] = spansOf(bindings, options)
  const targetCount = targetLast - targetFirst
  const parameters = valuesOf(run, bindings.parameters)
  const [x, z] = spread(Math.ceil(targetCount / sizes.ofGroup))
  let first = sourceFirst
  do {
    const fits = Math.ceil(budget() / targetCount / sizes.sources) * sizes.sources
    const left = sourceLast - first
    const count = fits * 1.5 >= left ? left : fits
    const wanted = partsOf(design, given, count)
    const chunk = Math.max(1, Math.ceil(count / wanted / sizes.sources)) * sizes.sources
    const parts = Math.max(1, Math.ceil(count / chunk))
    const values = {
      ...parameters,
      targetFirst,
      targetCount,
      sourceFirst: first,
      sourceLast: first + count,
      chunk,
      parts,
      carry: first > sourceFirst || options.initial ? 1 : 0,
    }
    const dispatches: Dispatch[] = [{ shader: shaders.loop, values, size: [x, parts * blocks, z] }]
    if (parts > 1)
      dispatches.push({ shader: shaders.add, values, size: alongZ(Math.ceil(length / shaders.add.workgroup)) })
    first += count
    const done = first >= sourceLast ? 1 : (first - sourceFirst) / (sourceLast - sourceFirst)
    const reads = done < 1 ? [] : results.map(({ name }) => ({ name, at: 0, length }))
    yield { dispatches, interactions: targetCount * count, done, reads }
  } while (first < sourceLast)
}
