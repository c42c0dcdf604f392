/**
 * The operator table of WGSL, and the few functions that WGSL lacks, as text to put before a shader that calls them.
 *
 * @module
 */
import {
  type Expr,
  type Infix,
  type InfixDialect,
  infixLanguage,
  type Language,
  render,
} from '@manybody/core/expression'

const operator = (text: string) => (a: string, b: string) => `(${a} ${text} ${b})`

const calls: InfixDialect['call'] = {
  exp: 'exp',
  log: 'log',
  // WGSL asks for 5e-4 of sin and cos, and only between -pi and pi; these keep float32's digits.
  sin: 'sine',
  cos: 'cosine',
  tan: 'tangent',
  // Drivers form tanh from exponentials, which overflow from 89 on; it is 1 in float32 from 10 on.
  tanh: (x) => `tanh(clamp(${x}, -10.0, 10.0))`,
  erf: 'errorFunction',
  erfc: 'complementaryErrorFunction',
  abs: 'abs',
  sign: 'sign',
  floor: 'floor',
  ceil: 'ceil',
  round: 'round',
  step: (x) => `step(0.0, ${x})`,
  // WGSL asks for 2e-4 of atan2, and for nothing where an operand is 0; drivers take -0 for half a turn.
  atan2: 'angle',
  min: 'min',
  max: 'max',
  pow: 'realPower',
  select: (when, a, b) => `select(${b}, ${a}, ${when})`,
  less: operator('<'),
  lessEqual: operator('<='),
  equal: operator('=='),
  // Without short circuits: conditions have no effects, and branches cost more.
  and: operator('&'),
  or: operator('|'),
  not: (a) => `!(${a})`,
}

/** WGSL in which a symbol is spelled as `symbolText` says. */
function wgsl(symbolText: (name: string) => string): Language<Infix> {
  return infixLanguage({ constant: literal, symbol: symbolText, power, call: calls })
}

/** An expression as WGSL text. */
export function wgslText(e: Expr, symbolText: (name: string) => string = (name) => name): string {
  return render(e, wgsl(symbolText)).text
}

/** An expression that the host evaluates, in float64, as text for a comment. */
export function hostText(e: Expr): string {
  const language = { constant: String, symbol: (name: string) => name, power: hostPower, call: calls }
  return render(e, infixLanguage(language)).text
}

const hostPower = (base: string, exponent: number) => `pow(${base}, ${exponent})`

/** A float32 literal. @throws RangeError beyond what float32 holds, which WGSL refuses to compile */
export function literal(value: number): string {
  if (!Number.isFinite(Math.fround(value)))
    throw new RangeError(`Cannot write ${value} in WGSL: float32 ends at 3.4e38; scale the units of the expression`)
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

function power(base: string, exponent: number): string {
  if (exponent === 0.5) return `sqrt(${base})`
  if (exponent === -0.5) return `inverseSqrt(${base})`
  return `pow(${base}, ${literal(exponent)})`
}

const errorFunctions = `
// W. J. Cody's idea in float32: a series near 0, where 1 - erfc would lose digits, and erfc as t exp(-x^2 + P(t)) else.
// Coefficients: W. H. Press et al., Numerical Recipes (2nd ed., 1992), section 6.2; fractional error below 1.2e-7.
fn complementaryErrorFunction(x: f32) -> f32 {
  let z = abs(x);
  let t = 1.0 / (1.0 + 0.5 * z);
  let p = -1.26551223 + t * (1.00002368 + t * (0.37409196 + t * (0.09678418 + t * (-0.18628806
    + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  let tail = t * exp(p - z * z);
  return select(tail, 2.0 - tail, x < 0.0);
}
fn errorFunction(x: f32) -> f32 {
  let x2 = x * x;
  let near = x * (1.1283791671 + x2 * (-0.3761263890 + x2 * (0.1128379167 + x2 * (-0.0268661706
    + x2 * (0.0052239776 + x2 * (-0.0008548327 + x2 * 0.0001205533))))));
  return select(1.0 - complementaryErrorFunction(x), near, abs(x) < 0.5);
}`

const realPower = `
// a^n for any sign of a: WGSL's pow is undefined for a < 0, where whole n have a value, and for 0^0 = 1.
fn realPower(a: f32, n: f32) -> f32 {
  let size = pow(abs(a), n);
  let odd = fract(0.5 * n) != 0.0;
  return select(select(size, -size, a < 0.0 && odd), 1.0, n == 0.0);
}`

const trigonometric = `
// x less quarter turns, in three parts so that no digits are lost, then minimax polynomials on [-pi/4, pi/4].
// Coefficients: S. L. Moshier, Cephes (1989), single precision.
fn turned(x: f32, quarter: f32) -> f32 {
  let q = round(x * 0.63661977);
  let y = ((x - q * 1.5703125) - q * 0.00048375129) - q * 0.000000075497899;
  let y2 = y * y;
  let s = y + y * y2 * (-0.16666654611 + y2 * (0.0083321608736 - y2 * 0.00019515295891));
  let c = 1.0 - 0.5 * y2 + y2 * y2 * (0.041666645683 + y2 * (-0.0013887316255 + y2 * 0.000024433157118));
  let turns = 0.25 * (q + quarter);
  let size = select(s, c, fract(2.0 * turns) != 0.0);
  return select(size, -size, fract(turns) >= 0.5);
}
fn sine(x: f32) -> f32 { return turned(x, 0.0); }
fn cosine(x: f32) -> f32 { return turned(x, 1.0); }
fn tangent(x: f32) -> f32 { return sine(x) / cosine(x); }`

const angle = `
// The smaller operand over the larger, turned by pi/4 where it is above tan(pi/8), then a minimax polynomial; signs by their
// bits, as zeros have them too. Coefficients: S. L. Moshier, Cephes (1989), single precision.
fn angle(y: f32, x: f32) -> f32 {
  let small = min(abs(x), abs(y));
  let large = max(abs(x), abs(y));
  let far = small > 0.41421356 * large;
  let u = select(small, small - large, far) / select(select(large, small + large, far), 1.0, large == 0.0);
  let u2 = u * u;
  let near = u + u * u2 * (-0.333329491539 + u2 * (0.199777106478 + u2 * (-0.138776856032 + u2 * 0.0805374449538)));
  let eighth = select(near, near + 0.78539816, far);
  let quarter = select(eighth, 1.5707964 - eighth, abs(y) > abs(x));
  let half = select(quarter, 3.1415927 - quarter, bitcast<i32>(x) < 0);
  return select(half, -half, bitcast<i32>(y) < 0);
}`

/** The functions that a shader calls and WGSL does not have. */
export function preludeFor(code: string): string {
  const helpers: readonly (readonly [RegExp, string])[] = [
    [/rrorFunction\(/, errorFunctions],
    [/\brealPower\(/, realPower],
    [/\bangle\(/, angle],
    [/\b(sine|cosine|tangent)\(/, trigonometric],
  ]
  return helpers.map(([call, text]) => (call.test(code) ? `${text.trim()}\n\n` : '')).join('')
}
