/**
 * The instructions that this backend uses, by their names in the WebAssembly text format, with their binary opcodes.
 *
 * Each row of the table has a type, the opcode of its first instruction, and the names of instructions with consecutive
 * opcodes. 0xfc00 plus an opcode stands for the prefix 0xfc, and 0xfd00 plus an opcode for the prefix 0xfd: 0xfe05 is opcode
 * 0x105 after the prefix 0xfd.
 *
 * @source WebAssembly Core Specification 2.0, chapter 5.4; relaxed SIMD proposal for `relaxed_*`
 * @module
 */
const runs = [
  ['i32', 0x28, 'load'],
  ['i64', 0x29, 'load'],
  ['f32', 0x2a, 'load'],
  ['f64', 0x2b, 'load'],
  ['i32', 0x36, 'store'],
  ['i64', 0x37, 'store'],
  ['f32', 0x38, 'store'],
  ['f64', 0x39, 'store'],
  ['i32', 0x45, 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u'],
  ['i64', 0x52, 'ne'],
  ['f32', 0x5b, 'eq ne lt gt le ge'],
  ['f64', 0x61, 'eq ne lt gt le ge'],
  ['i32', 0x68, 'ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u'],
  ['i64', 0x7c, 'add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u'],
  ['f32', 0x8b, 'abs neg ceil floor trunc nearest sqrt add sub mul div min max'],
  ['f64', 0x99, 'abs neg ceil floor trunc nearest sqrt add sub mul div min max'],
  ['i32', 0xa7, 'wrap_i64'],
  ['i64', 0xac, 'extend_i32_s extend_i32_u'],
  ['f32', 0xb2, 'convert_i32_s'],
  ['f32', 0xb6, 'demote_f64'],
  ['f64', 0xbb, 'promote_f32'],
  ['i32', 0xbc, 'reinterpret_f32'],
  ['i64', 0xbd, 'reinterpret_f64'],
  ['f32', 0xbe, 'reinterpret_i32'],
  ['f64', 0xbf, 'reinterpret_i64'],
  ['i32', 0xfc00, 'trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s'],
  ['memory', 0xfc0a, 'copy fill'],
  ['v128', 0xfd00, 'load'],
  ['v128', 0xfd09, 'load32_splat load64_splat store'],
  ['i8x16', 0xfd0d, 'shuffle swizzle'],
  ['i32x4', 0xfd11, 'splat'],
  ['i64x2', 0xfd12, 'splat'],
  ['f32x4', 0xfd13, 'splat'],
  ['f64x2', 0xfd14, 'splat'],
  ['i32x4', 0xfd1b, 'extract_lane'],
  ['f32x4', 0xfd1f, 'extract_lane replace_lane'],
  ['f64x2', 0xfd21, 'extract_lane replace_lane'],
  ['i32x4', 0xfd37, 'eq'],
  ['i32x4', 0xfd39, 'lt_s lt_u'],
  ['f32x4', 0xfd41, 'eq ne lt gt le ge'],
  ['f64x2', 0xfd47, 'eq ne lt gt le ge'],
  ['v128', 0xfd4d, 'not and andnot or xor bitselect any_true'],
  ['v128', 0xfd56, 'load32_lane load64_lane'],
  ['v128', 0xfd5a, 'store32_lane store64_lane load32_zero load64_zero'],
  ['f32x4', 0xfd5e, 'demote_f64x2_zero'],
  ['f64x2', 0xfd5f, 'promote_low_f32x4'],
  ['f32x4', 0xfd67, 'ceil floor trunc nearest'],
  ['f64x2', 0xfd74, 'ceil floor'],
  ['f64x2', 0xfd94, 'nearest'],
  ['i32x4', 0xfda4, 'bitmask'],
  ['i32x4', 0xfdab, 'shl shr_s shr_u add'],
  ['i32x4', 0xfdb1, 'sub'],
  ['i32x4', 0xfdb5, 'mul min_s min_u'],
  ['i64x2', 0xfdc3, 'all_true bitmask'],
  ['i64x2', 0xfdc7, 'extend_low_i32x4_s'],
  ['i64x2', 0xfdcb, 'shl shr_s shr_u add'],
  ['i64x2', 0xfdd1, 'sub'],
  ['i64x2', 0xfdd8, 'lt_s'],
  ['f32x4', 0xfde0, 'abs neg'],
  ['f32x4', 0xfde3, 'sqrt add sub mul div min max pmin pmax'],
  ['f64x2', 0xfdec, 'abs neg'],
  ['f64x2', 0xfdef, 'sqrt add sub mul div min max pmin pmax'],
  ['i32x4', 0xfdf8, 'trunc_sat_f32x4_s'],
  ['f32x4', 0xfdfa, 'convert_i32x4_s'],
  ['i32x4', 0xfdfc, 'trunc_sat_f64x2_s_zero'],
  ['f32x4', 0xfe05, 'relaxed_madd relaxed_nmadd'],
  ['f64x2', 0xfe07, 'relaxed_madd relaxed_nmadd'],
] as const

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S
type NamesOf<Run> = Run extends readonly [infer Type extends string, number, infer Names extends string]
  ? `${Type}.${Words<Names>}`
  : never

export type Opcode = 'select' | NamesOf<(typeof runs)[number]>

export const opcodes = Object.fromEntries([
  ['select', 0x1b],
  ...runs.flatMap(([type, first, names]) => names.split(' ').map((name, n) => [`${type}.${name}`, first + n] as const)),
]) as Readonly<Record<Opcode, number>>
