/**
 * The fold of `neighborsWithin`: writes each source that counts behind the ones before, from where the list of its target
 * starts. A run before has counted the sources.
 *
 * A counter for each target says how many were found, so invocations may share a target, and steps continue where earlier ones
 * stopped. Sources come in any order; `sort-lists.ts` sorts the lists. Nothing is written behind the end of a list: a counter
 * that differs from the length of its list shows that the run before found other sources.
 *
 * @module
 */
import { arrayName, type Resource } from '../../design/shader.ts'
import { type Fold, guarded } from './fold.ts'

/** Where the list of each target starts, and after them the end of the last. */
export const listStarts: Resource = { key: 'lists.offsets', access: 'read', type: 'u32' }

/** The result with the counters. */
export const foundResult = 'count'

export function appendFold(name: string): Fold {
  const [starts, found, index] = [listStarts.key, `result.${foundResult}`, `result.${name}`].map(arrayName)
  return {
    results: [
      { name, type: 'i32', hostType: 'i32', width: 1 },
      { name: foundResult, type: 'atomic<u32>', hostType: 'u32', width: 1 },
    ],
    appends: [listStarts],
    words: 1,
    indexed: true,
    revisits: false,
    sums: () => [],
    declare: () => '',
    pair: (r, { keep, source }) =>
      guarded(
        [keep, `at_${r} < run.targetCount`].filter(Boolean).join(' && '),
        `let place = ${starts}[at_${r}] + atomicAdd(&${found}[at_${r}], 1u); if (place < ${starts}[at_${r} + 1u]) { ${index}[place] = i32(${source}); }`,
      ),
    save: () => '',
    merge: () => '',
    resume: () => '',
    finish: () => '',
  }
}
