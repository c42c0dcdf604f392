/**
 * A pass as data: a native GLSL function that returns the texels of one sheet, and the names of its inputs. `host/pass.ts`
 * compiles it, `shaderText` prints it.
 *
 * @module
 */
import { withHighpOutput } from '../quirks/highp-output.ts'
import { lines } from './code-text.ts'
import type { Dialect } from './dialect.ts'
import { type SheetSize, type SheetTiles, wholeSheet } from './layout.ts'
import { preludeFor } from './operators.ts'

export interface PassSource {
  /** Name of the native function `vec4 <name>()`. */
  readonly name: string
  readonly glsl: string
  readonly textures: readonly string[]
  readonly integers?: readonly string[]
  readonly numbers?: readonly string[]
  readonly size: SheetSize
  /** If one draw makes several tiles, the function returns the first and leaves the others in `tile1, tile2, ...`. */
  readonly tiles?: SheetTiles
}

/** The variables of the tiles that the function of a pass does not return. */
export function furtherTiles({ tiles: { across, down } = wholeSheet }: Pick<PassSource, 'tiles'>): readonly string[] {
  return Array.from({ length: across * down - 1 }, (_, n) => `tile${n + 1}`)
}

/** The pass with the changes that this version of WebGL needs. */
export const passFor = ({ version }: Dialect, source: PassSource): PassSource =>
  version === 1 ? withHighpOutput(source) : source

/** The functions that a pass calls, and the variables of its further tiles. */
export function functionsFor(dialect: Dialect, source: PassSource): string {
  const tiles = furtherTiles(source).map((tile) => `vec4 ${tile};\n`)
  return `${dialect.functions}${preludeFor(source.glsl, dialect.version)}${tiles.join('')}`
}

/** The fragment shader that gpu.js makes of a pass, without the helper functions of gpu.js, which no pass calls. */
export function shaderText(dialect: Dialect, source: PassSource): string {
  const pass = passFor(dialect, source)
  const { name, glsl, textures, integers = [], numbers = [] } = pass
  const tiles = furtherTiles(pass)
  return `${dialect.header}
${lines([
  ...outputsFor(dialect, tiles),
  ...textures.map((texture) => `uniform highp sampler2D user_${texture};`),
  ...textures.map((texture) => `uniform vec2 user_${texture}Scale;`),
  ...integers.map((integer) => `uniform int user_${integer};`),
  ...numbers.map((number) => `uniform float user_${number};`),
])}
${functionsFor(dialect, pass)}
${glsl}
void main() { ${[`${dialect.output} = ${name}();`, ...tiles.map((tile) => `${outputOf(tile)} = ${tile};`)].join(' ')} }
`
}

const outputOf = (tile: string): string => `${tile}Output`

/** GLSL ES 1.00 has its output built in. Where there are several, each needs its place. */
function outputsFor({ version, output }: Dialect, tiles: readonly string[]): readonly string[] {
  if (version === 1) return []
  if (tiles.length === 0) return [`out vec4 ${output};`]
  return [output, ...tiles.map(outputOf)].map((name, place) => `layout(location = ${place}) out vec4 ${name};`)
}
