/**
 * The design that meets each pair once, for a plan: its shaders, and the sizes of its rounds.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { OnceDesign, PairDesign } from '../design/design.ts'
import type { LoopLimits } from '../design/facts.ts'
import { targetsPerCombine } from '../design/loop-shape.ts'
import { keysOf } from '../design/shared-arrays.ts'
import { versionFor } from '../design/versions.ts'
import { accumulationOf } from '../plans/accumulation.ts'
import { describeOnce, type OncePlan } from '../plans/once-plan.ts'
import type { PairLoops } from './pair-loops.ts'

/** Bytes of the slots of one round. */
const slotBytes = 2 ** 29

/** Points for the proof: eight blocks, the last one not full. The ring is even, so it includes the offset half way round. */
const pointsOfProof = ({ subgroup, targets }: OncePlan): number => Math.ceil(7.6 * subgroup * targets)

/** @param plain the design for runs with ranges or earlier results, which this loop cannot compute */
export function onceDesign(
  { once, guard }: Pick<PairLoops, 'once' | 'guard'>,
  workload: PairWorkload,
  shape: Pick<Shape, 'dimension' | 'targets'>,
  plan: OncePlan,
  limits: LoopLimits,
  plain: () => PairDesign,
): OnceDesign {
  const { subgroup, targets, offsets } = plan
  const versions = once.versions(plan)
  const { loop } = versionFor({ versions, guard }).shaders
  const [name = ''] = workload.results
  const width = shape.dimension
  return {
    driver: 'once',
    variant: describeOnce(plan),
    proof: pointsOfProof(plan),
    accumulation: accumulationOf(offsets * subgroup * targets, shape.targets),
    inputs: keysOf(loop.resources).filter((key) => key !== 'partial'),
    results: [{ name, type: 'f32', width }],
    guard,
    versions,
    get inParts() {
      return plain()
    },
    ...{ subgroup, targets, offsets, width },
    slotBytes: Math.min(slotBytes, limits.maxStorageBufferBindingSize),
    targetsPerCombine,
  }
}
