/**
 * The whole fragment shader that gpu.js makes of a pass, for readers and for snapshots.
 *
 * @module
 */
import { functionsOf, furtherTiles, type PassSource, passFor } from '../../design/pass.ts'
import { lines } from './code-text.ts'
import type { Dialect } from './dialect.ts'

/** The fragment shader of a pass, without the helper functions of gpu.js, which no pass calls. */
export function shaderText(dialect: Dialect, source: PassSource): string {
  const pass = passFor(dialect.version, source)
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
${functionsOf(dialect.version, pass)}
${glsl}
void main() { ${[`${dialect.output} = ${name}();`, ...tiles.map((tile) => `${outputOf(tile)} = ${tile};`)].join(' ')} }
`
}

const outputOf = (tile: string): string => `${tile}Output`

/** GLSL ES 1.00 has its output built in. If there are several outputs, each needs a location. */
function outputsFor({ version, output }: Dialect, tiles: readonly string[]): readonly string[] {
  if (version === 1) return []
  if (tiles.length === 0) return [`out vec4 ${output};`]
  return [output, ...tiles.map(outputOf)].map((name, place) => `layout(location = ${place}) out vec4 ${name};`)
}
