/**
 * The sums of some targets that measure the error of a mesh. In a periodic box they come from another split: another reach, a wider band
 * and a finer grid or a wider window have other errors, at most a twentieth. In open space they are those of all pairs.
 *
 * @module
 */
import type { Bindings, RunOptions } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import { type Sampled, sampled } from '../tolerance/sampled.ts'
import type { DeviceMesh } from './device-mesh.ts'
import { keyOf, type MeshSums } from './mesh-sums.ts'
import { judgeOf, rungsOf } from './rungs.ts'
import type { MeshSetting } from './settings.ts'
import { measuredWorkload, shortNumbers } from './short-law.ts'
import type { SmoothData } from './smooth-sum.ts'

const measures = new Remembered<PairWorkload, PairWorkload>()

/** Some targets of a run, and their sums, each followed by the size of its terms. */
interface Truth {
  readonly sample: Sampled
  readonly value: Float64Array
}

/**
 * @param judges how many targets, beside the heaviest ones
 * @param held the device that has the points, if one has
 */
export async function truthFor(
  sums: MeshSums,
  setting: MeshSetting,
  judges: number,
  bindings: Bindings,
  data: SmoothData,
  { signal }: RunOptions,
  held: DeviceMesh | undefined,
): Promise<Truth> {
  const { workload, kernels } = sums
  const judge = sums.isOpen
    ? undefined
    : judgeOf(rungsOf(sums.followsPoints), setting, sums.spaceOf(setting, bindings, data), (judge, reach) =>
        sums.spaceOf(judge, bindings, data, reach),
      )
  const sample = judgesOf(sums, bindings, judges)
  const shape = {
    ...sums.shapeOf(judge?.setting ?? setting, bindings),
    lists: sample.bindings.exclusions !== undefined,
  }
  const measured = measures.of(workload, () => measuredWorkload(workload, kernels, shape), keyOf(kernels, shape))
  const sumsWith = (numbers: Readonly<Record<string, number>>) =>
    sums.programs.using(measured, sample.shape, undefined, async (program) => {
      const parameters = { ...sample.bindings.parameters, ...numbers }
      const found = await program.run({ ...sample.bindings, parameters }, { signal })
      return Float64Array.from(found.value as FloatArray)
    })
  if (!judge) return { sample, value: await sumsWith({}) }
  const plan = sums.planOf(judge.setting, sums.spaceOf(judge.setting, bindings, data, judge.reach), bindings)
  const value = await sumsWith(shortNumbers(workload, plan.splits))
  const smooth = await sums.smoothAt(plan, sample, bindings, data, { signal }, held)
  for (const [n, x] of smooth.entries()) {
    // Each target has one more number there: the size of its terms.
    const at = n + Math.floor(n / kernels.components)
    value[at] = (value[at] as number) + x
  }
  return { sample, value }
}

/** The targets that measure a run. They have lists if pairs are excluded, or if a scalar must leave out the target itself. */
function judgesOf({ kernels, shape, skipsSelf: self }: MeshSums, bindings: Bindings, wanted: number): Sampled {
  const weights = kernels.weights.map((value, n) => ({ attribute: `weight${n}`, value }))
  // A vector vanishes at its own target, and a loop without lists is several times as fast.
  const skipsSelf = self && kernels.list.some(({ axis }) => axis === undefined)
  return sampled({ weights, skipsSelf }, shape, bindings, wanted)
}
