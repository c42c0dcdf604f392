/**
 * The displacement of points with coordinates split into two floats (`numbers/split.ts`).
 *
 * @module
 */
import { call, type Expr, product, subtract, sum, symbol } from '../../../language/nodes.ts'

/**
 * The displacement of a pair along an axis.
 *
 * @param direct the difference of the high parts
 * @param images boxes between the two points; undefined in open space
 */
export function splitDisplacement(direct: Expr, axis: 'x' | 'y' | 'z', images?: Expr): Expr {
  const name = axis.toUpperCase()
  const low = subtract(symbol(`positionLow${name}_j`), symbol(`positionLow${name}_i`))
  const lowBox = symbol(`boxLow${name}`)
  const highBox = subtract(symbol(`box${name}`), lowBox)
  const high = images ? subtract(direct, product(highBox, images)) : direct
  return sum(call('max', high, symbol('lowestNumber')), images ? subtract(low, product(lowBox, images)) : low)
}
