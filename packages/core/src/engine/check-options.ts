/**
 * Rejects options that no candidate can understand, before anything is probed.
 *
 * @module
 */
import { listOf, oneOf, onlyNamed, whole } from '../checks.ts'
import type { CandidateOptions } from './candidates.ts'

const known = ['backends', 'backend', 'require', 'forbid', 'precision', 'threads', 'tune']

/** @throws TypeError, RangeError */
export function checkOptions(options: CandidateOptions & { readonly backends: unknown }): void {
  const { precision = 'f32', threads = 1, tune = 'off' } = onlyNamed(options, 'engine option', known)
  oneOf(precision, 'precision', ['f32', 'f64'])
  oneOf(tune, 'tune', ['off', 'quick', 'full'])
  whole(threads, 'threads', 1)
  // Any word may be a feature of some device; only words can be.
  for (const name of ['require', 'forbid'] as const)
    listOf(options[name] === undefined ? [] : options[name], name, 'names, kinds or features')
  listOf(options.backends, 'backends', 'backends, such as reference()', (item) => 'probe' in Object(item))
}
