/**
 * Puts a workload and its programs together (`compiled.ts`).
 *
 * @module
 */
import { type Compiled, type CompiledWorkload, checksumOf, compiledVersion } from './compiled.ts'
import { copiesIn } from './domain.ts'
import { type FactShape, type LawFacts, lawFact } from './law-facts.ts'
import type { Shape, Workload } from './workload.ts'

/**
 * @param workload one that a constructor has made
 * @param backends the plain data of each backend, by its name
 * @param tree of a sum with a tolerance
 */
export function compiledWorkload<W extends Workload>(
  workload: W,
  { dimension, sameSet, vectors, lengths }: Pick<Shape, 'dimension' | 'sameSet' | 'vectors' | 'lengths'>,
  backends: Readonly<Record<string, unknown>>,
  tree?: Compiled['tree'],
): CompiledWorkload<W> {
  if (workload.loop === 'pair' && copiesIn(workload.domain))
    throw new RangeError(
      `"cutoff" expected at most half the shortest box length in a compiled workload, got ${workload.domain.cutoff?.distance}; an engine copies smaller cells when it runs`,
    )
  const points = { dimension, vectors, ...(lengths && { lengths }) }
  const facts = { own: factsOf(workload, points), scaled: factsOf(workload, { ...points, scaled: true }) }
  const compiled = { version: compiledVersion, ...points, sameSet, facts, tree, backends, checksum: '' }
  // The data as read back from a file: without fields that are undefined.
  const data = JSON.parse(JSON.stringify({ ...workload, compiled })) as CompiledWorkload<W>
  return { ...data, compiled: { ...data.compiled, checksum: checksumOf(data) } }
}

const factsOf = (workload: Workload, shape: FactShape): LawFacts => ({
  reads: lawFact('reads', workload, shape),
  lookups: lawFact('lookups', workload, shape),
  vectors: lawFact('vectors', workload, shape),
  components: lawFact('components', workload, shape),
  cutoff: lawFact('cutoff', workload, shape),
  sizes: lawFact('sizes', workload, shape),
  rooms: lawFact('rooms', workload, shape),
  parts: lawFact('parts', workload, shape),
})
