/**
 * Compiles the fastest design for a workload. A caller's plan is used as it is. Otherwise the tuner or the model chooses, and
 * a design that meets each pair once must first prove itself on the device. Where the model chooses, single runs and
 * rounds of sequences may take another design whose speed depends on their points.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, makesLists, type Tuner, tuningKey } from '@manybody/core/backend'
import type { ProgramDesign } from '../designs/design.ts'
import { type Designs, designsOf, type FoldDesigns, type Planning } from '../designs/designs.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { blocksVariant, onceVariant } from '../plans/variants.ts'
import { type CompiledProgram, compiled, type Prepared } from './compiled.ts'
import type { OnceProof } from './proof.ts'
import { timeOf } from './tuner.ts'

/** What preparing a program needs. */
export interface PrepareContext {
  readonly host: GpuHost
  /** The GPU for which plans are chosen, if that is not the device itself. */
  readonly planning?: Planning | undefined
  /** How plans are timed; undefined if they are not. */
  readonly tuning: { readonly tuner: Tuner; readonly effort: Effort; readonly memory: Memory } | undefined
  readonly proof: OnceProof
}

export async function prepare(
  context: PrepareContext,
  workload: Workload,
  shape: Shape,
  plan?: Plan,
): Promise<Prepared> {
  const { host, planning, tuning } = context
  const { of, folds } = designsOf(workload, shape, host, planning)
  if (plan || !folds || workload.loop !== 'pair') return { usual: await compiled(host, of(plan)) }
  const usual = await fastest(context, workload, shape, of, folds)
  const near = tuning ? undefined : folds.near(usual.design)
  return { usual, near: near && { ...near, compiled: onFirstUse(() => blocks(host, of)) } }
}

async function blocks(host: GpuHost, of: Designs['of']): Promise<CompiledProgram | undefined> {
  let design: ProgramDesign
  try {
    design = of({ variant: blocksVariant })
  } catch (error) {
    // It does not fit the limits of the device.
    if (error instanceof RangeError) return undefined
    throw error
  }
  return compiled(host, design)
}

function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function fastest(
  { host, tuning, proof }: PrepareContext,
  workload: PairWorkload,
  shape: Shape,
  of: Designs['of'],
  { plain, once, candidates }: FoldDesigns,
): Promise<CompiledProgram> {
  const plainProgram = onFirstUse(() => compiled(host, plain()))
  /** Compiles a plan; undefined if it meets each pair once and the device fails the proof. */
  const trusted = async (plan: Plan): Promise<CompiledProgram | undefined> => {
    if (plan.variant === onceVariant && !once) return undefined
    const design = of(plan)
    if (design.proof === undefined) return compiled(host, design)
    const [program, other] = await Promise.all([compiled(host, design), plainProgram()])
    return (await proof.holds(workload, shape, program, other)) ? program : undefined
  }
  if (tuning && !makesLists(workload) && shape.targets > 0 && shape.sources > 0) {
    const { tuner, effort, memory } = tuning
    const time = (program: CompiledProgram) => timeOf(host, memory, program, workload, shape)
    const key = tuningKey(host.info.name, workload, shape)
    return tuner.fastest(key, candidates(effort), { prepare: trusted, time })
  }
  return (once && (await trusted(once))) || plainProgram()
}
