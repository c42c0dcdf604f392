/**
 * The trees of a stage of a sequence.
 *
 * @module
 */
import type { Program, Stage, TreeRuns } from '../../contract/backend.ts'

/** The trees that run a stage with a setting. @throws TypeError if its program has none, or the stage has ranges */
export async function requireTrees(
  program: Program,
  { sources, targets }: Pick<Stage, 'sources' | 'targets'>,
): Promise<TreeRuns> {
  const tree = await program.tree?.()
  if (!tree) throw new TypeError('"tree" expected a program that can approximate its sum, got one that cannot')
  if (sources || targets) throw new TypeError('"tree" expected a stage over all points, got one over ranges')
  return tree
}
