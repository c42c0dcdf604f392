/**
 * A pass as data: a native GLSL function that returns the texels of one sheet, and the names of its inputs. `host/pass.ts`
 * compiles it, `shaderText` prints it.
 *
 * @module
 */
import { withHighpOutput } from '../quirks/highp-output.ts'
import { lines } from './code-text.ts'
import type { Dialect } from './dialect.ts'
import type { SheetSize } from './layout.ts'
import { preludeFor } from './operators.ts'

export interface PassSource {
  /** Name of the native function `vec4 <name>()`. */
  readonly name: string
  readonly glsl: string
  readonly textures: readonly string[]
  readonly integers?: readonly string[]
  readonly numbers?: readonly string[]
  readonly size: SheetSize
}

/** The pass with the changes that this version of WebGL needs. */
export const passFor = ({ version }: Dialect, source: PassSource): PassSource =>
  version === 1 ? withHighpOutput(source) : source

/** The functions that a pass calls. */
export const functionsFor = (dialect: Dialect, { glsl }: PassSource): string =>
  `${dialect.functions}${preludeFor(glsl, dialect.version)}`

/** The fragment shader that gpu.js makes of a pass, without the helper functions of gpu.js, which no pass calls. */
export function shaderText(dialect: Dialect, source: PassSource): string {
  const pass = passFor(dialect, source)
  const { name, glsl, textures, integers = [], numbers = [] } = pass
  return `${dialect.header}
${lines([
  ...textures.map((texture) => `uniform highp sampler2D user_${texture};`),
  ...textures.map((texture) => `uniform vec2 user_${texture}Scale;`),
  ...integers.map((integer) => `uniform int user_${integer};`),
  ...numbers.map((number) => `uniform float user_${number};`),
])}
${functionsFor(dialect, pass)}
${glsl}
void main() { ${dialect.output} = ${name}(); }
`
}
