/**
 * Uploads numbers to sheets, and converts sheets between layouts. All programs of a device share one `Sheets`.
 *
 * @module
 */

import { flatSize, type SheetPart, type SheetSize, texelsOf, unpackPaged } from '../../design/layout.ts'
import { texel } from '../../design/reads.ts'
import { textureLike } from './gpu-js.ts'
import type { GlHost, Sheet } from './host.ts'
import { Pass } from './pass.ts'

/** Gathers `components` numbers of each element, starting at number `offset`, into consecutive numbers. */
const flattenLoop: string = `
vec4 flatten() {
  vec4 result = vec4(0.0);
  for (int lane = 0; lane < 4; lane++) {
    int n = 4 * elementAt(int(gl_FragCoord.y), int(gl_FragCoord.x)) + lane;
    int element = user_first + quotient(n, user_components);
    int number = user_offset + remainder(n, user_components);
    int page = quotient(number, 4);
    vec4 four = ${texel('paged', 'elementAt(page, columnOf(element))', 'rowOf(element)')};
    result[lane] = component(four, number - 4 * page);
  }
  return result;
}`

export class Sheets {
  /** A small sheet to compile passes with. */
  readonly standIn: Sheet
  readonly #flattens = new Map<number, Pass>()

  constructor(readonly host: GlHost) {
    const blank = { name: 'blank', glsl: 'vec4 blank() { return vec4(0.0); }', textures: [], size: flatSize(4) }
    this.standIn = new Pass(host, blank).run({})
  }

  /** Copies numbers to a sheet, in order. */
  upload(array: ArrayLike<number>, size: SheetSize = flatSize(array.length)): Sheet {
    const texture = textureLike(this.standIn.texture, this.host.upload(array, size), size)
    return { texture, ...size }
  }

  /** The pass that writes `length` numbers to a flat sheet. */
  flattening(length: number): Pass {
    const size = flatSize(length)
    let pass = this.#flattens.get(size.height)
    if (pass === undefined) {
      const integers = ['first', 'offset', 'components']
      pass = new Pass(
        this.host,
        { name: 'flatten', glsl: flattenLoop, textures: ['paged'], integers, size },
        this.standIn,
      )
      this.#flattens.set(size.height, pass)
    }
    return pass
  }

  /** Part of a paged sheet, as a flat sheet. */
  flatten(paged: Sheet, { first, count, offset, components }: SheetPart): Sheet {
    return this.flattening(count * components).run({ textures: { paged }, values: { first, offset, components } })
  }

  /** Part of a paged sheet, as an array on the host. */
  read(paged: Sheet, part: SheetPart): Float32Array {
    return unpackPaged(this.host.readTexels(paged, texelsOf(part)), part)
  }
}
