/**
 * The operator table of GLSL, and the text of the functions that GLSL lacks.
 *
 * @module
 */
import { type Expr, isCondition, render } from '@manybody/core/expression'
import {
  type LibraryFunction,
  type LibraryName,
  library,
  preludeOf,
  type ShadingDialect,
  shaderLiteral,
  shadingLanguage,
} from '@manybody/core/shading'

/**
 * GLSL's own functions are used where drivers are as accurate as core promises; `exp` is one. The others come from core's
 * library. GLSL requires no accuracy of its functions, and leaves the results of min, max and sign for NaN open.
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

/** A float32 literal. @throws RangeError beyond the range of float32 */
export const literal = (value: number): string => shaderLiteral(value, dialect)

/** A function of core's library, as its name and its GLSL declaration. */
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

/** Functions that take a number apart by its bits. GLSL ES 1.00 has no access to bits, so it compares and scales instead. */
const partsOf: Readonly<Record<1 | 2, Readonly<Record<'isNaN' | 'logarithm' | 'signOf', string>>>> = {
  // Adding the bits of 1 minus those of sqrt(1/2) moves the change of exponent, so that m is in [sqrt(1/2), sqrt(2)).
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

/** A minimum or maximum. It tests for NaN explicitly: compilers that assume no NaN, such as Mesa's, drop one otherwise. */
const chosen = (operator: '<' | '>') =>
  `(float a, float b) { float c = choose(b ${operator} a, b, a); return choose(isNaN(a), a, c); }`

/**
 * All functions that a shader may call, each after those that it calls. `choose` takes names and constants only: compilers
 * turn anything else into a branch, and SwiftShader needs time exponential in the branches of a loop to order them
 * (`Spirv::Function::ExistsPath`). Shaders with about 20 branches never finished.
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

/** The functions that a shader calls and that GLSL lacks in this version of WebGL. */
export function preludeFor(code: string, version: 1 | 2): string {
  return preludeOf(code, declarations(version))
}
