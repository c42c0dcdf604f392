/**
 * How wrong each function may be, and how it propagates errors of its operands. Tests hold every backend to these bounds,
 * `docs/functions.md` prints them, and error analysis reads them. They are apart from the definitions so that a page that
 * only computes does not load them.
 *
 * @module
 */
import { functions, type NumericName } from './table.ts'

/** The accuracy for a first operand up to some size. */
export interface AccuracyRange {
  /** The largest `|x|`; any, if undefined. */
  readonly upTo?: number
  readonly relative?: string
  readonly absolute?: string
}

/** Ranges by ascending size. Beyond the last one, only the sign and the range of the result are right. */
export type Accuracy = readonly AccuracyRange[]

export interface FunctionErrors {
  /** The largest error of the function alone in float32, on every backend; its units are in `function-accuracy.ts`. */
  readonly accuracy: Accuracy
  /** The largest error on backends that run on a processor, if it is smaller. */
  readonly onProcessors?: Accuracy
  /** The largest error in float64, in units of 2^-53, added to the error of JavaScript, which is the truth there; exact, if undefined. */
  readonly inFloat64?: Accuracy
  /**
   * The largest change of the value when each operand moves by up to its error. It holds for errors of any size: a pole or a
   * jump within reach gives an infinite or a large error.
   *
   * @param value of the function at the operands
   */
  readonly propagation: (value: number, x: number, ex: number, y: number, ey: number) => number
  /** Whether the value jumps, so that no error of an operand is small. */
  readonly jumps?: true
}

type Propagation = FunctionErrors['propagation']

export const exact: Accuracy = [{}]
const infinite = Number.POSITIVE_INFINITY

/** A function of steps that never falls: it moves to the farther of the two ends. */
const jumping = (f: (x: number) => number): FunctionErrors => ({
  accuracy: exact,
  propagation: (value, x, ex) => (ex === 0 ? 0 : Math.max(f(x + ex) - value, value - f(x - ex))),
  jumps: true,
})

/** For a function that is steepest at 0, with values that span at most `span`. */
const steepestAtZero =
  (slope: (size: number) => number, span: number): Propagation =>
  (_, x, ex) =>
    ex === 0 ? 0 : Math.min(slope(Math.max(0, Math.abs(x) - ex)) * ex, span)

const gaussian = steepestAtZero((x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x), 2)
/** For a sine or a cosine: by the steepest slope within reach. */
const wave =
  (valueAndSlope: (x: number) => readonly [value: number, slope: number]): Propagation =>
  (_, x, ex) => {
    if (ex === 0) return 0
    const [value, slope] = valueAndSlope(x)
    return Math.min(ex, 2, Math.abs(slope) * ex + (Math.abs(value) * ex * ex) / 2)
  }
/** Computed in float64, and then rounded. */
const nearlyRounded: Accuracy = [{ relative: '1.2' }]

