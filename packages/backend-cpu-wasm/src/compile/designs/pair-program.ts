/**
 * The program of a pair workload: its phases around a pair loop, and the arrays that they read.
 *
 * @module
 */

import type { PairWorkload, Shape } from '@manybody/core'
import type { PairBody } from '@manybody/core/expression'
import { namedTape } from '@manybody/core/expression'
import type { InputArray, PhaseShape, Side } from '../../design/design.ts'
import type { LoopOptions } from '../../design/loop-plan.ts'
import type { WriterOptions } from '../expressions/module-writer.ts'
import { foldTime, pairTime } from '../plans/pair-time.ts'
import { orderPhases } from '../ranges/order-phases.ts'
import { orderedSides, type PairParts, pairDesign } from './pair-design.ts'
import { loopReport } from './variant.ts'
import type { WrittenDesign } from './written.ts'

/** Units of a cheap phase in one call. They take some tens of microseconds. */
export const cheapUnits = 4096
/** Lists to sort in one call. They may be long. */
const listUnits = 64
/** Nanoseconds to sort a list of some tens of sources. */
const sorting = 200

/** The phases that put points in order. */
export function orderingOf(shape: Shape): readonly PhaseShape[] {
  return orderedSides(shape).flatMap(orderPhases)
}

/** The arrays of both sides that a pair loop reads. Positions may be absent if a law reads vectors. */
export function inputsOf(
  { dimension, vectors, lengths }: Shape,
  { attributes: { targets, sources }, folds, vector }: Pick<PairBody, 'attributes' | 'folds' | 'vector'>,
): readonly InputArray[] {
  const read = (side: Side) => {
    const loops = vector ? [...folds, vector] : folds
    const names = loops
      .flatMap(({ vectors }) => vectors)
      .filter((name) => name.endsWith(side === 'target' ? '_i' : '_j'))
    return [...new Set(names.map((name) => name.slice(0, -2)))]
  }
  const of = (side: Side, list: readonly string[]): readonly InputArray[] => [
    ...(lengths && !vectors.includes('position') ? [] : [{ side, name: 'position', components: dimension }]),
    ...list.map((name) => ({ side, name, components: 1 })),
    ...read(side).map((name) => ({ side, name, components: lengths?.[name] ?? 1 })),
  ]
  return [...of('target', targets), ...of('source', sources)]
}

/** @param parts the folds and loops that are loaded */
export function pairProgram(
  workload: PairWorkload,
  shape: Shape,
  options: WriterOptions,
  loop: LoopOptions,
  parts: PairParts,
): WrittenDesign {
  const pair = pairDesign(workload, shape, { ...options, ...loop }, parts)
  const { sizes } = pair.body
  const precision = options.vector.bytes === 4 ? 'f32' : 'f64'
  const [once, ordered] = [loop.visit === 'once', loop.visit === 'blocks']
  const cheap = { points: options.vector.lanes, callUnits: cheapUnits, pairs: false, nanoseconds: 2 }
  const listed = pair.results.some((result) => result.listed)
  const sorts = { callUnits: listUnits, nanoseconds: sorting }
  const pairs: PhaseShape = {
    name: 'pairs',
    points: pair.unitTargets,
    ...(once && { units: 'blocks' as const }),
    callUnits: pair.callUnits,
    over: 'target',
    pairs: true,
    nanoseconds: (options.vector.bytes === 4 ? 0.6 : 1.2) * (once ? 0.6 : 1),
  }
  return {
    ...loopReport(workload, shape, { ...pair, visit: loop.visit, inBlocks: ordered }),
    writer: pair.writer,
    run: namedTape(pair.body.run),
    arrays: inputsOf(shape, pair.body),
    results: pair.results,
    parameters: loop.divides ? { inertiaUnit: 1 } : {},
    inPlace: 'direct',
    scratchBytes: pair.scratchBytes,
    once: pair.once,
    pairTime: pairTime(pair.body, precision) + foldTime(workload.reduction, precision),
    points: pair.points,
    coordinateBytes: pair.coordinateBytes,
    phases: [
      ...(ordered ? orderingOf(shape) : []),
      { ...cheap, name: 'targets', over: 'target' },
      ...(pair.sources.laneAt ? [] : [{ ...cheap, name: 'sources', over: 'source' as const }]),
      ...(once
        ? [
            {
              ...cheap,
              name: 'clear',
              over: 'target' as const,
              units: 'parts' as const,
              nanoseconds: 1,
              perPart: true,
            },
          ]
        : []),
      ...(sizes && parts.blocks ? parts.blocks.sizePhases(shape.sameSet, sizes.source !== sizes.target) : []),
      pairs,
      ...(loop.lasts
        ? [
            { ...cheap, name: 'displacements', over: 'target' as const, points: 1 },
            ...['list', 'listed'].map((name) => ({ ...pairs, name, callUnits: 1, pairs: false, nanoseconds: 200 })),
          ]
        : []),
      ...(once ? [{ ...cheap, name: 'collect', over: 'target' as const, nanoseconds: 2, perPart: true }] : []),
      ...(ordered ? [{ ...cheap, name: 'scatter', over: 'target' as const, points: 1, ...(listed ? sorts : {}) }] : []),
    ],
  }
}
