/**
 * A pass as data: a native GLSL function that returns the texels of one sheet, and the names of its inputs. `run/host/pass.ts`
 * compiles it, `compile/glsl/shader-text.ts` prints it.
 *
 * @module
 */
import { withHighpOutput } from '../quirks/highp-output.ts'
import type { DeviceFacts } from './facts.ts'
import { type SheetSize, type SheetTiles, wholeSheet } from './layout.ts'
import { readFunctions } from './reads.ts'

export interface PassSource {
  /** Name of the native function `vec4 <name>()`. */
  readonly name: string
  readonly glsl: string
  /** Functions that it calls, besides the functions that read sheets. */
  readonly functions?: string
  readonly textures: readonly string[]
  /** The textures in each sheet that several share (`shared-sheets.ts`). */
  readonly shared?: readonly (readonly string[])[]
  readonly integers?: readonly string[]
  readonly numbers?: readonly string[]
  readonly size: SheetSize
  /** If one draw makes several tiles, the function returns the first and leaves the others in `tile1, tile2, ...`. */
  readonly tiles?: SheetTiles
  /** Macros: the numbers in its text that depend on the counts of points (`counts.ts`). */
  readonly counts?: Readonly<Record<string, number>>
}

/** The variables of the tiles that the function of a pass does not return. */
export function furtherTiles({ tiles: { across, down } = wholeSheet }: Pick<PassSource, 'tiles'>): readonly string[] {
  return Array.from({ length: across * down - 1 }, (_, n) => `tile${n + 1}`)
}

type Version = DeviceFacts['version']

/** The pass with the changes that this version of WebGL needs. */
export const passFor = (version: Version, source: PassSource): PassSource =>
  version === 1 ? withHighpOutput(source) : source

/** The macros of a pass, the functions that it calls, and the variables of its further tiles. */
export function functionsOf(version: Version, source: PassSource): string {
  const { functions = '', counts = {} } = source
  const macros = Object.entries(counts).map(([name, count]) => `\n#define ${name} ${count}`)
  const tiles = furtherTiles(source).map((tile) => `vec4 ${tile};\n`)
  return `${macros.join('')}${readFunctions[version]}${functions}${tiles.join('')}`
}
