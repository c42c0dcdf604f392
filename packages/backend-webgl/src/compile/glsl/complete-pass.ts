/**
 * Completes a pass from a loop with the functions that it calls.
 *
 * @module
 */
import type { PassSource } from '../../design/pass.ts'
import type { Dialect } from './dialect.ts'
import { preludeFor } from './operators.ts'

export function completePass({ version, functions: always }: Dialect, pass: PassSource): PassSource {
  const functions = `${always}${preludeFor(pass.glsl, version)}`
  return functions === '' ? pass : { ...pass, functions }
}
