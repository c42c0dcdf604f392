/**
 * Compiles the fastest design for a workload. A caller's plan is used as it is. Otherwise the tuner or the model chooses, and a
 * design that meets each pair once must first prove itself on the device. Where the model chooses, single runs and rounds of
 * sequences may take another design, if their points make it faster.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, makesLists, onFirstUse, type Tuner, tuningKey } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import type { FoldDesigns, LoopDesigns } from '../../design/designs.ts'
import type { NearChoice } from '../../design/near.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { type CompiledProgram, compiled, type Near, type Prepared } from './compiled-program.ts'
import type { OnceProof } from './proof.ts'
import type { Contestant } from './trial.ts'

/** The parts of a device that preparing a program needs. */
export interface PrepareContext {
  readonly host: GpuHost
  /** How plans are timed; undefined if they are not. */
  readonly tuning: { readonly tuner: Tuner; readonly effort: Effort; readonly memory: Memory } | undefined
  readonly proof: OnceProof
}

export async function prepare(
  context: PrepareContext,
  designs: LoopDesigns,
  workload: Workload,
  shape: Shape,
  plan?: Plan,
): Promise<Prepared> {
  const { host, tuning } = context
  const { of, folds } = designs
  if (plan || !folds || workload.loop !== 'pair') return { usual: await compiled(host, of(plan)) }
  const prepared = await fastest(context, workload, shape, of, folds)
  const choice = tuning ? undefined : folds.near(prepared.usual.design)
  if (!choice) return prepared
  const { cells, ...blocks } = choice
  const near = (choice: NearChoice, make: () => ProgramDesign | undefined): Near => ({
    choice,
    compiled: onFirstUse(async () => {
      const design = make()
      return design && compiled(host, design)
    }),
  })
  const byBlocks = near(blocks, folds.blocks)
  if (!cells) return { ...prepared, near: byBlocks }
  const { suit, carries } = cells
  return { ...prepared, near: { ...byBlocks, cells: { ...near(cells, folds.cells), suit, carries } } }
}

async function fastest(
  { host, tuning, proof }: PrepareContext,
  workload: PairWorkload,
  shape: Shape,
  of: LoopDesigns['of'],
  { plain, simple, once, early, tries, candidates }: FoldDesigns,
): Promise<Prepared> {
  const contestant = (design: ProgramDesign): Contestant => ({
    design,
    compiled: onFirstUse(() => compiled(host, design)),
  })
  const plainProgram = onFirstUse(() => compiled(host, plain()))
  let simplest: Contestant | undefined
  /** Compiles a plan; undefined if it meets each pair once and the device fails the proof. */
  const trusted = async (plan: Plan): Promise<CompiledProgram | undefined> => {
    if (!tries(plan)) return undefined
    const design = of(plan)
    if (design.proof === undefined) return compiled(host, design)
    const program = contestant(design)
    // The text that compiles soonest.
    simplest ??= contestant(simple())
    const verdict = await proof.compare(workload, shape, program, simplest)
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
    const { timeOf } = await import('./tuner.ts')
    const time = (program: CompiledProgram) => timeOf(host, memory, program, workload, shape)
    const key = tuningKey(host.info.name, workload, shape)
    return { usual: await tuner.fastest(key, candidates(effort), { prepare: trusted, time }) }
  }
  const first = proof.alike ? early : undefined
  const usual = once && (await trusted(first ?? once))
  if (!usual) return { usual: await plainProgram() }
  return { usual, tuned: first && onFirstUse(() => tuned(once, usual)) }
}
