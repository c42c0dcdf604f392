/**
 * From a workload to a compiled module and what the host needs to know to run it.
 *
 * @module
 */
import { type PairWorkload, ProgramCompilationError, type Shape, type Workload } from '@manybody/core'
import { gridParameters } from '@manybody/core/backend'
import type { Binding } from '@manybody/core/expression'
import { pairKernel } from '../designs/pair-design.ts'
import type { Kernel, KernelOptions } from '../expressions/module-writer.ts'
import type { ResultArray } from '../folds/fold.ts'
import type { Memory } from '../host/memory.ts'
import { stencilKernel } from '../loops/grid-loop.ts'
import { cellKernel, mapKernel } from '../loops/particle-loop.ts'
import type { Side } from '../loops/points.ts'
import type { Phases } from '../threads/claims.ts'
import { Pace } from '../threads/pace.ts'
import type { AnyPool } from '../threads/pools.ts'

/** An array that a program reads, and how many numbers of it each point has. */
export interface InputArray {
  readonly side: Side
  readonly name: string
  readonly components: number
}

/** How a phase is cut into calls. */
export interface PhaseShape {
  readonly name: string
  /** Points or rows in one unit. */
  readonly points: number
  /** Most units in one call. */
  readonly callUnits: number
  /** What its units are made of. */
  readonly over: Side
  /** Whether each point meets all sources. */
  readonly pairs: boolean
  /** Estimated nanoseconds for each point, or for each pair. */
  readonly nanoseconds: number
  /** How many units there are, where that does not follow from the points. */
  readonly units?: number
}

/** A kernel seen from the host. */
export interface Recipe {
  readonly kernel: Kernel
  readonly run: readonly Binding[]
  readonly arrays: readonly InputArray[]
  readonly results: readonly ResultArray[]
  readonly phases: readonly PhaseShape[]
  readonly scratchBytes: number
  /** Bytes at the start of a thread's scratch where its results add up, until a last phase collects them. */
  readonly totals?: number | undefined
  /** Registers of targets in the inner loop of pairs; 1 elsewhere. */
  readonly registers: number
  /** Numbers that expressions read besides those that are bound. */
  readonly parameters: Readonly<Record<string, number>>
  /** Whether a result may take the place of what it is computed from at once, or only by a copy. */
  readonly inPlace: 'direct' | 'copy'
  /** Bytes of prepared points, which only pair kernels have. */
  readonly pointBytes?: (side: Side, count: number) => number
}

/** A recipe that is ready to run. */
export interface LoadedProgram {
  readonly recipe: Recipe
  readonly phases: Phases
  /** Its number in the pool, 0 without one. */
  readonly id: number
  readonly milliseconds: number
  /** Whether the engine was had to make registers of twice the width. */
  readonly widened: boolean
  /** How fast each phase has run, by the number of the phase. */
  readonly paces: readonly Pace[]
}

/** What decides the shape of a pair loop besides the workload. */
export interface LoopShape {
  readonly guard: boolean
  readonly registers: number | undefined
  /** Whether each pair is visited once. */
  readonly once: boolean
  readonly threads: number
}

/** Units of a cheap phase in one call: some tens of microseconds. */
const cheapUnits = 4096

/** The kernel of any workload. */
export function recipeOf(workload: Workload, shape: Shape, options: KernelOptions, plan: LoopShape): Recipe {
  if (workload.loop === 'pair') return pairRecipe(workload, shape, options, plan)
  const grid = workload.loop === 'grid'
  const element = grid
    ? stencilKernel(workload, options)
    : workload.operation === 'map'
      ? mapKernel(workload, shape, options)
      : cellKernel(workload, shape, options)
  const vectors = workload.loop === 'particle' && workload.operation === 'cellIndex' ? ['position'] : shape.vectors
  const arrays = element.arrays.map((name) => ({
    side: 'target' as const,
    name,
    components: vectors.includes(name) ? shape.dimension : 1,
  }))
  const [nx = 1] = grid ? workload.grid.cells : []
  const points = grid ? nx : options.v.lanes
  const callUnits = Math.max(1, Math.ceil((4 * cheapUnits) / points))
  const phase: PhaseShape = { name: 'elements', points, callUnits, over: 'target', pairs: false, nanoseconds: 2 }
  return {
    ...element,
    registers: 1,
    run: element.body.run,
    parameters: 'grid' in workload ? gridParameters(workload.grid) : {},
    arrays,
    phases: grid ? [phase, { ...phase, name: 'copy' }] : [phase],
    inPlace: grid ? 'copy' : 'direct',
  }
}

