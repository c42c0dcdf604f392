/**
 * Fast Fourier transforms of lines with a length of factors 2, 3 and 5. Several lines are transformed side by side.
 *
 * @source Stockham's sorted passes: Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 1.7
 * @module
 */

export interface Complex {
  readonly re: Float64Array
  readonly im: Float64Array
}

export const complexArray = (length: number): Complex => ({
  re: new Float64Array(length),
  im: new Float64Array(length),
})

/** The complex conjugates' transform is the conjugate, so an inverse transform is one with its parts exchanged. */
export const exchangedParts = ({ re, im }: Complex): Complex => ({ re: im, im: re })

/** The least length of factors 2, 3 and 5 that is not below n. */
export function niceLength(n: number): number {
  for (let length = Math.max(1, Math.ceil(n)); ; length++) {
    let rest = length
    for (const factor of [2, 3, 5]) while (rest % factor === 0) rest /= factor
    if (rest === 1) return length
  }
}

/** A pass takes `groups * radix` numbers apart into `groups` transforms of `radix` numbers. */
interface Pass {
  readonly radix: number
  readonly groups: number
  /** The factors of group g and output b, at `g * radix + b`. */
  readonly cos: Float64Array
  readonly sin: Float64Array
}

export interface Line {
  readonly length: number
  readonly passes: readonly Pass[]
}

const lines = new Map<number, Line>()

/** The passes for a length of factors 2, 3 and 5. */
export function lineOf(length: number): Line {
  const known = lines.get(length)
  if (known) return known
  const passes: Pass[] = []
  for (let rest = length; rest > 1; ) {
    const radix = [4, 2, 3, 5].find((r) => rest % r === 0)
    if (radix === undefined) throw new RangeError(`"length" expected factors 2, 3 and 5, got ${length}`)
    const angles = Float64Array.from(
      { length: rest },
      (_, n) => (-2 * Math.PI * Math.floor(n / radix) * (n % radix)) / rest,
    )
    passes.push({ radix, groups: rest / radix, cos: angles.map(Math.cos), sin: angles.map(Math.sin) })
    rest /= radix
  }
  const line = { length, passes }
  lines.set(length, line)
  return line
}

/**
 * Transforms `batch` lines; number n of line b is at `n * batch + b`. Uses both arrays, and returns the one with the result.
 */
export function transformLines({ passes }: Line, batch: number, from: Complex, spare: Complex): Complex {
  let [input, output] = [from, spare]
  let width = batch
  for (const pass of passes) {
    radixes[pass.radix as keyof typeof radixes](pass, width, input, output)
    width *= pass.radix
    ;[input, output] = [output, input]
  }
  return input
}

type Radix = (pass: Pass, width: number, from: Complex, to: Complex) => void

const two: Radix = ({ groups, cos, sin }, width, { re, im }, { re: outRe, im: outIm }) => {
  for (let g = 0; g < groups; g++) {
    const c = cos[2 * g + 1] as number
    const s = sin[2 * g + 1] as number
    const a0 = width * g
    const a1 = width * (g + groups)
    const o = 2 * width * g
    for (let n = 0; n < width; n++) {
      const xr = re[a0 + n] as number
      const xi = im[a0 + n] as number
      const yr = re[a1 + n] as number
      const yi = im[a1 + n] as number
      outRe[o + n] = xr + yr
      outIm[o + n] = xi + yi
      const dr = xr - yr
      const di = xi - yi
      outRe[o + width + n] = dr * c - di * s
      outIm[o + width + n] = dr * s + di * c
    }
  }
}

const three: Radix = ({ groups, cos, sin }, width, { re, im }, { re: outRe, im: outIm }) => {
  const root = Math.sqrt(3) / 2
  for (let g = 0; g < groups; g++) {
    const c1 = cos[3 * g + 1] as number
    const s1 = sin[3 * g + 1] as number
    const c2 = cos[3 * g + 2] as number
    const s2 = sin[3 * g + 2] as number
    const a0 = width * g
    const a1 = width * (g + groups)
    const a2 = width * (g + 2 * groups)
    const o = 3 * width * g
    for (let n = 0; n < width; n++) {
      const xr = re[a0 + n] as number
      const xi = im[a0 + n] as number
      const yr = re[a1 + n] as number
      const yi = im[a1 + n] as number
      const zr = re[a2 + n] as number
      const zi = im[a2 + n] as number
      const sr = yr + zr
      const si = yi + zi
      const dr = root * (yr - zr)
      const di = root * (yi - zi)
      const hr = xr - sr / 2
      const hi = xi - si / 2
      outRe[o + n] = xr + sr
      outIm[o + n] = xi + si
      const pr = hr + di
      const pi = hi - dr
      const qr = hr - di
      const qi = hi + dr
      outRe[o + width + n] = pr * c1 - pi * s1
      outIm[o + width + n] = pr * s1 + pi * c1
      outRe[o + 2 * width + n] = qr * c2 - qi * s2
      outIm[o + 2 * width + n] = qr * s2 + qi * c2
    }
  }
}

