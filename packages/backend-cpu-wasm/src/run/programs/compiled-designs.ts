/**
 * The designs of a workload that was compiled ahead.
 *
 * @module
 */
import type { Precision, Shape } from '@manybody/core'
import type { CompiledCpu, FiledProgram } from '../../design/compiled.ts'
import type { ProgramDesign } from '../../design/design.ts'
import type { Designs } from '../../design/designs.ts'
import type { LoopOptions } from '../../design/loop-plan.ts'

/** @throws RangeError if the file lacks what a run needs */
export function compiledDesigns(
  compiled: CompiledCpu,
  shape: Shape,
  { precision, shared }: { readonly precision: Precision; readonly shared: boolean },
): Designs {
  const ofPrecision = compiled.filter((one) => one.precision === precision)
  if (ofPrecision.length === 0)
    throw new RangeError(
      `"precision" expected ${[...new Set(compiled.map((one) => one.precision))].join(' or ')}, for which the workload was compiled, got ${precision}`,
    )
  const modules = ofPrecision.find(
    (one) => precision === 'f64' || (one.split === (shape.split === true) && one.scaled === (shape.scaled === true)),
  )
  if (!modules)
    throw new RangeError(
      '"workload.compiled" expected programs for points that are very close to each other or very far apart, got none; compile it with far: true, or use precision "f64"',
    )
  const { facts, programs } = modules
  return {
    facts,
    of: (options) => designFor(programs, options, shared),
    lasting: programs.some(({ loop }) => loop.lasts),
    tree: async () => {
      throw new RangeError('"method" expected none, because compiled workloads have no trees yet, got a tolerance')
    },
  }
}

/** The program that differs least in what only affects speed. */
function designFor(programs: readonly FiledProgram[], wanted: LoopOptions, shared: boolean): ProgramDesign {
  const { visit, guard, divides, lasts } = wanted
  const fit = ({ loop }: FiledProgram, one: LoopOptions['visit']) =>
    loop.visit === one && loop.divides === divides && loop.lasts === lasts
  const same = (visit: LoopOptions['visit']) =>
    programs.find((program) => fit(program, visit) && program.loop.guard === guard)
  const found = same(visit)
  if (!found)
    throw new RangeError(
      `"plan" expected ${[...new Set(programs.map(({ loop }) => loop.visit))].join(' or ')}, which the file holds, got ${visit}`,
    )
  const { module, ...design } = found.design
  return { ...design, module: moduleFrom(module, shared) }
}

/** `env.memory`, imported without a maximum and not shared: as `wasm/encode.ts` writes it, from its name on. */
const alone = [6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 0]
/** The same memory, shared, with as many pages as there can be. */
const together = [6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 0, 0x80, 0x80, 4]

/** The bytes of a module. Only its import tells whether the memory is shared. */
function moduleFrom(text: string, shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  if (!shared) return bytes
  const at = bytes.findIndex((_, n) => alone.every((byte, k) => bytes[n + k] === byte))
  // The section of imports has one import, so the size of the section is one byte, before the number of imports and `env`.
  const sizeAt = at - 6
  const longer = together.length - alone.length
  const module = new Uint8Array(bytes.length + longer)
  module.set(bytes.subarray(0, at))
  module.set(together, at)
  module.set(bytes.subarray(at + alone.length), at + together.length)
  module[sizeAt] = (bytes[sizeAt] as number) + longer
  return module
}
