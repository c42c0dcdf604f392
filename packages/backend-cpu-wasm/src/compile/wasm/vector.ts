/**
 * The numbers of a register, behind one set of names: four float32 or two float64.
 *
 * Expressions, folds and loops are written once for both. Only the mathematical functions use the bits of numbers.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { FunctionBuilder } from './function-builder.ts'
import { at, type LaneType, laneAt, laned, type Node, op } from './nodes.ts'

type FloatOperation = 'add' | 'sub' | 'mul' | 'div' | 'pmin' | 'pmax' | 'lt' | 'gt' | 'le' | 'ge' | 'eq'
type UnaryOperation = 'abs' | 'neg' | 'sqrt' | 'ceil' | 'floor' | 'nearest'

export class Vector {
  /** How many numbers one register holds. */
  readonly lanes: 2 | 4
  /** Bytes of one number. */
  readonly bytes: 4 | 8
  /** The type of one number. */
  readonly number: 'f32' | 'f64'
  /** The type of integer lanes of the same width. */
  readonly integers: 'i32x4' | 'i64x2'
  /** The type of a whole number as wide as one number. */
  readonly whole: 'i32' | 'i64'
  /** Bytes of the numbers of one register. */
  readonly width: number
  /** How many float64 registers hold the numbers of one register. */
  readonly halves: 1 | 2

  constructor(readonly type: 'f32x4' | 'f64x2') {
    const single = type === 'f32x4'
    this.lanes = single ? 4 : 2
    this.bytes = single ? 4 : 8
    this.number = single ? 'f32' : 'f64'
    this.integers = single ? 'i32x4' : 'i64x2'
    this.whole = single ? 'i32' : 'i64'
    this.width = this.lanes * this.bytes
    this.halves = this.lanes === 4 ? 2 : 1
  }

  op(name: FloatOperation, a: Node, b: Node): Node {
    return op(`${this.type}.${name}`, a, b)
  }

  unary(name: UnaryOperation, a: Node): Node {
    return op(`${this.type}.${name}`, a)
  }

  constant(code: FunctionBuilder, value: number): Node {
    return code.constant(this.type, value)
  }

  /** A condition that holds in every lane: all bits are set. */
  always(code: FunctionBuilder): Node {
    return code.constant(this.integers as LaneType, this.type === 'f32x4' ? -1 : -1n)
  }

  /** Loads one number into every lane. */
  loadSplat(offset: number, address: Node): Node {
    return at(this.bytes === 4 ? 'v128.load32_splat' : 'v128.load64_splat', offset, address)
  }

  /** A whole number in every lane, as wide as the numbers are. */
  splatIndex(index: Node): Node {
    return this.bytes === 4 ? op('i32x4.splat', index) : op('i64x2.splat', op('i64.extend_i32_s', index))
  }

  loadLane(lane: number, offset: number, address: Node, into: Node): Node {
    return laneAt(this.bytes === 4 ? 'v128.load32_lane' : 'v128.load64_lane', offset, lane, address, into)
  }

  storeLane(lane: number, offset: number, address: Node, value: Node): Node {
    return laneAt(this.bytes === 4 ? 'v128.store32_lane' : 'v128.store64_lane', offset, lane, address, value)
  }

  /** Converts to float64. Four lanes become two registers, of their lower and their upper half. */
  widened(code: FunctionBuilder, value: Node): readonly Node[] {
    if (this.type === 'f64x2') return [value]
    const whole = code.let('v128', 'whole', value)
    return [whole, upperHalf(whole)].map((half) => op('f64x2.promote_low_f32x4', half))
  }

  /** The inverse of `widened`. */
  narrowed(halves: readonly Node[]): Node {
    const [low, high] = halves as readonly [Node, Node]
    if (this.type === 'f64x2') return low
    const narrow = [low, high].map((half) => op('f32x4.demote_f64x2_zero', half))
    return laned('i8x16.shuffle', [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23], ...narrow)
  }
}

export const float32: Vector = new Vector('f32x4')
export const float64: Vector = new Vector('f64x2')

/** The vector of a precision. */
export const vectorOf = (precision: Precision): Vector => (precision === 'f64' ? float64 : float32)

/** Moves the upper eight bytes to the place of the lower. */
function upperHalf(value: Node): Node {
  return laned('i8x16.shuffle', [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7], value, value)
}
