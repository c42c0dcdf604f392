/**
 * The design of a sum with a tolerance: points in blocks, as in the loop by blocks, and proxies, which are further sources.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { namedTape, pairBody } from '@manybody/core/expression'
import type { PhaseShape, ProgramDesign } from '../../design/design.ts'
import { stackBytes } from '../../design/order-layout.ts'
import { gridScratch } from '../../design/proxy-layout.ts'
import { ModuleWriter, type WriterOptions } from '../expressions/module-writer.ts'
import { sumOf } from '../folds/sum.ts'
import { defineScatter } from '../loops/block-loop.ts'
import { defineTreePass } from '../loops/tree-pass.ts'
import { bytesOf, pointValues, preparePoints, storesOf } from '../parts/points.ts'
import { defineGather } from '../proxies/node-proxies.ts'
import { defineReach } from '../proxies/node-reach.ts'
import { proxyPhases } from '../proxies/proxy-phases.ts'
import { defineOrder } from '../ranges/order-points.ts'
import { orderedSides } from './pair-design.ts'
import { cheapUnits, inputsOf, orderingOf } from './pair-program.ts'
import { loopReport } from './variant.ts'
import { encoded } from './written.ts'

/** Registers of targets in the inner loop. The sums of more targets do not fit in the processor's registers. */
const registers = 1

/** @param workload its source attributes are `weights`, which proxies add up */
export function treeDesign(
  workload: PairWorkload,
  shape: Shape,
  options: WriterOptions & { readonly guard: Guard; readonly weights: readonly string[] },
): ProgramDesign {
  const { dimension } = shape
  const writer = new ModuleWriter(options)
  const { vector } = writer
  const precision = vector.bytes === 4 ? 'f32' : 'f64'
  const body = pairBody(workload, shape, { guard: options.guard, precision, masked: true, roots: 'sqrt' })
  const [targets, sources] = [pointValues(body, 'target', 'register'), pointValues(body, 'source', 'record')]
  const { run, attributes } = body
  const ofTargets = { run, bindings: body.target, attributes: attributes.targets, dimension }
  const ofSources = { run, bindings: body.source, attributes: attributes.sources, dimension }
  preparePoints(writer, targets, { ...ofTargets, ordered: true })
  preparePoints(writer, sources, { ...ofSources, ordered: true })
  preparePoints(writer, sources, { ...ofSources, ordered: false, proxies: true })
  const fold = sumOf(workload)(writer, body.form === 'radial' ? dimension : body.terms.length)
  const sides = orderedSides(shape)
  const exclusions = workload.domain.exclusions.length > 0
  for (const [n, side] of sides.entries())
    defineOrder(writer, side, {
      ...{ dimension, periodic: false, split: false },
      places: exclusions && n === sides.length - 1,
      ...{ coordinateBytes: vector.bytes, boxesOfBlocks: false, lowest: false },
    })
  const [records = 'target'] = sides.toReversed()
  const { weights } = options
  defineGather({ writer, dimension, weights }, records)
  defineReach({ writer, dimension, sameSet: shape.sameSet }, records)
  const pass = defineTreePass({
    writer,
    body,
    fold,
    targets,
    sources,
    registers,
    dimension,
    exclusions,
    sameSet: shape.sameSet,
  })
  defineScatter(writer, fold.results)
  const cheap = { points: vector.lanes, callUnits: cheapUnits, pairs: false, nanoseconds: 2 }
  const pairs: PhaseShape = {
    name: 'pairs',
    points: pass.unitTargets,
    callUnits: pass.callUnits,
    over: 'target',
    pairs: true,
    nanoseconds: vector.bytes === 4 ? 0.6 : 1.2,
  }
  return encoded({
    ...loopReport(workload, shape, { writer, visit: 'all', registers, inBlocks: true }),
    writer,
    run: namedTape(run),
    arrays: inputsOf(shape, { attributes, folds: [], vector: undefined }),
    results: fold.results,
    phases: [
      ...orderingOf(shape),
      ...proxyPhases,
      // Each of these phases overwrites a region that nothing reads any more: weights, the records of points, then proxies as
      // attributes.
      { ...cheap, name: 'targets', over: 'target' },
      { ...cheap, name: 'proxies', over: 'proxy' },
      { ...cheap, name: 'sources', over: 'source' },
      pairs,
      { ...cheap, name: 'scatter', over: 'target', points: 1 },
    ],
    scratchBytes: Math.max(pass.scratchBytes, gridScratch(dimension, weights.length), stackBytes),
    ...(pass.nodeSet && { nodeSet: true }),
    parameters: {},
    inPlace: 'direct',
    coordinateBytes: vector.bytes,
    recordBytes: bytesOf(writer, sources),
    points: storesOf(writer, targets, sources),
  })
}
