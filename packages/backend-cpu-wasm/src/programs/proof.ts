/**
 * Proves that widening does not change results: compiles a module with and without it, and compares the loop over a few
 * hundred sample points. V8 widens some loops wrongly, so each loop must prove itself.
 *
 * @module
 */
import type { Bindings, PairWorkload, Shape } from '@manybody/core'
import { sampleBindings } from '@manybody/core/backend'
import type { ProgramDesign } from '../designs/design.ts'
import type { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import type { Placement } from '../placement/placement.ts'
import { compileWidened } from '../quirks/widening.ts'
import type { Phases } from '../threads/claims.ts'

/** Number of points in a proof: more than a block, and not a multiple of a register. */
const proofPoints = 301

/**
 * Whether the results are the same to the bit.
 *
 * @param designFor returns the design of the loop for this shape, on one thread
 * @param memoryFor returns a new memory
 * @param place returns a placement in that memory
 */
export function widensRightly(
  workload: PairWorkload,
  whole: Shape,
  given: Bindings['parameters'],
  designFor: (shape: Shape) => ProgramDesign,
  memoryFor: () => Memory,
  place: (program: LoadedProgram, shape: Shape, memory: Memory) => Placement,
): boolean {
  const shape = { ...whole, targets: proofPoints, sources: proofPoints }
  const design = designFor(shape)
  const bindings = bindingsFor(workload, shape, given)
  const bytes = design.writer.module.encode()
  const [widened, plain] = [compileWidened(bytes), new WebAssembly.Module(bytes)].map((module) => {
    const memory = memoryFor()
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.memory } })
    const phases = Object.values(instance.exports) as unknown as Phases
    const program = { design, phases, id: 0, milliseconds: 0, choosers: [], widened: false } satisfies LoadedProgram
    const placement = place(program, shape, memory)
    placement.bind(bindings, {})
    for (const { program, phase, block, scratch, units, callUnits } of placement.jobs())
      for (let first = 0; first < units; first += callUnits)
        program.phases[phase]?.(block, scratch, first, Math.min(first + callUnits, units))
    return Object.values(placement.results()).flatMap((result) => [...result])
  })
  return widened?.every((value, n) => Object.is(value, plain?.[n])) ?? false
}

/** Sample points without exclusions, because masks are not widened. */
function bindingsFor(workload: PairWorkload, shape: Shape, given: Bindings['parameters']): Bindings {
  const plain = { ...workload, domain: { ...workload.domain, exclusions: [] } }
  const bindings = sampleBindings(plain, shape)
  const exclusions = { offsets: new Uint32Array(proofPoints + 1), sources: new Uint32Array(0) }
  return { ...bindings, parameters: { ...bindings.parameters, ...given }, exclusions }
}
