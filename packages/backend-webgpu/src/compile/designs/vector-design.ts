/**
 * The design of a sum that is a vector of any length: its loop, and the sizes of that loop.
 *
 * @module
 */

import type { PairWorkload, Plan, Shape } from '@manybody/core'
import { type Guard, UnsupportedWorkloadError } from '@manybody/core/backend'
import { guardReadsVector, guardRule, namedTape, pairBody, type TermLoop } from '@manybody/core/expression'
import type { VectorDesign, VectorSizes, VectorVersion } from '../../design/design.ts'
import { leastLimits } from '../../design/least-limits.ts'
import type { Field } from '../../design/shader.ts'
import { arrayName } from '../../design/shader.ts'
import { versionFor } from '../../design/versions.ts'
import { derived, versionsFor } from '../../designs/lazily.ts'
import { accumulationOf } from '../../plans/accumulation.ts'
import { addParts, four, ofTile, tileBytes, type VectorTexts, vectorLoop } from '../loops/vector-loop.ts'
import { componentTexts } from '../parts/component-texts.ts'
import { pairTexts, tableNumbers } from '../parts/pair-texts.ts'

/** The name of its plan. */
const variant = 'vector'

/** Pairs of a tile, and the fewest sources and targets. */
const [mostPairs, leastSources, leastTargets] = [2048, 4, 16]
/** Targets of a workgroup by the length of vectors: more share a source, and fewer leave room for more components. */
const mostTargets = (length: number): number => (length > 512 ? 16 : length > 256 ? 32 : 64)
/** Numbers of one invocation in registers. */
const mostSums = 64
const mostParts = 16
/** The grid splits the sources until it has so many workgroups. */
const occupied = 1024

/**
 * @throws RangeError for sizes of a plan that do not fit; {@link UnsupportedWorkloadError} for another plan, if components decide which pairs
 * count, and if they read too many numbers: an engine then asks for a few components at a time
 */
export function vectorDesign(workload: PairWorkload, shape: Shape, plan: Plan | undefined): VectorDesign {
  if (plan && plan.variant !== variant)
    throw refused(workload, `its plan ${plan.variant} is for a few components at a time`)
  const { parts, ...others } = plan?.sizes ?? {}
  const [other] = Object.keys(others)
  if (other !== undefined) throw new RangeError(`"sizes" expected parts, got ${other}`)
  if (parts !== undefined && !(Number.isInteger(parts) && parts >= 1 && parts <= mostParts))
    throw new RangeError(`"parts" expected integer from 1 to ${mostParts}, got ${parts}`)
  const rule = guardRule(workload, shape)
  const written = versionsFor(rule, (guard) => writtenVector(workload, shape, guard))
  const { inputs, sizes, length, result } = versionFor({ versions: written, guard: rule })
  const blocks = Math.ceil(length / (sizes.lanes * sizes.components))
  const { workgroup, targets, components, sources } = sizes
  return {
    driver: 'vector',
    variant: `vector (workgroup ${workgroup}, targets ${targets}, components ${components}, tile ${sources}${parts === undefined ? '' : `, parts ${parts}`})`,
    accumulation: accumulationOf(sources, shape.sources),
    inputs,
    results: [{ name: result, type: 'f32', width: length }],
    guard: rule,
    versions: derived(written, ({ version }) => version),
    sizes,
    blocks,
    parts: parts ?? mostParts,
    // A plan gets as many parts as it asks for.
    groups: parts === undefined ? occupied : Number.MAX_SAFE_INTEGER,
  }
}

const refused = ({ law }: PairWorkload, reason: string) => new UnsupportedWorkloadError(law.name, 'webgpu', reason)

interface WrittenVector {
  readonly version: VectorVersion
  readonly inputs: readonly string[]
  readonly sizes: VectorSizes
  readonly length: number
  readonly result: string
}

