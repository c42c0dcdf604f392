/**
 * Textures that share a sheet. A pass reads few textures. If it has more, some become parts of one sheet, one below the other,
 * all with the same number of rows.
 *
 * @module
 */
import type { DeviceFacts } from './facts.ts'

/** How many textures a pass reads on every device with a version of WebGL: gpu.js keeps the sixteenth for itself. */
export const boundTextures: Readonly<Record<DeviceFacts['version'], number>> = { 1: 8, 2: 15 }

/** The texture of the n-th shared sheet, and the integer with the rows of each of its parts. */
export const sharedSheet = (n: number): string => `shared${n}`
export const partRows = (n: number): string => `partRows${n}`

interface Reads {
  readonly glsl: string
  readonly textures: readonly string[]
  readonly integers?: readonly string[]
}

interface SharedReads {
  /** The textures of each shared sheet, from top to bottom. */
  readonly shared?: readonly (readonly string[])[]
}

/** The names of textures that may share: the arrays of points, which the text reads as flat sheets. */
const mayShare = /^(target|source)(Position|Attribute)|^array/

/** A pass that reads at most this number of textures. */
export function sharing<Pass extends Reads>(pass: Pass, most: number): Pass & SharedReads {
  if (pass.textures.length <= most) return pass
  const parts = pass.textures.filter((name) => mayShare.test(name))
  const others = pass.textures.filter((name) => !mayShare.test(name))
  const shared = divided(parts, most - others.length)
  const places = new Map(shared.flatMap((names, sheet) => names.map((name, n) => [name, { sheet, n }] as const)))
  const glsl = pass.glsl.replace(/flatNumber\(user_(\w+), user_\w+, /g, (text, name: string) => {
    const place = places.get(name)
    if (!place) return text
    const sheet = `user_${sharedSheet(place.sheet)}`
    return `flatNumber(${sheet}, ${sheet}Scale, ${1024 * place.n} * user_${partRows(place.sheet)} + `
  })
  return {
    ...pass,
    glsl,
    shared,
    textures: [...others, ...shared.map((_, n) => sharedSheet(n))],
    integers: [...(pass.integers ?? []), ...shared.map((_, n) => partRows(n))],
  }
}

/** The most parts of a sheet. @param fixed how many textures of the pass do not share */
export const mostParts = (parts: number, fixed: number, most: number): number =>
  parts + fixed <= most ? 1 : Math.ceil(parts / (most - fixed))

/** Divides names among sheets. */
function divided(names: readonly string[], sheets: number): readonly (readonly string[])[] {
  const each = Math.ceil(names.length / sheets)
  return Array.from({ length: Math.ceil(names.length / each) }, (_, n) => names.slice(n * each, (n + 1) * each))
}
