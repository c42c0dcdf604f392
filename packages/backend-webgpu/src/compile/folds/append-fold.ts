/**
 * The fold of `neighborsWithin`: appends each source that counts to the list of its target. An earlier run has counted the
 * sources.
 *
 * A counter for each target holds the length of its list so far, so invocations may share a target. The counters are a result,
 * so workgroups may share a target as well, and steps continue where earlier ones stopped. A workgroup that meets all sources
 * of its targets counts in its own memory, which is many times faster.
 *
 * Sources come in any order; `sort-lists.ts` sorts the lists. Nothing is written behind the end of a list. A counter that
 * differs from the length of its list shows that the earlier run found other sources.
 *
 * @module
 */
import { arrayName, type Resource } from '../../design/shader.ts'
import { type Fold, guarded, visitMarked } from './fold.ts'

/** Where the list of each target starts, and then the end of the last list. */
export const listStarts: Resource = { key: 'lists.offsets', access: 'read', type: 'u32' }

/** The result with the counters. */
export const foundResult = 'count'

/** @param owned number of targets of a workgroup, if it alone meets all their sources; undefined if others do, too */
export function appendFold(name: string, owned?: number): Fold {
  const [starts, found, index] = [listStarts.key, `result.${foundResult}`, `result.${name}`].map(arrayName)
  const counter = (r: number) => (owned === undefined ? `${found}[at_${r}]` : `appended[place_${r} % ${owned}u]`)
  const cleared = (r: number) =>
    owned === undefined
      ? ''
      : `// The walk waits for this. SwiftShader only clears the memory of the first workgroups.
atomicStore(&${counter(r)}, 0u);`
  return {
    results: [
      { name, type: 'i32', hostType: 'i32', width: 1 },
      { name: foundResult, type: owned === undefined ? 'atomic<u32>' : 'u32', hostType: 'u32', width: 1 },
    ],
    appends: [listStarts],
    ...(owned !== undefined && { memory: { type: 'atomic<u32>', name: 'appended', length: owned } }),
    words: 1,
    indexed: true,
    revisits: false,
    sums: () => [],
    declare: (r) => `let list_${r} = min(at_${r}, run.targetCount - 1u);
let start_${r} = ${starts}[list_${r}];
let end_${r} = ${starts}[list_${r} + 1u];
${cleared(r)}`,
    pair: (r, { keep, source }) =>
      guarded(
        [keep, `at_${r} < run.targetCount`].filter(Boolean).join(' && '),
        `let place = start_${r} + atomicAdd(&${counter(r)}, 1u); if (place < end_${r}) { ${index}[place] = i32(${source}); }`,
      ),
    ...(owned !== undefined && {
      look: visitMarked((_, { keep }) => keep),
    }),
    save: () => '',
    merge: () => '',
    resume: () => '',
    finish: (r, at) => (owned === undefined ? '' : `${found}[${at}] = atomicLoad(&${counter(r)});`),
  }
}
