/**
 * Refuses options that no candidate could mean, before anything is probed.
 *
 * @module
 */
import { describe, oneOf, onlyNamed, whole } from '../checks.ts'
import type { CandidateOptions } from './candidates.ts'

const known = ['backends', 'backend', 'require', 'forbid', 'precision', 'threads', 'tune']

/** @throws TypeError, RangeError */
export function checkOptions(options: CandidateOptions): void {
  const { precision = 'f32', threads = 1, tune = 'off' } = onlyNamed(options, 'engine option', known)
  oneOf(precision, 'precision', ['f32', 'f64'])
  oneOf(tune, 'tune', ['off', 'quick', 'full'])
  whole(threads, 'threads', 1)
  for (const name of ['require', 'forbid'] as const) {
    const tags = options[name] ?? []
    if (!Array.isArray(tags))
      throw new TypeError(`"${name}" expected a list of names, kinds or features, got ${describe(tags)}`)
    // Any word may be a feature of some device; nothing else is one.
    const stranger = tags.findIndex((tag) => typeof tag !== 'string')
    if (stranger >= 0)
      throw new TypeError(
        `"${name}" expected a list of names, kinds or features, got ${describe(tags[stranger])} at ${stranger}`,
      )
  }
}
