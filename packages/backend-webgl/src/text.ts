/**
 * Prints the shaders of a workload as GLSL, for readers and for snapshots. This is a separate entry, because runs do not
 * need it.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { oneOf, onlyNamed } from '@manybody/core/backend'
import { designOf } from './compile/designs/designs.ts'
import { dialectFor, dialects } from './compile/glsl/dialect.ts'
import { shaderText } from './compile/glsl/shader-text.ts'

export interface TextOptions {
  /** Version of WebGL; 2 by default. */
  readonly version?: 1 | 2
  /** The kind of the device; `hardware` by default. Graphics cards and software rasterisers read sources in different ways. */
  readonly kind?: 'hardware' | 'software'
}

/**
 * The fragment shaders in running order, for the workload's own parameters. Nothing is compiled, and no device is needed.
 *
 * @throws RangeError for an unknown version
 */
export function glslText(workload: Workload, shape: Shape, options: TextOptions = {}): string {
  const { version = 2, kind = 'hardware' } = onlyNamed(options, 'option', ['version', 'kind'])
  if (dialects[version] === undefined) throw new RangeError(`"version" expected 1 or 2, got ${String(version)}`)
  const dialect = dialectFor(version, oneOf(kind, 'kind', ['hardware', 'software']))
  return designOf(workload, shape, dialect)
    .passes.map((pass) => shaderText(dialect, pass))
    .join('\n')
}
