/**
 * Completes a pass from a loop with the functions that it calls. If it reads too many textures, some share a sheet.
 *
 * @module
 */
import type { PassSource } from '../../design/pass.ts'
import { boundTextures, sharing } from '../../design/shared-sheets.ts'
import type { Dialect } from './dialect.ts'
import { preludeFor } from './operators.ts'

export function completePass({ version, functions: always }: Dialect, pass: PassSource): PassSource {
  const functions = `${always}${preludeFor(pass.glsl, version)}`
  return sharing(functions === '' ? pass : { ...pass, functions }, boundTextures[version])
}
