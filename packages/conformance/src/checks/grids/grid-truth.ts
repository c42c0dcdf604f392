/**
 * Sums through a grid without a grid, in float64. The windows of a point have a short transform along each axis, and fields are sums over
 * modes. It takes a time that grows with points times modes, so it suits small sums only.
 *
 * @module
 */
import type { FloatArray } from '@manybody/core'
import type { GridPoints, GridSum, GridTerm } from '@manybody/core/backend'

interface Complex {
  readonly re: Float64Array
  readonly im: Float64Array
}

const zeros = (length: number): Complex => ({ re: new Float64Array(length), im: new Float64Array(length) })

/** The fields at the targets: field by field within each target. */
export function gridTruth(sum: GridSum, { sources, weights, targets = sources }: GridPoints): Float64Array {
  const spectra = weights.map((one) => spectrumOf(sum, sources, one))
  const fields = sum.fields.map((terms) => modesOf(terms, spectra, sum.highest))
  const count = targets.length / sum.dimension
  const found = new Float64Array(count * fields.length)
  for (let target = 0; target < count; target++) {
    const { re, im } = wavesOf(sum, targets, target)
    for (const [f, field] of fields.entries()) {
      let total = 0
      // Fields are real, so the modes along z that are missing are conjugates.
      for (let at = 0; at < re.length; at++) {
        const times = at % (sum.highest[2] + 1) === 0 ? 1 : 2
        const [x, y] = [field.re[at] as number, field.im[at] as number]
        total += times * (x * (re[at] as number) + y * (im[at] as number))
      }
      found[target * fields.length + f] = total
    }
  }
  return found
}

/** The modes of the weights. */
function spectrumOf(sum: GridSum, positions: FloatArray, weights: FloatArray): Complex {
  const [mx, my, mz] = sum.highest
  const all = zeros((2 * mx + 1) * (2 * my + 1) * (mz + 1))
  for (const [point, weight] of weights.entries()) {
    const { re, im } = wavesOf(sum, positions, point)
    for (let at = 0; at < re.length; at++) {
      all.re[at] = (all.re[at] as number) + weight * (re[at] as number)
      all.im[at] = (all.im[at] as number) + weight * (im[at] as number)
    }
  }
  return all
}

/** The modes of a field: those of its weights times factors. */
function modesOf(terms: readonly GridTerm[], spectra: readonly Complex[], [mx, my, mz]: GridSum['highest']): Complex {
  const all = zeros((2 * mx + 1) * (2 * my + 1) * (mz + 1))
  for (const { weight, factors, turned } of terms) {
    const { re, im } = spectra[weight] as Complex
    for (const [at, factor] of factors.entries()) {
      const [x, y] = [factor * (re[at] as number), factor * (im[at] as number)]
      all.re[at] = (all.re[at] as number) + (turned ? -y : x)
      all.im[at] = (all.im[at] as number) + (turned ? x : y)
    }
  }
  return all
}

/** The modes of the window of one point. */
function wavesOf(sum: GridSum, positions: FloatArray, point: number): Complex {
  const at = (axis: 0 | 1 | 2, coordinate = axis) =>
    axisOf(sum, axis, positions[sum.dimension * point + coordinate] as number)
  const [x, y, z] = sum.dimension === 2 ? [at(0), flat, at(2, 1)] : [at(0), at(1), at(2)]
  const [mx, my, mz] = sum.highest
  const all = zeros((2 * mx + 1) * (2 * my + 1) * (mz + 1))
  let mode = 0
  for (let kx = -mx; kx <= mx; kx++)
    for (let ky = -my; ky <= my; ky++) {
      const [a, b] = [x(kx), y(ky)]
      const [re, im] = [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
      for (let kz = 0; kz <= mz; kz++, mode++) {
        const [c, d] = z(kz)
        all.re[mode] = re * c - im * d
        all.im[mode] = re * d + im * c
      }
    }
  return all
}

/** The mode of a window along an axis. */
type Axis = (k: number) => readonly [re: number, im: number]

/** Along an axis where a grid has one point, all is at that point. */
const flat: Axis = () => [1, 0]

function axisOf({ lengths, sizes, window }: GridSum, axis: 0 | 1 | 2, coordinate: number): Axis {
  const { width, degree, pieces } = window
  const share = coordinate / lengths[axis]
  const place = (share - Math.floor(share)) * sizes[axis]
  const first = Math.ceil(place - width / 2)
  const x = 2 * (first - place + width / 2) - 1
  const values = Array.from({ length: width }, (_, piece) => {
    let value = 0
    for (let power = degree; power >= 0; power--) value = value * x + (pieces[power * width + piece] as number)
    return value
  })
  return (k) => {
    let [re, im] = [0, 0]
    for (const [piece, value] of values.entries()) {
      const angle = (-2 * Math.PI * k * (first + piece)) / sizes[axis]
      re += value * Math.cos(angle)
      im += value * Math.sin(angle)
    }
    return [re, im]
  }
}
