/**
 * Programs as stages of a sequence, whose results stay on the device. In each round, the current points decide which of a program's loops
 * runs.
 *
 * @module
 */
import type { Bindings, TreeSetting } from '@manybody/core'
import { lengthOf, type RunRanges, runRanges, shapeOfBindings } from '@manybody/core/backend'
import type { HeldArray } from '../host/held-array.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import type { Placement } from '../placement/placement.ts'
import { suitsInertiaUnit, withInertiaUnit } from '../plans/inertia.ts'
import { either, type Staged } from './either.ts'
import { fittingLoop, type Loop, type WasmProgram } from './loaded-at-once.ts'
import type { Trees } from './trees.ts'

type Outputs = Readonly<Record<string, HeldArray>>

/** Prepares one stage of a sequence. */
export async function stageOf(
  program: WasmProgram,
  bindings: Bindings,
  outputs: Outputs,
  { carried, ...ranges }: Partial<RunRanges> & { readonly carried?: HeldArray | undefined },
): Promise<Staged> {
  const { loops } = program
  const shape = shapeOfBindings(program.shape, bindings)
  const { targets } = runRanges(program.workload, shape, ranges)
  const part = ranges.targets || ranges.sources
  const loop = part ? loops.plain : fittingLoop(loops.whole, bindings)
  const first = await loop.loaded.of(bindings.parameters)
  requireLengths(first, outputs, lengthOf(targets))
  const bound = (loaded: LoadedProgram, given = bindings) => {
    const placement = program.place(loaded, shape)
    placement.bind(given, { ...ranges, outputs })
    return placement
  }
  if (part) return bound(first)
  const { blocks, lasting } = loops
  const byBlocks = async (loop: Loop) => {
    const placement = bound(await fittingLoop(loop, bindings).loaded.of(bindings.parameters))
    if (carried) {
      const { LastingLists } = await import('../placement/lasting.ts')
      placement.carry(carried, bindings, (options) => new LastingLists(options))
    }
    return placement
  }
  const near = carried ? lasting : blocks
  if (near && !blocks) return byBlocks(near)
  const visitsBlocks = loops.decision(bindings)
  const whole = await wholeStage(program, bindings, bound)
  if (!near || !visitsBlocks) return whole
  // Lists that have already been reused go on without another estimate.
  const lasts = () => (carried?.numbers()[0] ?? 0) > 1
  return either(whole, await byBlocks(near), () => lasts() || visitsBlocks())
}

/** Prepares a stage of a sequence with a tree, which approximates the sum. */
export async function treeStageOf(
  { loops, trees, shape }: WasmProgram,
  bindings: Bindings,
  outputs: Outputs,
  setting: TreeSetting,
): Promise<Staged> {
  const program = await loops.whole.loaded.of(bindings.parameters)
  requireLengths(program, outputs, shape.targets)
  return (trees as Trees).stage(bindings, outputs, setting)
}

/** The stage without blocks. In each step, the inertias decide whether it computes forces. */
async function wholeStage(
  { loops, workload, host }: WasmProgram,
  bindings: Bindings,
  bound: (loaded: LoadedProgram, bindings: Bindings) => Placement,
): Promise<Staged> {
  const plain = bound(await fittingLoop(loops.whole, bindings).loaded.of(bindings.parameters), bindings)
  const weighted = loops.forces && withInertiaUnit(workload, bindings, host.memory)
  if (!loops.forces || !weighted) return plain
  const forces = bound(await loops.forces.loaded.of(bindings.parameters), weighted)
  return either(forces, plain, () => !suitsInertiaUnit(workload, weighted, host.memory))
}

/** @throws TypeError, RangeError if results do not fit the arrays */
function requireLengths(
  { design }: LoadedProgram,
  outputs: Readonly<Record<string, HeldArray>>,
  targets: number,
): void {
  const { results } = design
  for (const [name, { length }] of Object.entries(outputs)) {
    const entries = results.find((result) => result.name === name)?.entries
    if (entries === undefined)
      throw new TypeError(`"outputs" expected ${results.map((result) => result.name).join(' or ')}, got "${name}"`)
    const expected = entries * targets
    if (length !== expected)
      throw new RangeError(`"outputs.${name}" expected a buffer of length ${expected}, got ${length}`)
  }
}
