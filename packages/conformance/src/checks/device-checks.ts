/**
 * All checks of a device, in order; the last one disposes it.
 *
 * @module
 */
import { bufferChecks } from './buffers.ts'
import type { Check } from './check.ts'
import { disposalChecks } from './disposal.ts'
import { identityChecks } from './identity.ts'
import { runChecks } from './runs.ts'
import { sequenceChecks } from './sequences.ts'

export const deviceChecks: readonly Check[] = [
  ...identityChecks,
  ...bufferChecks,
  ...runChecks,
  ...sequenceChecks,
  ...disposalChecks,
]