function pairRecipe(
  workload: PairWorkload,
  shape: Shape,
  options: KernelOptions,
  { guard, registers, once, threads }: LoopShape,
): Recipe {
  const pair = pairKernel(workload, shape, { ...options, guard, registers, once })
  const { attributes } = pair.body
  const side = (name: Side, list: readonly string[]): readonly InputArray[] => [
    { side: name, name: 'position', components: shape.dimension },
    ...list.map((attribute) => ({ side: name, name: attribute, components: 1 })),
  ]
  const cheap = { points: options.v.lanes, callUnits: cheapUnits, pairs: false, nanoseconds: 2 }
  const pairs: PhaseShape = {
    name: 'pairs',
    points: pair.unitTargets,
    callUnits: pair.callUnits,
    over: 'target',
    pairs: true,
    nanoseconds: (options.v.bytes === 4 ? 0.6 : 1.2) * (once ? 0.6 : 1),
  }
  return {
    kernel: pair.kernel,
    run: pair.body.run,
    arrays: [...side('target', attributes.targets), ...side('source', attributes.sources)],
    results: pair.results,
    parameters: {},
    inPlace: 'direct',
    scratchBytes: pair.scratchBytes,
    totals: pair.totals,
    registers: pair.registers,
    pointBytes: pair.pointBytes,
    phases: [
      { ...cheap, name: 'targets', over: 'target' },
      { ...cheap, name: 'sources', over: 'source' },
      ...(once ? [{ ...cheap, name: 'clear', over: 'target' as const, units: threads }] : []),
      { ...pairs, ...(once ? { units: pair.onceUnits ?? 0 } : {}) },
      ...(once ? [{ ...cheap, name: 'collect', over: 'target' as const }] : []),
    ],
  }
}

/**
 * Compiles a recipe and makes it known to the pool.
 *
 * @param widensRightly whether the engine may widen it; undefined: it is not asked to
 * @throws {@link ProgramCompilationError}
 */
export async function load(
  recipe: Recipe,
  memory: Memory,
  pool: AnyPool | undefined,
  widensRightly: (() => Promise<boolean>) | undefined,
): Promise<LoadedProgram> {
  const start = performance.now()
  const widened = (await widensRightly?.()) ?? false
  const { module: written, v } = recipe.kernel
  let source = written
  try {
    if (v.lanes === 1) source = (await import('../wasm/scalar.ts')).scalarModule(written, v.bytes === 4 ? 'f32' : 'f64')
    const bytes = source.encode()
    const module = widened
      ? (await import('../quirks/widening.ts')).compileWidened(bytes)
      : await WebAssembly.compile(bytes)
    const instance = await WebAssembly.instantiate(module, { env: { memory: memory.memory } })
    const names = recipe.phases.map(({ name }) => name)
    const exported = Object.entries(instance.exports)
    const missing = names.find((name) => !exported.some(([exportName]) => exportName === name))
    if (missing) throw new Error(`the module has no phase ${missing}`)
    const phases = exported.map(([, value]) => value) as unknown as Phases
    const id = pool?.add({ module, memory: memory.shared ? memory.memory : undefined }, phases) ?? 0
    const paces = phases.map(() => new Pace())
    return { recipe, phases, id, milliseconds: performance.now() - start, paces, widened }
  } catch (cause) {
    const { printModule } = await import('../wasm/print.ts')
    throw new ProgramCompilationError('cpu-wasm', printModule(source), [String(cause)], { cause })
  }
}

/** The number of a phase among the functions of its module. */
export function phaseIndex({ recipe }: LoadedProgram, name: string): number {
  return recipe.kernel.module.functions.findIndex((f) => f.name === name)
}
