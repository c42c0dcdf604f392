/**
 * The designs of a workload that was compiled ahead.
 *
 * @module
 */
import type { Precision, Shape } from '@manybody/core'
import type { CompiledCpu, FiledDesign, FiledProgram } from '../../design/compiled.ts'
import type { ProgramDesign } from '../../design/design.ts'
import type { Designs } from '../../design/designs.ts'
import type { LoopOptions } from '../../design/loop-plan.ts'
import { loadable } from './loadable.ts'

/** @throws RangeError if the file has no design for a run */
export function compiledDesigns(
  compiled: CompiledCpu,
  shape: Shape,
  { precision, shared }: { readonly precision: Precision; readonly shared: boolean },
): Designs {
  if (shape.ranged) throw lacking()
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
  const { facts, programs, tree } = modules
  return {
    facts,
    of: (options) => designFor(programs, options, shape, shared),
    lasting: programs.some(({ loop }) => loop.lasts),
    tree: async () => {
      if (!tree) throw new RangeError('"method" expected none, because the workload was compiled without a tolerance')
      return { ...tree, of: (guard) => held(tree.designs.find((one) => one.guard === guard)?.design, shared) }
    },
  }
}

const lacking = () =>
  new RangeError(
    '"plan" and "ranges" expected none, because a compiled workload holds the loops over all points that the backend chooses by itself; give the workload itself',
  )

/** @throws RangeError if the file has no such design */
function held(found: FiledDesign | undefined, shared: boolean): ProgramDesign {
  if (!found) throw lacking()
  return loadable(found, shared)
}

/** The program of a loop. Its sizes may differ from the wanted ones, because they only affect speed. */
function designFor(
  programs: readonly FiledProgram[],
  wanted: LoopOptions,
  { sources }: Shape,
  shared: boolean,
): ProgramDesign {
  const { visit, guard, divides, lasts, sized, registers, fused } = wanted
  const found = programs.find(
    ({ loop }) =>
      loop.visit === visit &&
      loop.guard === guard &&
      loop.divides === divides &&
      loop.lasts === lasts &&
      loop.sized === sized &&
      !fused,
  )
  if (registers !== undefined) throw lacking()
  const { results, ...design } = held(found?.design, shared)
  // A row of a matrix has a number for each source.
  return { ...design, results: results.map((result) => (result.columns ? { ...result, entries: sources } : result)) }
}
