/**
 * Turns a workload into a program that a page runs without a compiler.
 *
 * @module
 */
import { compileCpu } from '@manybody/backend-cpu-wasm/compile'
import { compileWebGl } from '@manybody/backend-webgl/compile'
import { compileWebGpu } from '@manybody/backend-webgpu/compile'
import type { CompiledWorkload, Dimension, Precision, Workload } from '@manybody/core'
import {
  flag,
  listOf,
  makesLists,
  oneOf,
  onlyNamed,
  UnsupportedWorkloadError,
  unexpected,
} from '@manybody/core/backend'
import { compiledWorkload } from '@manybody/core/expression'
import { workloadOf } from '@manybody/core/judge'

/** A backend that runs compiled workloads. */
export type CompiledBackend = 'cpu-wasm' | 'webgpu' | 'webgl'

const known: readonly CompiledBackend[] = ['cpu-wasm', 'webgpu', 'webgl']

export interface CompileOptions {
  /** The backends that will run it: by default all that have a precision which is asked for. */
  readonly backends?: readonly CompiledBackend[]
  /** The precisions of the engines that will run it, `f32` by default. */
  readonly precision?: Precision | readonly Precision[]
  /** 3 by default. A grid has its own. */
  readonly dimension?: Dimension
  /** Whether targets and sources are two sets; one set acts on itself by default. */
  readonly twoSets?: boolean
  /**
   * Whether float32 engines also take points that are very far apart or very close, whose coordinates need two floats, or another unit
   * of length. The programs are four times as large.
   */
  readonly far?: boolean
  /** Of maps: the arrays with a number for each component, `position` by default. */
  readonly vectors?: readonly string[]
}

const names = ['backends', 'precision', 'dimension', 'twoSets', 'far', 'vectors']
/** Designs are for any number of points, but not for none. */
const some = 1000

/**
 * The same workload, with its programs beside it as plain data, which `JSON.stringify` writes and any engine takes in its place. Values
 * of parameters stay values of each run.
 *
 * @throws TypeError, RangeError for wrong options; {@link UnsupportedWorkloadError} for lists and sums with a tolerance
 */
export function compile<W extends Workload>(given: W, options: CompileOptions = {}): CompiledWorkload<W> {
  const workload = workloadOf(given) as W
  const {
    precision = 'f32',
    dimension = 3,
    twoSets = false,
    far = false,
    vectors = ['position'],
    backends,
  } = onlyNamed(options, 'option of compile', names)
  const precisions = [precision].flat()
  for (const one of precisions) oneOf(one, 'precision', ['f32', 'f64'])
  const wanted = backendsFor(precisions, backends)
  if (dimension !== 2 && dimension !== 3) throw unexpected('dimension', '2 or 3', dimension)
  flag(twoSets, 'twoSets')
  flag(far, 'far')
  if (makesLists(workload)) throw refused(workload, 'lists are compiled in the page')
  if (workload.loop === 'pair' && workload.method)
    throw refused(workload, 'a sum with a tolerance is compiled in the page')
  const space = workload.loop === 'grid' ? (workload.grid.cells.length as Dimension) : dimension
  const shape = {
    dimension: space,
    targets: some,
    sources: workload.loop === 'pair' ? some : 0,
    sameSet: !twoSets,
    vectors: workload.loop === 'grid' ? [] : workload.loop === 'pair' ? ['position'] : vectors,
  }
  const forms = far ? ([{}, { split: true }, { scaled: true }, { split: true, scaled: true }] as const) : [{}]
  const compilers: Readonly<Record<CompiledBackend, () => unknown>> = {
    'cpu-wasm': () => compileCpu(workload, shape, { precisions, forms }),
    webgpu: () => compileWebGpu(workload, shape, { forms }),
    webgl: () => compileWebGl(workload, shape, { forms }),
  }
  return compiledWorkload(workload, shape, Object.fromEntries(wanted.map((name) => [name, compilers[name]()])))
}

/** @throws TypeError, RangeError if they are none, or lack a precision that is asked for */
function backendsFor(
  precisions: readonly Precision[],
  backends: CompileOptions['backends'],
): readonly CompiledBackend[] {
  const able: readonly CompiledBackend[] = precisions.includes('f32') ? known : ['cpu-wasm']
  if (backends === undefined) return able
  listOf(backends, 'backends', 'names of backends')
  for (const name of backends) oneOf(name, 'backends', known)
  const unable = backends.find((name) => !able.includes(name))
  if (unable) throw new RangeError(`"backends" expected cpu-wasm, which alone computes in f64, got ${unable}`)
  return backends
}

const refused = (workload: Workload, reason: string) =>
  new UnsupportedWorkloadError(workload.results.join(' and '), 'compile', reason)