export const functionErrors: Readonly<Record<NumericName, FunctionErrors>> = {
  exp: {
    accuracy: [{ relative: '8 + 4*abs(x)' }],
    onProcessors: [{ relative: '2.5' }],
    inFloat64: [{ relative: '3.5' }],
    propagation: (value, _, ex) => value * Math.expm1(ex),
  },
  log: {
    accuracy: [{ relative: '4' }],
    onProcessors: [{ relative: '2' }],
    inFloat64: [{ relative: '3.5' }],
    propagation: (_, x, ex) => (ex === 0 ? 0 : ex < Math.abs(x) ? -Math.log1p(-ex / Math.abs(x)) : infinite),
  },
  sin: {
    accuracy: [
      { upTo: 1, relative: '4' },
      { upTo: 8192, absolute: '3' },
      { upTo: 2 ** 20, absolute: '3 + abs(x)' },
    ],
    onProcessors: [{ upTo: 2 ** 20, relative: '1.2' }],
    inFloat64: [{ upTo: 2 ** 20, relative: '5' }],
    propagation: wave((x) => [Math.sin(x), Math.cos(x)]),
  },
  cos: {
    accuracy: [
      { upTo: 8192, absolute: '3' },
      { upTo: 2 ** 20, absolute: '3 + abs(x)' },
    ],
    onProcessors: [{ upTo: 2 ** 20, relative: '1.2' }],
    inFloat64: [{ upTo: 2 ** 20, relative: '5' }],
    propagation: wave((x) => [Math.cos(x), Math.sin(x)]),
  },
  tan: {
    accuracy: [
      { upTo: 1, relative: '10' },
      { upTo: 8192, relative: '10', absolute: '1 + f^2' },
    ],
    onProcessors: [{ upTo: 8192, relative: '1.2' }],
    inFloat64: [{ upTo: 8192, relative: '7' }],
    propagation(value, x, ex) {
      if (ex === 0) return 0
      const beyond = Math.abs(x / Math.PI - Math.round(x / Math.PI)) * Math.PI + ex
      return beyond < Math.PI / 2 ? (1 + Math.max(Math.tan(beyond) ** 2, value ** 2)) * ex : infinite
    },
  },
  tanh: {
    accuracy: [{ relative: '6' }],
    onProcessors: nearlyRounded,
    inFloat64: [{ relative: '6' }],
    propagation: steepestAtZero((x) => 1 / Math.cosh(x) ** 2, 2),
  },
  sech: {
    accuracy: [{ relative: '15 + 4*abs(x)' }],
    onProcessors: nearlyRounded,
    inFloat64: [{ relative: '8' }],
    // The slope of its logarithm is -tanh(x).
    propagation: (value, x, ex) => value * Math.expm1(Math.tanh(Math.abs(x) + ex) * ex),
  },
  erf: {
    accuracy: [{ relative: '6' }],
    onProcessors: nearlyRounded,
    inFloat64: [{ relative: '10' }],
    propagation: gaussian,
  },
  erfc: {
    accuracy: [{ relative: '8 + 5*x^2' }],
    onProcessors: nearlyRounded,
    inFloat64: [{ upTo: 1, relative: '6', absolute: '6' }, { relative: '10 + 2*x^2' }],
    propagation: gaussian,
  },
  abs: { accuracy: exact, propagation: (_, _x, ex) => ex },
  sign: jumping(functions.sign.value),
  floor: jumping(functions.floor.value),
  ceil: jumping(functions.ceil.value),
  round: jumping(functions.round.value),
  step: jumping(functions.step.value),
  atan2: {
    accuracy: [{ relative: '8' }],
    onProcessors: nearlyRounded,
    inFloat64: [{ relative: '5' }],
    propagation(_, y, ey, x, ex) {
      const away = Math.hypot(ex, ey)
      if (away === 0) return 0
      // Across the negative axis, and around the origin, the angle jumps by a full turn.
      if ((x - ex <= 0 && Math.abs(y) <= ey) || away >= Math.hypot(x, y)) return 2 * Math.PI
      return Math.asin(away / Math.hypot(x, y))
    },
  },
  min: {
    accuracy: exact,
    propagation: (value, x, ex, y, ey) =>
      x === value && x + ex < y - ey ? ex : y === value && y + ey < x - ex ? ey : Math.max(ex, ey),
  },
  max: {
    accuracy: exact,
    propagation: (value, x, ex, y, ey) =>
      x === value && x - ex > y + ey ? ex : y === value && y - ey > x + ex ? ey : Math.max(ex, ey),
  },
  pow: {
    accuracy: [{ relative: '8 + 8*abs(y*log(abs(x)))' }],
    onProcessors: nearlyRounded,
    // JavaScriptCore multiplies where the exponent is a whole number of at most 1000.
    inFloat64: [{ relative: '5 + 3*abs(y*log(abs(x))) + min(abs(y), 1000)' }],
    propagation(value, x, ex, y, ey) {
      if (ex === 0 && ey === 0) return 0
      if (ex >= Math.abs(x))
        return y - ey > 0 && x >= 0 ? (x + ex) ** (y - ey) + (x + ex) ** (y + ey) + value : infinite
      const logarithm = -Math.log1p(-ex / Math.abs(x))
      const exponent = (Math.abs(y) + ey) * logarithm + Math.abs(Math.log(Math.abs(x))) * ey
      return Math.abs(value) * Math.expm1(exponent)
    },
  },
}
