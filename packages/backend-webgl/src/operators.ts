/**
 * The operator table of GLSL, and the functions that it lacks, as text to put before a shader.
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
  functions as signatures,
} from '@manybody/core/expression'

const operator = (text: string) => (a: string, b: string) => `(${a} ${text} ${b})`

const calls: InfixDialect['call'] = {
  exp: 'exp',
  log: 'log',
  sin: 'sine',
  cos: 'cosine',
  tan: (x) => `(sine(${x}) / cosine(${x}))`,
  // Drivers form tanh from exponentials, which overflow from 89 on; it is 1 in float32 from 10 on.
  tanh: (x) => `tanh(clamp(${x}, -10.0, 10.0))`,
  erf: 'errorFunction',
  erfc: 'complementaryErrorFunction',
  abs: 'abs',
  sign: 'sign',
  floor: 'floor',
  ceil: 'ceil',
  round: 'roundEven',
  step: (x) => `step(0.0, ${x})`,
  atan2: 'angle',
  min: 'min',
  max: 'max',
  pow: 'realPower',
  select: 'choose',
  less: operator('<'),
  lessEqual: operator('<='),
  equal: operator('=='),
  and: 'both',
  or: 'either',
  not: (a) => `!(${a})`,
}

/** GLSL in which a symbol is spelled as `symbol` says. */
function glsl(symbol: (name: string) => string): Language<Infix> {
  return infixLanguage({ constant: literal, symbol, power, call: calls })
}

/** An expression as GLSL text. */
export function glslText(e: Expr, symbol: (name: string) => string = (name) => name): string {
  return render(e, glsl(symbol)).text
}

/** The GLSL type of an expression's value. */
export function typeOf(e: Expr): 'bool' | 'float' {
  return e.kind === 'call' && signatures[e.name].result === 'condition' ? 'bool' : 'float'
}

/** A float32 literal. @throws RangeError beyond what float32 holds */
export function literal(value: number): string {
  if (!Number.isFinite(Math.fround(value)))
    throw new RangeError(`Cannot write ${value} in GLSL: float32 ends at 3.4e38; scale the units of the expression`)
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

function power(base: string, exponent: number): string {
  if (exponent === 0.5) return `sqrt(${base})`
  if (exponent === -0.5) return `inversesqrt(${base})`
  return exponent < 0 ? `pow(${base}, -${literal(-exponent)})` : `pow(${base}, ${literal(exponent)})`
}

/**
 * A choice is between names and constants, here and in what `calls` gives: everything else is a branch to compilers, and
 * SwiftShader takes time exponential in the branches of a loop to order them (`Spirv::Function::ExistsPath`): shaders with
 * some 20 never finished.
 */
const functions: Readonly<Record<string, string>> = {
  choose: 'float choose(bool when, float a, float b) { return when ? a : b; }',
  both: 'bool both(bool a, bool b) { return a && b; }',
  either: 'bool either(bool a, bool b) { return a || b; }',
  // A series near 0, where 1 - erfc would lose digits, and erfc as t exp(-x^2 + P(t)) elsewhere. Coefficients of P:
  // W. H. Press et al., Numerical Recipes in C (2nd ed., 1992), section 6.2; fractional error below 1.2e-7.
  rrorFunction: `
float complementaryErrorFunction(float x) {
  float z = abs(x);
  float t = 1.0 / (1.0 + 0.5 * z);
  float p = -1.26551223 + t * (1.00002368 + t * (0.37409196 + t * (0.09678418 + t * (-0.18628806
    + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  float tail = t * exp(p - z * z);
  float reflected = 2.0 - tail;
  return x < 0.0 ? reflected : tail;
}
float errorFunction(float x) {
  float x2 = x * x;
  float near = x * (1.1283791671 + x2 * (-0.3761263890 + x2 * (0.1128379167 + x2 * (-0.0268661706
    + x2 * (0.0052239776 + x2 * (-0.0008548327 + x2 * 0.0001205533))))));
  float far = 1.0 - complementaryErrorFunction(x);
  return abs(x) < 0.5 ? near : far;
}`,
  // GLSL allows sin and cos an error of 2^-11, and drivers take it: reduce to a quarter turn, in three parts of pi/2, and
  // use the polynomials of S. L. Moshier, Cephes Mathematical Library, single precision; error about 1e-7 for |x| < 8192.
  sine: `
float quarterTurns(float x, out float rest) {
  float turns = roundEven(x * 0.6366197723675814);
  rest = ((x - turns * 1.5703125) - turns * 4.837512969970703e-4) - turns * 7.549789954891882e-8;
  return turns;
}
float sineNear(float x) {
  float x2 = x * x;
  return x + x * x2 * (-1.6666654611e-1 + x2 * (8.3321608736e-3 - x2 * 1.9515295891e-4));
}
float cosineNear(float x) {
  float x2 = x * x;
  return 1.0 - 0.5 * x2 + x2 * x2 * (4.166664568298827e-2 + x2 * (-1.388731625493765e-3 + x2 * 2.443315711809948e-5));
}
float sineOf(float turns, float rest) {
  float quarter = turns - 4.0 * floor(0.25 * turns);
  float even = sineNear(rest);
  float odd = cosineNear(rest);
  float size = quarter == 0.0 || quarter == 2.0 ? even : odd;
  float below = -size;
  return quarter < 2.0 ? size : below;
}
float sine(float x) {
  float rest;
  return sineOf(quarterTurns(x, rest), rest);
}
float cosine(float x) {
  float rest;
  return sineOf(quarterTurns(x, rest) + 1.0, rest);
}`,
  // GLSL leaves atan(0, 0) undefined, and drivers take -0 for half a turn; it cannot tell the sign of a zero.
  angle: `
float angle(float y, float x) {
  float general = atan(y, x);
  float straight = x < 0.0 ? 3.1415927 : 0.0;
  return y == 0.0 ? straight : general;
}`,
  // GLSL's pow is undefined for a < 0, where whole n have a value, and for 0^0 = 1.
  realPower: `
float realPower(float a, float n) {
  float size = pow(abs(a), n);
  float below = -size;
  bool odd = fract(0.5 * n) != 0.0;
  float power = a < 0.0 && odd ? below : size;
  return n == 0.0 ? 1.0 : power;
}`,
}

/** The functions that a shader calls and GLSL does not have. */
export function preludeFor(code: string): string {
  return Object.entries(functions)
    .filter(([name]) => code.includes(`${name}(`) || (name === 'sine' && code.includes('cosine(')))
    .map(([, text]) => `${text.trim()}\n`)
    .join('\n')
}
