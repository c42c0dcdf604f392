/**
 * Turns a workload into a program that a page runs without a compiler.
 *
 * @module
 */
import { compileCpu } from '@manybody/backend-cpu-wasm/compile'
import { compileWebGl } from '@manybody/backend-webgl/compile'
import { compileWebGpu } from '@manybody/backend-webgpu/compile'
import type { Compiled, CompiledWorkload, Dimension, Precision, Shape, Workload } from '@manybody/core'
import {
  flag,
  listOf,
  makesLists,
  oneOf,
  onlyNamed,
  UnsupportedWorkloadError,
  unexpected,
} from '@manybody/core/backend'
import { compiledWorkload, isVectorSum } from '@manybody/core/expression'
import { withLengths, workloadOf } from '@manybody/core/judge'
import { deriveTreeFacts } from '@manybody/core/weights'

/** A backend that runs compiled workloads. */
export type CompiledBackend = 'cpu-wasm' | 'webgpu' | 'webgl'

const known: readonly CompiledBackend[] = ['cpu-wasm', 'webgpu', 'webgl']
/** Those with one program for all components of a vector. */
const ofVectors: readonly CompiledBackend[] = ['cpu-wasm', 'webgpu']

export interface CompileOptions {
  /**
   * The backends that will run it. By default, these are all backends that can, with a requested precision; for sums with a tolerance,
   * cpu-wasm.
   */
  readonly backends?: readonly CompiledBackend[]
  /** The precisions of the engines that will run it, `f32` by default. */
  readonly precision?: Precision | readonly Precision[]
  /** 3 by default. A grid has its own. */
  readonly dimension?: Dimension
  /** Whether targets and sources are two sets; one set acts on itself by default. */
  readonly twoSets?: boolean
  /**
   * Whether float32 engines also take points that are very far apart or very close. Their coordinates need two floats, or another unit of
   * length. The programs are four times as large.
   */
  readonly far?: boolean
  /** Of maps: the arrays with a number for each component, `position` by default. */
  readonly vectors?: readonly string[]
  /** Of laws of vectors: the number of components of each attribute that is a vector, `{ x: 10 }`. Runs have vectors of these lengths. */
  readonly lengths?: Readonly<Record<string, number>>
}

const names = ['backends', 'precision', 'dimension', 'twoSets', 'far', 'vectors', 'lengths']
/** Designs are for any number of points, but not for none. */
const some = 1000

/**
 * The same workload, with its programs beside it as plain data, which `JSON.stringify` writes and any engine takes in its place. Values
 * of parameters stay values of each run.
 *
 * @throws TypeError, RangeError for wrong options; {@link UnsupportedWorkloadError} for lists and for sums over links, and if a backend
 * of `backends` cannot run it, or by default none can
 */
export function compile<W extends Workload>(given: W, options: CompileOptions = {}): CompiledWorkload<W> {
  const { loop }: { readonly loop?: unknown } = Object(given)
  if (loop === 'link')
    throw new UnsupportedWorkloadError('overLinks', 'compile', 'sums over links are compiled in the page')
  const workload = workloadOf(given) as W
  const {
    precision = 'f32',
    dimension = 3,
    twoSets = false,
    far = false,
    vectors = ['position'],
    lengths,
    backends,
  } = onlyNamed(options, 'option of compile', names)
  const precisions = [precision].flat()
  for (const one of precisions) oneOf(one, 'precision', ['f32', 'f64'])
  if (![1, 2, 3].includes(dimension)) throw unexpected('dimension', '1, 2 or 3', dimension)
  flag(twoSets, 'twoSets')
  flag(far, 'far')
  if (makesLists(workload)) throw refused(workload, 'lists are compiled in the page')
  const space = workload.loop === 'grid' ? (workload.grid.cells.length as Dimension) : dimension
  const points: Shape = {
    dimension: space,
    targets: some,
    sources: workload.loop === 'pair' ? some : 0,
    sameSet: !twoSets,
    vectors: workload.loop === 'grid' ? [] : workload.loop === 'pair' ? ['position'] : vectors,
  }
  const shape = withLengths(workload, points, lengths)
  const wanted = backendsFor(workload, shape, precisions, backends)
  const forms = far ? ([{}, { split: true }, { scaled: true }, { split: true, scaled: true }] as const) : [{}]
  const compilers: Readonly<Record<CompiledBackend, (one: Workload, points: Shape) => unknown>> = {
    'cpu-wasm': (one, points) => compileCpu(one, points, { precisions, forms }),
    webgpu: (one, points) => compileWebGpu(one, points, { forms }),
    webgl: (one, points) => compileWebGl(one, points, { forms }),
  }
  const programsOf = (one: Workload, points: Shape) => {
    const refusals: UnsupportedWorkloadError[] = []
    const programs = wanted.flatMap((name) => {
      try {
        return [[name, compilers[name](one, points)] as const]
      } catch (error) {
        if (backends || !(error instanceof UnsupportedWorkloadError)) throw error
        refusals.push(error)
        return []
      }
    })
    if (refusals[0] && programs.length === 0) throw refusals[0]
    return Object.fromEntries(programs)
  }
  const tree = treeOf(workload, shape, programsOf)
  return compiledWorkload(workload, shape, programsOf(workload, shape), tree)
}

/** The facts and programs by which a sum with a tolerance measures its errors. */
function treeOf(
  workload: Workload,
  shape: Shape,
  programsOf: (workload: Workload, shape: Shape) => Readonly<Record<string, unknown>>,
): Compiled['tree'] {
  if (workload.loop !== 'pair' || !workload.method) return undefined
  if (workload.method.kind === 'mesh')
    throw refused(workload, 'a mesh splits the law by its numbers when it first runs; leave out the method')
  if (workload.method.kind === 'fast')
    throw refused(workload, 'the fastest method depends on the points of a run; give a tree')
  const facts = deriveTreeFacts(workload, shape)
  const { measured } = facts
  if (!measured) throw refused(workload, 'the expressions of the law are too long for a tree; leave out the method')
  const two = { ...shape, sameSet: false }
  return { ...facts, measured: compiledWorkload(measured, two, programsOf(measured, two)) }
}

/** @throws TypeError, RangeError if they are none, or lack a precision or a method that is asked for */
function backendsFor(
  workload: Workload,
  shape: Shape,
  precisions: readonly Precision[],
  backends: CompileOptions['backends'],
): readonly CompiledBackend[] {
  const approximated = workload.loop === 'pair' && workload.method !== undefined
  const isVector = isVectorSum(workload, shape)
  const able: readonly CompiledBackend[] =
    precisions.includes('f32') && !approximated ? (isVector ? ofVectors : known) : ['cpu-wasm']
  if (backends === undefined) return able
  listOf(backends, 'backends', 'names of backends')
  for (const name of backends) oneOf(name, 'backends', known)
  const unable = backends.find((name) => !able.includes(name))
  const why = approximated
    ? 'cpu-wasm, whose trees alone are compiled ahead'
    : able === ofVectors
      ? 'cpu-wasm or webgpu, which add up all components of a vector in one program'
      : 'cpu-wasm, which alone computes in f64'
  if (unable) throw new RangeError(`"backends" expected ${why}, got ${unable}`)
  return backends
}

const refused = (workload: Workload, reason: string) =>
  new UnsupportedWorkloadError(workload.results.join(' and '), 'compile', reason)
