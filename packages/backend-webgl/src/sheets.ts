/**
 * Numbers of the host to sheets, and sheets to other layouts: passes that every program shares, compiled when first
 * needed and kept for the device's life.
 *
 * @module
 */
import type { GlHost, Sheet } from './host.ts'
import { flatSize, type SheetSize } from './layout.ts'
import { Pass } from './pass.ts'

/** Reads number n of a flat sheet. */
export const flatNumber = `
float flatNumber(highp sampler2D sheet, int n) {
  return texelFetch(sheet, ivec2((n >> 2) & 255, n >> 10), 0)[n & 3];
}
`

/** gpu.js packs four numbers per texel, in a texture as square as it can make it. */
const uploadLoop = `
vec4 upload() {
  int texel = int(gl_FragCoord.y) * WIDTH + int(gl_FragCoord.x);
  return texelFetch(user_data, ivec2(texel % user_dataSize.x, texel / user_dataSize.x), 0);
}`

/** Gathers `components` numbers of each element, from number `offset` on, one after the other. */
const flattenLoop = `
vec4 flatten() {
  vec4 result = vec4(0.0);
  for (int lane = 0; lane < 4; lane++) {
    int n = 4 * (int(gl_FragCoord.y) * 256 + int(gl_FragCoord.x)) + lane;
    int element = user_first + n / user_components;
    int component = user_offset + n % user_components;
    result[lane] = texelFetch(user_paged, ivec2(((component >> 2) << 8) | (element & 255), element >> 8), 0)[component & 3];
  }
  return result;
}`

/** Which numbers of a paged sheet: of elements `first, first + 1, ...`, `components` from `offset` on. */
export interface Part {
  readonly first: number
  readonly count: number
  readonly offset: number
  readonly components: number
}

export class Sheets {
  /** Any small sheet, for passes to be compiled with. */
  readonly standIn: Sheet
  readonly #uploads = new Map<string, Pass>()
  readonly #flattens = new Map<number, Pass>()

  constructor(readonly host: GlHost) {
    this.standIn = this.upload(new Float32Array(4), flatSize(4))
  }

  /** Copies numbers to a sheet, in order; what they do not fill is undefined. */
  upload(array: ArrayLike<number>, size: SheetSize = flatSize(array.length)): Sheet {
    const key = `${size.width} ${size.height}`
    let pass = this.#uploads.get(key)
    if (pass === undefined) {
      pass = new Pass(this.host, {
        name: 'upload',
        glsl: uploadLoop.replace('WIDTH', String(size.width)),
        array: { name: 'data', length: 4 * size.width * size.height },
        textures: [],
        size,
      })
      this.#uploads.set(key, pass)
    }
    return pass.run({ array })
  }

  /** Part of a paged sheet, as a flat one. */
  flatten(paged: Sheet, { first, count, offset, components }: Part): Sheet {
    const size = flatSize(count * components)
    let pass = this.#flattens.get(size.height)
    if (pass === undefined) {
      pass = new Pass(
        this.host,
        {
          name: 'flatten',
          glsl: flattenLoop,
          textures: ['paged'],
          integers: ['first', 'offset', 'components'],
          size,
        },
        this.standIn,
      )
      this.#flattens.set(size.height, pass)
    }
    return pass.run({ textures: { paged }, values: { first, offset, components } })
  }

  /** Part of a paged sheet, as numbers of the host. */
  read(paged: Sheet, part: Part): Float32Array {
    const flat = this.flatten(paged, part)
    try {
      return this.host.read(flat, part.count * part.components)
    } finally {
      flat.texture.delete()
    }
  }
}
