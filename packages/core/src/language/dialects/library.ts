/**
 * Functions that shading languages lack, or that drivers get wrong, as expressions: one body for WGSL and GLSL alike.
 *
 * A backend declares each as a function in its language ({@link preludeOf}). Bodies call other functions by their names in
 * the expression language, so they use a backend's own `exp`. They round as little as float32 allows (see
 * `function-accuracy.ts`) and write no infinity. They return NaN for NaN without testing for it: comparisons with NaN are
 * false, and the "else" branch computes with the NaN.
 *
 * @source tangent, logarithm, arctangent, hyperbolic tangent: S. L. Moshier, Cephes, single precision, 1989
 * @source erfc: W. H. Press et al., Numerical Recipes (2nd ed., 1992), section 6.2, fractional error below 1.2e-7
 * @module
 */
import type { NumericName } from '../functions/table.ts'
import { type Spellings, usualSpellings } from '../infix.ts'
import type { Expr } from '../nodes.ts'
import { parse } from '../parse.ts'
import { type Binding, schedule } from '../schedule.ts'

/** A function as its language declares it: named values in order, then the result. */
export interface LibraryFunction {
  readonly parameters: readonly string[]
  readonly lets: readonly Binding[]
  readonly result: Expr
}

/** `c0 + x*(c1 + x*(c2 + ...))` */
const horner = (x: string, [first, ...rest]: readonly number[]): string =>
  rest.length ? `(${first} + ${x}*${horner(x, rest)})` : `(${first})`

/**
 * The remainder of x after q quarter turns. Subtracting in three parts loses no digits up to 2^13 quarter turns. The remainder
 * is 0 if no digit is left, and NaN for infinities.
 */
const quarterTurns = `
  y = select(1 < abs(rest), 0, rest);
  rest = x - q*1.5703125 - q*4.837512969970703e-4 - q*7.549789954891882e-8;
  q = round(x*0.6366197723675814);
  z = y*y`
const sineNear = `(y + y*z*${horner('z', [-0.16666654611, 0.0083321608736, -0.00019515295891])})`
const cosineNear = `(1 - 0.5*z + z*z*${horner('z', [0.041666645683, -0.0013887316255, 0.000024433157118])})`
/** The sine of x, or of x plus a quarter turn. */
const turned = (more: '' | ' + 1') => `
  select(0.5 <= turns - floor(turns), -size, size);
  size = select(2*turns == floor(2*turns), ${sineNear}, ${cosineNear});
  turns = 0.25*(q${more}); ${quarterTurns}`

const erfcTail = `t*exp(${horner(
  't',
  [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ],
)} - z*z); t = 1/(1 + 0.5*z); z = abs(x)`

export type LibraryName =
  | ('signum' | 'least' | 'greatest' | 'logarithmOf' | 'realPower' | 'hyperbolicTangent' | 'hyperbolicSecant')
  | ('complementaryErrorFunction' | 'errorFunction' | 'sine' | 'cosine' | 'tangent' | 'angleOf')

