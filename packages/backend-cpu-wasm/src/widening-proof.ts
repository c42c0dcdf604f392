/**
 * Whether widened code computes the same: the loop of a program over a few hundred points of its own, by one module
 * compiled with and without. V8 widens some loops to code that is wrong, so that each has to prove itself.
 *
 * @module
 */
import type { Bindings, PairWorkload, Precision, Shape } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import type { Phases } from './claims.ts'
import type { Recipe } from './compile.ts'
import { Memory } from './memory.ts'
import { Placement } from './placement.ts'
import { compileWidened } from './widening.ts'

/** Points of a proof: more than a block, and no multiple of a register. */
const proofPoints = 301

/**
 * Whether both give the same to the bit.
 *
 * @param recipeFor the program's loop for that many points, on one thread and over a memory of its own
 */
export function widensRightly(
  workload: PairWorkload,
  { dimension, sameSet, vectors }: Shape,
  precision: Precision,
  given: Bindings['parameters'],
  recipeFor: (shape: Shape) => Recipe,
): boolean {
  const shape = { dimension, sameSet, vectors, targets: proofPoints, sources: proofPoints }
  const recipe = recipeFor(shape)
  const bindings = bindingsFor(workload, recipe, shape, given)
  const bytes = recipe.kernel.module.encode()
  const [widened, plain] = [compileWidened(bytes), new WebAssembly.Module(bytes)].map((module) => {
    const memory = new Memory(false)
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.memory } })
    const phases = Object.values(instance.exports) as unknown as Phases
    const program = { recipe, phases, id: 0, milliseconds: 0, paces: [], widened: false }
    const placement = new Placement({ memory, program, shape, precision, threads: 1 })
    placement.bind(bindings, {})
    for (const { phase, block, scratch, units, callUnits } of placement.jobs())
      for (let first = 0; first < units; first += callUnits)
        phases[phase]?.(block, scratch, first, Math.min(first + callUnits, units))
    return Object.values(placement.results()).flatMap((result) => [...result])
  })
  return widened?.every((value, n) => Object.is(value, plain?.[n])) ?? false
}

/** Points spread over the box, or the reach of the cutoff, with attributes around 1. */
function bindingsFor(workload: PairWorkload, recipe: Recipe, shape: Shape, given: Bindings['parameters']): Bindings {
  const { dimension, sameSet } = shape
  const { boundary, cutoff } = workload.domain
  const reach = cutoff === undefined ? 1 : 2 * cutoff.distance
  const size = boundary.kind === 'periodic' ? (boundary.lengths[0] ?? reach) : reach
  const set = (seed: number) => {
    const spread = (length: number, k: number) =>
      Float32Array.from({ length }, (_, n) => (n * 0.6180339887 + seed + 0.1 * k) % 1)
    const attributes = recipe.arrays.map(({ name }, k) => [name, spread(proofPoints, k).map((x) => 0.5 + x)] as const)
    const position = spread(proofPoints * dimension, 0).map((x) => x * size)
    return { dimension, ...Object.fromEntries(attributes), position }
  }
  const plain = { ...workload, domain: { ...workload.domain, exclusions: [] } }
  const { bindings } = bind(plain, sameSet ? set(0) : { targets: set(0), sources: set(0.3) })
  const exclusions = { offsets: new Uint32Array(proofPoints + 1), sources: new Uint32Array(0) }
  return { ...bindings, parameters: { ...bindings.parameters, ...given }, exclusions }
}
