/**
 * The operator table of WGSL, and the text of the functions that WGSL lacks.
 *
 * @module
 */
import { type Expr, infixLanguage, isLong, render, type Spellings } from '@manybody/core/expression'
import {
  type LibraryFunction,
  type LibraryName,
  library,
  preludeOf,
  type ShadingDialect,
  shaderLiteral,
  shaderSpellings,
  shadingLanguage,
} from '@manybody/core/shading'

/**
 * WGSL's own functions are used where drivers are as accurate as core promises; `exp` is one. The others come from core's
 * library, because WGSL requires too little: 5e-4 for sin and cos, and only between -pi and pi, 2e-4 for atan2, and 2^-21 for
 * log near 1. It also leaves the results of min, max and sign for NaN open.
 */
const dialect: ShadingDialect = {
  name: 'WGSL',
  inverseSqrt: 'inverseSqrt',
  call: {
    step: (x) => `select(0.0, 1.0, 0.0 <= ${x})`,
    select: (when, a, b) => `select(${b}, ${a}, ${when})`,
    // No short circuits, because conditions have no effects and branches cost more.
    and: '&',
    or: '|',
  },
}

/** An expression as WGSL text. */
export function wgslText(e: Expr, symbolText: (name: string) => string = (name) => name): string {
  return render(e, shadingLanguage(dialect, symbolText)).text
}

/** An expression that the host evaluates in float64, as text for a comment. It writes out shared operands, so a recurrence gets a note. */
export function hostText(e: Expr): string {
  if (isLong(e)) return 'a long expression'
  const power = (base: string, exponent: number) => `pow(${base}, ${exponent})`
  const call = { ...shaderSpellings, ...dialect.call } as Spellings
  return render(e, infixLanguage({ constant: String, symbol: (name) => name, power, call })).text
}

/** A float32 literal. @throws RangeError beyond the range of float32, which WGSL rejects */
export const literal = (value: number): string => shaderLiteral(value, dialect)

/** A function of core's library, as its name and its WGSL declaration. */
function declared([name, { parameters, lets, result }]: readonly [string, LibraryFunction]): [string, string] {
  const body = [...lets.map((b) => `let ${b.name} = ${wgslText(b.expr)};`), `return ${wgslText(result)};`]
  return [name, `fn ${name}(${parameters.map((p) => `${p}: f32`).join(', ')}) -> f32 {\n  ${body.join('\n  ')}\n}`]
}

const { logarithmOf, angleOf, ...others } = Object.fromEntries(Object.entries(library).map(declared)) as Record<
  LibraryName,
  string
>

/** A minimum or maximum. It tests the bits for NaN, because compilers may assume that there is none and drop it. */
const chosen = (operator: '<' | '>') =>
  `(a: f32, b: f32) -> f32 { return select(select(a, b, b ${operator} a), a, isNaN(a)); }`

/** All functions that a shader may call, each after those that it calls. */
const declarations: Readonly<Record<string, string>> = {
  isNaN: 'fn isNaN(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }',
  logarithmOf,
  // Adding the bits of 1 minus those of sqrt(1/2) moves the change of exponent, so that m is in [sqrt(1/2), sqrt(2)).
  logarithm: `
fn logarithm(x: f32) -> f32 {
  let tiny = x < 1.1754944e-38;
  let bits = bitcast<i32>(select(x, 16777216.0 * x, tiny)) + 0x4afb0d;
  let m = bitcast<f32>((bits & 0x7fffff) + 0x3f3504f3);
  return logarithmOf(x, m, f32((bits >> 23u) - 127) - select(0.0, 24.0, tiny));
}`,
  angleOf,
  angle: `
fn signOf(x: f32) -> f32 { return select(1.0, -1.0, bitcast<i32>(x) < 0); }
fn angle(y: f32, x: f32) -> f32 { return select(angleOf(y, x, signOf(y), signOf(x)), x + y, isNaN(x) | isNaN(y)); }`,
  ...others,
  least: `fn least${chosen('<')}`,
  greatest: `fn greatest${chosen('>')}`,
}

/** The functions that a shader calls and that WGSL lacks. */
export function preludeFor(code: string): string {
  return preludeOf(code, declarations)
}

/** The same, one by one; each is after those that it calls. */
export function functionsFor(code: string): readonly string[] {
  const prelude = preludeFor(code)
  return Object.values(declarations)
    .map((text) => text.trim())
    .filter((text) => prelude.includes(text))
}
