/**
 * Compiles the fastest design for a workload. A caller's plan is used as it is. Otherwise the tuner or the model chooses, and
 * a design that meets each pair once must first prove itself on the device. Where the model chooses, single runs and
 * rounds of sequences may take another design whose speed depends on their points.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, makesLists, type Tuner, tuningKey } from '@manybody/core/backend'
import type { ProgramDesign } from '../design/design.ts'
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
  const choice = await fastest(context, workload, shape, of, folds)
  const near = tuning ? undefined : folds.near(choice.usual.design)
  return { ...choice, near: near && { ...near, compiled: onFirstUse(() => blocks(host, of)) } }
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

function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined
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
  { plain, once, early, candidates }: FoldDesigns,
): Promise<Prepared> {
  const contestant = (design: ProgramDesign) => ({ design, compiled: onFirstUse(() => compiled(host, design)) })
  const plainProgram = onFirstUse(() => compiled(host, plain()))
  // The text that compiles soonest.
  const simple = onFirstUse(() => contestant(of({ variant: 'naive' })))
  /** Compiles a plan; undefined if it meets each pair once and the device fails the proof. */
  const trusted = async (plan: Plan): Promise<CompiledProgram | undefined> => {
    if (plan.variant === onceVariant && !once) return undefined
    const design = of(plan)
    if (design.proof === undefined) return compiled(host, design)
    const program = contestant(design)
    const verdict = await proof.compare(workload, shape, program, simple())
    return verdict === 'apart' ? undefined : program.compiled()
  }
  /** Compiles the plan that replaces this program, unless the device computes it wrongly. */
  const tuned = async (plan: Plan, usual: CompiledProgram): Promise<CompiledProgram> => {
    const program = contestant(of(plan))
    const other = { design: usual.design, compiled: async () => usual }
    const verdict = await proof.compare(workload, shape, program, other)
    return verdict === 'apart' ? usual : program.compiled()
  }
  if (tuning && !makesLists(workload) && shape.targets > 0 && shape.sources > 0) {
    const { tuner, effort, memory } = tuning
    const time = (program: CompiledProgram) => timeOf(host, memory, program, workload, shape)
    const key = tuningKey(host.info.name, workload, shape)
    return { usual: await tuner.fastest(key, candidates(effort), { prepare: trusted, time }) }
  }
  const first = proof.alike ? early : undefined
  const usual = once && (await trusted(first ?? once))
  if (!usual) return { usual: await plainProgram() }
  return { usual, tuned: first && onFirstUse(() => tuned(once, usual)) }
}
