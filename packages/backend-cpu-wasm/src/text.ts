/**
 * Prints the module of a workload in the WebAssembly text format, for readers and for snapshots. It is a separate entry,
 * because runs do not need it.
 *
 * @module
 */
import type { Plan, Precision, Shape, Workload } from '@manybody/core'
import { guardBy } from '@manybody/core/backend'
import { writtenOf } from './compile/designs/designs.ts'
import { factsOf } from './compile/plans/derive-facts.ts'
import { printModule } from './compile/wasm/print.ts'
import { vectorOf } from './compile/wasm/vector.ts'
import { loopPlan, sharesForces } from './run/plans/plan.ts'

export interface TextOptions {
  readonly precision?: Precision
  readonly plan?: Plan
}

/**
 * The module for one thread, for the workload's own parameters and for points with inertias other than 0. Nothing is compiled.
 *
 * @throws RangeError if the plan does not fit the workload
 */
export function wasmText(workload: Workload, shape: Shape, { precision = 'f32', plan }: TextOptions = {}): string {
  const facts = factsOf(workload, shape)
  const loop = loopPlan(plan, facts, shape, { threads: 1 })
  const guard = guardBy(facts.guard)
  const divides = sharesForces(facts, loop)
  const options = { ...loop, vector: vectorOf(precision), shared: false }
  const { module } = writtenOf(workload, shape, options, { ...loop, guard, divides, lasts: false }).writer
  return printModule(module, comments)
}

/** Comments above the functions of modules. They are here, because only readers need them. */
const comments: Readonly<Record<string, string>> = {
  targets: 'Prepares the targets for the loop over pairs.',
  sources: 'Prepares the sources for the loop over pairs.',
  pairs: 'Meets some targets with sources, tile by tile.',
  tile: 'Folds the sources of a tile into some targets.',
  tileMasked: 'Folds the sources of a tile into some targets, except the marked pairs.',
  tileDirect: 'Does the same as `tile` for pairs that need no images.',
  tileMaskedDirect: 'Does the same as `tileMasked` for pairs that need no images.',
  meetGiven: 'Meets the targets of a block, or some of them, with sources in its ranges.',
  meet: 'Meets some blocks of targets with the sources near them.',
  mark: 'Marks the pairs of a tile to leave out. Returns whether there are any.',
  both: 'Meets some targets with the sources of a tile; both receive the terms.',
  join: 'Adds what each source of a tile received to its totals.',
  clear: 'Sets the totals of threads to 0.',
  collect: 'Adds up the totals of all threads, and writes the results.',
  ...Object.fromEntries(
    (['target', 'source'] as const).flatMap((side) => [
      [`load.${side}`, `Makes a record of each ${side}, in the order of the run before.`],
      ...[0, 1, 2, 3, 4, 5].map((level) => [`cut${level}.${side}`, `Cuts parts of the ${side}s in two.`]),
      [`sort.${side}`, `Cuts parts of the ${side}s down to blocks, and fits boxes around them.`],
      [`join.${side}`, `Fits the boxes around these parts of the ${side}s.`],
    ]),
  ),
  halve: 'Cuts records in two. Returns where the second part starts.',
  selectPlace: 'Orders records so that none before a place belongs after one behind it.',
  firstFew: 'Moves to the front the records that belong first.',
  lastFew: 'Moves to the end the records that belong last.',
  leaf: 'Writes the places of a block, and fits its box.',
  joinBoxes: 'Fits the box of a node to those of its children.',
  scatter: 'Puts the results in the order of points.',
  insert: 'Inserts a term and its source into a sorted list, and drops the last.',
  elements: 'Computes the outputs of some points or rows of cells.',
  copy: 'Copies results over the field that they replace.',
}
