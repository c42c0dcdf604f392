/**
 * A workload that was compiled ahead: the workload itself, and beside it everything that a runtime needs in place of a compiler, as
 * plain data. It survives JSON, so it can be a file.
 *
 * The checksum finds files that were damaged; it does not tell who wrote them. A page runs the programs that it loads, as it runs its
 * scripts.
 *
 * @module
 */
import { describe } from '../../ground/checks.ts'
import { UnsupportedWorkloadError } from '../../ground/errors.ts'
import { describeWorkload } from './describe-workload.ts'
import { knownWorkloads } from './known-workloads.ts'
import { bring, type LawFacts } from './law-facts.ts'
import type { TreeFacts } from './tree-facts.ts'
import type { Lengths } from './vector-sets.ts'
import type { Dimension, PairWorkload, Shape, Workload } from './workload.ts'

/** The version of the data. Programs of another version must be compiled again. */
export const compiledVersion = 6

/** For whatever a run may need of its numbers: as they are, or in another unit of length. */
type FactsByUnit = Readonly<Record<'own' | 'scaled', LawFacts>>

export interface Compiled {
  readonly version: number
  readonly dimension: Dimension
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
  /** Of maps: the arrays with a number for each component. */
  readonly vectors: readonly string[]
  /** Of laws of vectors: the number of components of each. */
  readonly lengths?: Lengths | undefined
  readonly facts: FactsByUnit
  /** Of sums with a tolerance. */
  readonly tree?: TreeFacts & { readonly measured: CompiledWorkload<PairWorkload> }
  /** Whatever each backend needs, by its name. */
  readonly backends: Readonly<Record<string, unknown>>
  readonly checksum: string
}

/** A workload with its programs. It runs wherever the workload does, on the backends that it was compiled for. */
export type CompiledWorkload<W extends Workload = Workload> = W & { readonly compiled: Compiled }

const opened = new WeakMap<Workload, Compiled>()

/** Whether a workload brings programs along. */
export const isCompiled = (workload: Workload): workload is CompiledWorkload =>
  typeof workload === 'object' && workload !== null && Object.hasOwn(workload, 'compiled')

/**
 * Checks a compiled workload, which engines then take as it is.
 *
 * @throws TypeError, RangeError if it is damaged, or of another version
 */
export function open<W extends Workload>(given: CompiledWorkload<W>): W {
  if (opened.has(given)) return given
  const { compiled } = given
  if (typeof compiled !== 'object' || compiled === null)
    throw new TypeError(`"workload.compiled" expected what compile() returns, got ${describe(compiled)}`)
  if (compiled.version !== compiledVersion)
    throw new RangeError(
      `"workload.compiled" expected a program of version ${compiledVersion}, got ${describe(compiled.version)}; compile it again`,
    )
  if (checksumOf(given) !== compiled.checksum)
    throw new TypeError(
      '"workload.compiled" expected a program as it was compiled, got a damaged one; compile it again',
    )
  if (compiled.tree) open(compiled.tree.measured)
  return knownWorkloads.made(opening(given, compiled))
}

/** Remembers the facts and programs that a workload brings along. */
function opening<W extends Workload>(workload: W, compiled: Compiled): W {
  opened.set(workload, compiled)
  bring(workload, (shape) => factsFor(compiled, shape))
  return workload
}

/** The same workload over all pairs, as devices get it, with the programs that it brings along. */
export function withoutMethod(workload: PairWorkload): PairWorkload {
  const { method: _, ...rest } = workload
  return withPrograms(Object.freeze(rest), workload)
}

/** The same workload with results for each target, with the programs that it brings along. */
export const withoutTotal = (workload: PairWorkload): PairWorkload =>
  workload.total ? withPrograms(Object.freeze({ ...workload, total: false }), workload) : workload

function withPrograms(one: PairWorkload, given: PairWorkload): PairWorkload {
  const compiled = opened.get(given)
  return compiled ? opening(one, compiled) : one
}

/** The facts about the law for a tree; undefined if the workload was not compiled ahead. */
export const compiledTree = (workload: PairWorkload): TreeFacts | undefined => opened.get(workload)?.tree

function factsFor({ dimension, facts }: Compiled, shape: Pick<Shape, 'dimension' | 'scaled'>): LawFacts {
  if (shape.dimension !== dimension)
    throw new RangeError(
      `"dimension" expected ${dimension}, for which the workload was compiled, got ${shape.dimension}; compile it with dimension: ${shape.dimension}`,
    )
  return facts[shape.scaled ? 'scaled' : 'own']
}

/**
 * The programs for a backend; undefined if the workload was not compiled ahead.
 *
 * @throws {@link UnsupportedWorkloadError} if it was compiled for others only, or for other sets of points
 */
export function compiledFor(
  workload: Workload,
  { sameSet, vectors, lengths = {} }: Pick<Shape, 'sameSet' | 'vectors' | 'lengths'>,
  backend: string,
): unknown {
  const compiled = opened.get(workload)
  if (!compiled) return undefined
  const refuse = (reason: string) => new UnsupportedWorkloadError(describeWorkload(workload), backend, reason)
  if (!Object.hasOwn(compiled.backends, backend))
    throw refuse(`it was compiled for ${Object.keys(compiled.backends).join(', ')}; compile it for ${backend}, too`)
  if (workload.loop === 'pair' && sameSet !== compiled.sameSet)
    throw refuse(`it was compiled for ${compiled.sameSet ? 'one set of points' : 'two sets'}; compile it for both`)
  if (workload.loop === 'particle' && vectors.join() !== compiled.vectors.join())
    throw refuse(
      `it was compiled for vectors ${compiled.vectors.join(', ') || 'none'}, got ${vectors.join(', ') || 'none'}; compile it with these`,
    )
  // The numbers of a run say nothing about vectors of an energy that its force does not read.
  const { targets, sources } = compiled.facts.own.reads
  const other = [...targets, ...sources].find((name) => lengths[name] !== compiled.lengths?.[name])
  if (other !== undefined)
    throw refuse(
      `it was compiled for ${compiled.lengths?.[other]} components of ${other}, got ${lengths[other]}; compile it with lengths: ${JSON.stringify(lengths).replaceAll('"', '')}`,
    )
  return compiled.backends[backend]
}

/**
 * Checks a plan for a workload that was compiled ahead, whose file holds one loop.
 *
 * @param loop - The name of that loop
 * @throws RangeError for a plan of another loop, or with sizes
 */
export function requireFiledLoop(
  plan: { readonly variant: string; readonly sizes?: object } | undefined,
  loop: string,
): void {
  if (plan && (plan.variant !== loop || Object.keys(plan.sizes ?? {}).length > 0))
    throw new RangeError(
      `"plan" expected none, or ${loop} without sizes, which the file holds, got ${JSON.stringify(plan)}`,
    )
}

/** The checksum of everything else. */
export function checksumOf({ compiled: { checksum: _, ...compiled }, ...workload }: CompiledWorkload): string {
  return hash(JSON.stringify([workload, compiled]))
}

/** @source The 53-bit hash of bryc, cyrb53 (public domain), with all bits of both halves */
function hash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
