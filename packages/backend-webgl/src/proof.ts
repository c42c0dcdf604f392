/**
 * Float32 proven, not assumed: a known sum through the same passes that programs use.
 *
 * The numbers need 24 bits, so a device that stores or computes in half precision, or answers zeros, gives another sum.
 *
 * @module
 */
import type { GlHost } from './host.ts'
import { flatSize } from './layout.ts'
import { Pass } from './pass.ts'
import type { Sheets } from './sheets.ts'

const count = 64

/** Odd numbers around 2^18: each, and every sum of them on the way, is a whole number below 2^24. */
const terms: Float32Array = Float32Array.from({ length: count }, (_, n) => 2 ** 17 + 2 * n + 1)
const expected: number = terms.reduce((total, term) => total + term, 0)

/** Why results of this device cannot be trusted, or undefined. */
export function disproof(host: GlHost, sheets: Sheets): string | undefined {
  const { number } = host.dialect
  const numbers = sheets.upload(terms)
  const pass = new Pass(
    host,
    {
      name: 'knownSum',
      glsl: `
vec4 knownSum() {
  float total = 0.0;
  for (int n = 0; n < ${count}; n++) total += ${number('terms', 'n')};
  return vec4(total, ${number('terms', '0')} + user_third, 0.0, 1.0);
}`,
      textures: ['terms'],
      numbers: ['third'],
      size: flatSize(4),
    },
    sheets.standIn,
  )
  const sheet = pass.run({ textures: { terms: numbers }, values: { third: 1 / 3 } })
  const [sum = 0, shifted = 0, zero = 1, one = 0] = host.read(sheet, 4)
  for (const { texture } of [sheet, numbers]) texture.delete()
  pass.dispose()
  const fraction = Math.fround((terms[0] as number) + Math.fround(1 / 3))
  if (sum === expected && Math.abs(shifted - fraction) <= 2 ** -7 && zero === 0 && one === 1) return undefined
  const state = sum === 0 && one === 0 ? 'answers zeros' : 'does not compute in float32'
  return `the device ${state}: a sum of whole numbers gave ${sum} for ${expected}; update its driver or use another backend`
}