const four: Radix = ({ groups, cos, sin }, width, { re, im }, { re: outRe, im: outIm }) => {
  for (let g = 0; g < groups; g++) {
    const c1 = cos[4 * g + 1] as number
    const s1 = sin[4 * g + 1] as number
    const c2 = cos[4 * g + 2] as number
    const s2 = sin[4 * g + 2] as number
    const c3 = cos[4 * g + 3] as number
    const s3 = sin[4 * g + 3] as number
    const a0 = width * g
    const a1 = width * (g + groups)
    const a2 = width * (g + 2 * groups)
    const a3 = width * (g + 3 * groups)
    const o = 4 * width * g
    for (let n = 0; n < width; n++) {
      const xr = re[a0 + n] as number
      const xi = im[a0 + n] as number
      const yr = re[a1 + n] as number
      const yi = im[a1 + n] as number
      const zr = re[a2 + n] as number
      const zi = im[a2 + n] as number
      const wr = re[a3 + n] as number
      const wi = im[a3 + n] as number
      const er = xr + zr
      const ei = xi + zi
      const fr = xr - zr
      const fi = xi - zi
      const gr = yr + wr
      const gi = yi + wi
      const hr = yr - wr
      const hi = yi - wi
      outRe[o + n] = er + gr
      outIm[o + n] = ei + gi
      const pr = fr + hi
      const pi = fi - hr
      const qr = er - gr
      const qi = ei - gi
      const tr = fr - hi
      const ti = fi + hr
      outRe[o + width + n] = pr * c1 - pi * s1
      outIm[o + width + n] = pr * s1 + pi * c1
      outRe[o + 2 * width + n] = qr * c2 - qi * s2
      outIm[o + 2 * width + n] = qr * s2 + qi * c2
      outRe[o + 3 * width + n] = tr * c3 - ti * s3
      outIm[o + 3 * width + n] = tr * s3 + ti * c3
    }
  }
}

const five: Radix = ({ groups, cos, sin }, width, { re, im }, { re: outRe, im: outIm }) => {
  const ca = Math.cos((2 * Math.PI) / 5)
  const sa = Math.sin((2 * Math.PI) / 5)
  const cb = Math.cos((4 * Math.PI) / 5)
  const sb = Math.sin((4 * Math.PI) / 5)
  for (let g = 0; g < groups; g++) {
    const c1 = cos[5 * g + 1] as number
    const s1 = sin[5 * g + 1] as number
    const c2 = cos[5 * g + 2] as number
    const s2 = sin[5 * g + 2] as number
    const c3 = cos[5 * g + 3] as number
    const s3 = sin[5 * g + 3] as number
    const c4 = cos[5 * g + 4] as number
    const s4 = sin[5 * g + 4] as number
    const a0 = width * g
    const more = width * groups
    const o = 5 * width * g
    for (let n = 0; n < width; n++) {
      const at = a0 + n
      const xr = re[at] as number
      const xi = im[at] as number
      const r1 = re[at + more] as number
      const i1 = im[at + more] as number
      const r4 = re[at + 4 * more] as number
      const i4 = im[at + 4 * more] as number
      const r2 = re[at + 2 * more] as number
      const i2 = im[at + 2 * more] as number
      const r3 = re[at + 3 * more] as number
      const i3 = im[at + 3 * more] as number
      const ar = r1 + r4
      const ai = i1 + i4
      const br = r1 - r4
      const bi = i1 - i4
      const cr = r2 + r3
      const ci = i2 + i3
      const dr = r2 - r3
      const di = i2 - i3
      outRe[o + n] = xr + ar + cr
      outIm[o + n] = xi + ai + ci
      const er = xr + ca * ar + cb * cr
      const ei = xi + ca * ai + cb * ci
      const fr = xr + cb * ar + ca * cr
      const fi = xi + cb * ai + ca * ci
      const gr = sa * br + sb * dr
      const gi = sa * bi + sb * di
      const hr = sb * br - sa * dr
      const hi = sb * bi - sa * di
      const pr = er + gi
      const pi = ei - gr
      const sr = er - gi
      const si = ei + gr
      const qr = fr + hi
      const qi = fi - hr
      const ur = fr - hi
      const ui = fi + hr
      outRe[o + width + n] = pr * c1 - pi * s1
      outIm[o + width + n] = pr * s1 + pi * c1
      outRe[o + 2 * width + n] = qr * c2 - qi * s2
      outIm[o + 2 * width + n] = qr * s2 + qi * c2
      outRe[o + 3 * width + n] = ur * c3 - ui * s3
      outIm[o + 3 * width + n] = ur * s3 + ui * c3
      outRe[o + 4 * width + n] = sr * c4 - si * s4
      outIm[o + 4 * width + n] = sr * s4 + si * c4
    }
  }
}

const radixes = { 2: two, 3: three, 4: four, 5: five }
