/**
 * The operator table of GLSL, and the functions that it lacks, as text to put before a shader.
 *
 * @module
 */
import {
  type Expr,
  isCondition,
  type LibraryFunction,
  type LibraryName,
  library,
  preludeOf,
  render,
  type ShadingDialect,
  shaderLiteral,
  shadingLanguage,
} from '@manybody/core/expression'

/**
 * Functions that GLSL has are used where drivers hold what core promises: `exp` is one. The others are from core's library:
 * GLSL asks for nothing of them, and leaves open what min, max and sign make of NaN.
 */
const dialect: ShadingDialect = {
  name: 'GLSL',
  inverseSqrt: 'inversesqrt',
  call: {
    round: 'roundEven',
    step: (x) => `choose(0.0 <= ${x}, 1.0, 0.0)`,
    select: 'choose',
    and: 'both',
    or: 'either',
  },
}

/** An expression as GLSL text. */
export function glslOf(e: Expr, symbol: (name: string) => string = (name) => name): string {
  return render(e, shadingLanguage(dialect, symbol)).text
}

/** The GLSL type of an expression's value. */
export function typeOf(e: Expr): 'bool' | 'float' {
  return isCondition(e) ? 'bool' : 'float'
}

/** A float32 literal. @throws RangeError beyond what float32 holds */
export const literal = (value: number): string => shaderLiteral(value, dialect)

/** A function of the library in GLSL. */
function declared([name, { parameters, lets, result }]: readonly [string, LibraryFunction]): [string, string] {
  const body = [...lets.map((b) => `${typeOf(b.expr)} ${b.name} = ${glslOf(b.expr)};`), `return ${glslOf(result)};`]
  return [name, `float ${name}(${parameters.map((p) => `float ${p}`).join(', ')}) {\n  ${body.join('\n  ')}\n}`]
}

const { logarithmOf, angleOf, ...others } = Object.fromEntries(Object.entries(library).map(declared)) as Record<
  LibraryName,
  string
>

const powersOfTwo = [64, 32, 16, 8, 4, 2, 1]
const scaledWhere = (condition: string, n: number) =>
  `far = ${condition}; m *= choose(far, ${literal(2 ** n)}, 1.0); k -= choose(far, ${literal(n)}, 0.0);`

/** What takes numbers apart: by their bits, or, in GLSL ES 1.00, which has none, by comparing and scaling. */
const partsOf: Readonly<Record<1 | 2, Readonly<Record<'isNaN' | 'logarithm' | 'signOf', string>>>> = {
  // Adding what lies between sqrt(1/2) and 1 moves the border of the exponent to where m wants it.
  2: {
    isNaN: 'bool isNaN(float x) { return (floatBitsToInt(x) & 0x7fffffff) > 0x7f800000; }',
    logarithm: `
float logarithm(float x) {
  bool tiny = x < 1.1754944e-38;
  int bits = floatBitsToInt(choose(tiny, 16777216.0 * x, x)) + 0x4afb0d;
  float m = intBitsToFloat((bits & 0x7fffff) + 0x3f3504f3);
  return logarithmOf(x, m, float((bits >> 23) - 127) - choose(tiny, 24.0, 0.0));
}`,
    signOf: 'float signOf(float x) { return choose(floatBitsToInt(x) < 0, -1.0, 1.0); }',
  },
  1: {
    isNaN: 'bool isNaN(float x) { return x != x; }',
    logarithm: `
float logarithm(float x) {
  float m = x;
  float k = 0.0;
  bool far;
${powersOfTwo.map((n) => `  ${scaledWhere(`m >= ${literal(2 ** n)}`, -n)}`).join('\n')}
${powersOfTwo.map((n) => `  ${scaledWhere(`m < ${literal(2 ** (1 - n))}`, n)}`).join('\n')}
  ${scaledWhere('m > 1.4142135', -1)}
  return logarithmOf(x, m, k);
}`,
    signOf: 'float signOf(float x) { return choose(both(x == 0.0, 1.0 / x < 0.0), -1.0, choose(x < 0.0, -1.0, 1.0)); }',
  },
}

/** Compilers that assume no NaN, such as Mesa's, take one for the greater number unless it is asked for. */
const chosen = (operator: '<' | '>') =>
  `(float a, float b) { float c = choose(b ${operator} a, b, a); return choose(isNaN(a), a, c); }`

/**
 * All that a shader may call, each after what it calls. A choice is between names and constants: everything else is a
 * branch to compilers, and SwiftShader takes time exponential in the branches of a loop to order them
 * (`Spirv::Function::ExistsPath`): shaders with some 20 never finished.
 */
const declarations = (version: 1 | 2): Readonly<Record<string, string>> => ({
  choose: 'float choose(bool when, float a, float b) { return when ? a : b; }',
  both: 'bool both(bool a, bool b) { return a && b; }',
  either: 'bool either(bool a, bool b) { return a || b; }',
  logarithmOf,
  ...partsOf[version],
  angleOf,
  angle: `
float angle(float y, float x) {
  float value = angleOf(y, x, signOf(y), signOf(x));
  float sum = x + y;
  return choose(either(isNaN(x), isNaN(y)), sum, value);
}`,
  ...others,
  least: `float least${chosen('<')}`,
  greatest: `float greatest${chosen('>')}`,
})

/** The functions that a shader calls and the GLSL of a version of WebGL does not have. */
export function preludeFor(code: string, version: 1 | 2): string {
  return preludeOf(code, declarations(version))
}