const sources: Readonly<Record<LibraryName, readonly [parameters: string, body: string]>> = {
  signum: ['x', 'select(0 < x, 1, select(x < 0, -1, 0))'],
  least: ['a, b', 'select(b < a, b, a)'],
  greatest: ['a, b', 'select(a < b, b, a)'],
  /** The logarithm of `x = 2^k m`, with m between sqrt(1/2) and sqrt(2). Mesa takes the inverse root of -0 for positive. */
  logarithmOf: [
    'x, m, k',
    `select(x <= 3.4028234663852886e38, select(0 < x, y, -(1/(x*x) + sqrt(x))), x);
    y = f + f*f*(f*${horner(
      'f',
      [
        0.33333331174, -0.24999993993, 0.20000714765, -0.16668057665, 0.14249322787, -0.12420140846, 0.1167699874,
        -0.1151461031, 0.070376836292,
      ],
    )} - 0.5) - k*2.1219444e-4 + k*0.693359375;
    f = m - 1`,
  ],
  /** Whole exponents give negative bases a value. */
  realPower: [
    'a, n',
    `select(n == 0, 1, select(0 <= a || floor(n) == n, select(a < 0 && 2*floor(0.5*n) < n, -size, size), sqrt(a)));
    size = exp(n*log(abs(a)))`,
  ],
  hyperbolicTangent: [
    'x',
    `select(0.625 < abs(x), sign(x)*(1 - 2/(exp(2*abs(x)) + 1)), x + x*z*${horner(
      'z',
      [-0.333332819422, 0.133314422036, -0.0537397155531, 0.0206390887954, -0.00570498872745],
    )}); z = x*x`,
  ],
  hyperbolicSecant: ['x', '2*e/(1 + e*e); e = exp(-abs(x))'],
  complementaryErrorFunction: ['x', `select(x < 0, 2 - tail, tail); tail = ${erfcTail}`],
  /** Use a series near 0, where 1 - erfc would lose digits. */
  errorFunction: [
    'x',
    `select(0.7 < abs(x), 1 - erfc(x), x*${horner(
      'w',
      [
        1.1283791671, -0.376126389, 0.1128379167, -0.0268661706, 0.0052239776, -0.0008548327, 0.0001205533,
        -0.0000149257,
      ],
    )}); w = x*x`,
  ],
  sine: ['x', turned('')],
  cosine: ['x', turned(' + 1')],
  /** If no digit of the remainder is left, it is 0, and its cotangent infinite. */
  tangent: [
    'x',
    `select(0.5*q == floor(0.5*q) || 1 < abs(rest), s/c, -c/s); s = ${sineNear}; c = ${cosineNear}; ${quarterTurns}`,
  ],
  /**
   * Divides the smaller size by the larger, rotates quotients above tan(pi/8) by pi/4, and mirrors the angle into its octant.
   * `up` and `along` are 1 or -1: the signs of y and x, also if these are zeros.
   */
  angleOf: [
    'y, x, up, along',
    `up*select(along < 0, 3.1415926535897931 - quarter, quarter);
    quarter = select(abs(x) < abs(y), 1.5707963267948966 - eighth, eighth);
    eighth = select(0.41421356237309503*large < small, near + 0.78539816339744831, near);
    near = u + u*w*${horner('w', [-0.333329491539, 0.199777106478, -0.138776856032, 0.0805374449538])};
    w = u*u;
    u = select(0.41421356237309503*large < small, (small - large)/(small + large), small/select(large == 0, 1, large));
    small = select(abs(x) < abs(y), abs(x), abs(y)); large = select(abs(x) < abs(y), abs(y), abs(x))`,
  ],
}

/** Functions that shading languages have and drivers compute to the promised accuracy. Each language spells `step` by a choice. */
type OwnName = 'exp' | 'abs' | 'floor' | 'ceil' | 'round' | 'step'

/** The functions that replace all others. `logarithm` and `angle` take numbers apart, so each language defines its own. */
const helpers: Readonly<Record<Exclude<NumericName, OwnName>, LibraryName | 'logarithm' | 'angle'>> = {
  log: 'logarithm',
  sin: 'sine',
  cos: 'cosine',
  tan: 'tangent',
  tanh: 'hyperbolicTangent',
  sech: 'hyperbolicSecant',
  erf: 'errorFunction',
  erfc: 'complementaryErrorFunction',
  sign: 'signum',
  atan2: 'angle',
  min: 'least',
  max: 'greatest',
  pow: 'realPower',
}

/** The spellings that shading languages share. */
export const shaderSpellings: Spellings = { ...usualSpellings, ...helpers }

export const library = Object.fromEntries(
  Object.entries(sources).map(([name, [parameters, body]]) => [name, functionOf(parameters.split(', '), body)]),
) as Readonly<Record<LibraryName, LibraryFunction>>

function functionOf(parameters: readonly string[], body: string): LibraryFunction {
  const { loop, outputs } = schedule([parse(body, { names: parameters })], { rateOf: () => 'loop' })
  return { parameters, lets: loop, result: outputs[0] as Expr }
}

/**
 * The declarations that a text calls, directly or through others.
 *
 * @param declarations by name, each after the declarations that it calls
 */
export function preludeOf(code: string, declarations: Readonly<Record<string, string>>): string {
  const texts: string[] = []
  for (const [name, text] of Object.entries(declarations).reverse())
    if ([code, ...texts].some((caller) => new RegExp(`\\b${name}\\(`).test(caller))) texts.unshift(`${text.trim()}\n`)
  return texts.join('\n')
}
