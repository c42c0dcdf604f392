/**
 * Compiles the design that is fastest here for a workload: a caller's plan as it is, else what was timed or what the model
 * expects, where meeting each pair once has to be proven on the device first.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, type Tuner, tuningKey } from '@manybody/core/backend'
import { type Designs, designsOf, type FoldDesigns, type Planning } from '../designs/designs.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { onceVariant } from '../plans/variants.ts'
import { type CompiledProgram, compiled } from './compiled.ts'
import type { OnceProof } from './proof.ts'
import { timeOf } from './tuner.ts'

/** What programs are prepared with. */
export interface PrepareContext {
  readonly host: GpuHost
  /** What plans are chosen for, where that is not the device itself. */
  readonly planning?: Planning | undefined
  /** How plans are timed, if they are. */
  readonly tuning: { readonly tuner: Tuner; readonly effort: Effort; readonly memory: Memory } | undefined
  readonly proof: OnceProof
}

export async function prepare(
  context: PrepareContext,
  workload: Workload,
  shape: Shape,
  plan?: Plan,
): Promise<CompiledProgram> {
  const { host, planning } = context
  const { of, folds } = designsOf(workload, shape, host, planning)
  if (plan || !folds || workload.loop !== 'pair') return compiled(host, of(plan))
  return fastest(context, workload, shape, of, folds)
}

async function fastest(
  { host, tuning, proof }: PrepareContext,
  workload: PairWorkload,
  shape: Shape,
  of: Designs['of'],
  { plain, once, candidates }: FoldDesigns,
): Promise<CompiledProgram> {
  let model: Promise<CompiledProgram> | undefined
  const plainProgram = () => {
    model ??= compiled(host, plain())
    return model
  }
  /** Each pair once where the device proves it; plans of the plain loop as they are. */
  const trusted = async (plan: Plan): Promise<CompiledProgram | undefined> => {
    if (plan.variant === onceVariant && !once) return undefined
    const program = await compiled(host, of(plan))
    if (program.design.proof === undefined) return program
    return (await proof.holds(workload, shape, program, await plainProgram())) ? program : undefined
  }
  if (tuning && shape.targets > 0 && shape.sources > 0) {
    const { tuner, effort, memory } = tuning
    const time = (program: CompiledProgram) => timeOf(host, memory, program, workload, shape)
    const key = tuningKey(host.info.name, workload, shape)
    return tuner.fastest(key, candidates(effort), { prepare: trusted, time })
  }
  return (once && (await trusted(once))) || plainProgram()
}