function writtenVector(workload: PairWorkload, shape: Shape, guard: Guard): WrittenVector {
  if (guard === 'per-pair' && guardReadsVector(workload, shape, 'f32'))
    throw refused(workload, 'whether points at one place have a term depends on its components')
  const body = pairBody(workload, shape, { guard, vectors: true })
  const vector = body.vector as TermLoop
  const exclusions = workload.domain.exclusions.length > 0
  const { dimension, sameSet, lengths = {} } = shape
  const placed = shape.vectors.includes('position')
  const texts = pairTexts({ body, dimension, ...ofTile, sameSet, exclusions, placed, lengths, order: 'any' })
  const length = lengths[vector.vectors[0]?.slice(0, -2) ?? ''] ?? 0
  const numbers = body.terms.length
  const component = componentTexts(vector, numbers, length, texts.arrayOfVector, arrayName(tableNumbers))
  const [result = 'value'] = workload.results
  const some = body.keep !== undefined || body.skipSelf || exclusions
  const given: VectorTexts = { texts, component, numbers, some, exclusions, length, result }
  const sizes = sizesFor(given)
  const { maxComputeWorkgroupStorageSize: memory } = leastLimits
  if (tileBytes(given, sizes) > memory)
    throw refused(
      workload,
      `its components read ${numbers} numbers of a pair, too many for ${memory} bytes of workgroup memory`,
    )
  const run = body.run.map(({ name }): Field => ({ name, type: 'f32' }))
  const { name } = workload.law
  const shaders = {
    loop: vectorLoop(`${name}, vector of ${length}`, given, sizes, run),
    add: addParts(`${name}, parts of vectors of ${length}`, length, result),
  }
  return {
    version: { shaders, run: namedTape(body.run) },
    inputs: texts.resources.map((r) => r.key),
    sizes,
    length,
    result,
  }
}

/** Sizes for the limits that every device has. A pair of many numbers leaves memory for fewer sources, and then for fewer targets. */
function sizesFor(given: VectorTexts): VectorSizes {
  const { maxComputeInvocationsPerWorkgroup: workgroup, maxComputeWorkgroupStorageSize: memory } = leastLimits
  let ofGroup = mostTargets(given.length)
  for (;;) {
    let sources = mostPairs / ofGroup
    while (sources > leastSources && tileBytes(given, { sources, ofGroup }) > memory) sources /= 2
    if (tileBytes(given, { sources, ofGroup }) <= memory || ofGroup <= leastTargets)
      return { workgroup, ...sharesFor(given, workgroup, ofGroup), ofGroup, sources }
    ofGroup /= 2
  }
}

/** Shares of an invocation: those by which the fewest workgroups compute the numbers of a pair, and then those that add up fastest. */
function sharesFor(
  { length, component }: VectorTexts,
  workgroup: number,
  ofGroup: number,
): Pick<VectorSizes, 'components' | 'targets' | 'lanes'> {
  const choices = powers.flatMap((components) =>
    powers.map((targets) => {
      const lanes = Math.min(Math.ceil(length / components), Math.floor((workgroup * targets) / ofGroup))
      const blocks = Math.ceil(length / (lanes * components))
      const used = (ofGroup * length) / (targets * workgroup * components * blocks)
      // An invocation adds to all of its sums what it loads for each of its targets and components.
      const [sums, loads] = [components * targets, components + targets / four]
      return { components, targets, lanes, blocks, speed: (used * sums) / (sums + loads) }
    }),
  )
  const fitting = choices.filter(
    ({ components, targets }) =>
      components * targets === 1 || components * targets * (1 + component.target.length) <= mostSums,
  )
  const fewest = Math.min(...fitting.map(({ blocks }) => blocks))
  const { components, targets, lanes } = fitting
    .filter(({ blocks }) => blocks === fewest)
    .reduce((best, one) => (one.speed > best.speed ? one : best))
  return { components, targets, lanes }
}

/** Components and targets that an invocation may have. */
const powers = [1, 2, 4, 8]
