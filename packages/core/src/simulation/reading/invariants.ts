/**
 * The conserved quantities of a closed system: kinetic energy (a part of the total), momentum, angular momentum. Each is an expression
 * of one point, to be added up over all points.
 *
 * @module
 */

type Expressions = Readonly<Record<string, string>>

const axesOf = (dimension: number) => ['x', 'y', 'z'].slice(0, dimension)

/** `m v^2 / 2`, with the attribute `mass` as m. */
export const kineticOf = (mass: string, dimension: number): string =>
  `${mass}*(${axesOf(dimension)
    .map((axis) => `velocity_${axis}^2`)
    .join(' + ')})/2`

/** `m v`, by axis. */
export const momentumOf = (mass: string, dimension: number): Expressions =>
  Object.fromEntries(axesOf(dimension).map((axis) => [axis, `${mass}*velocity_${axis}`]))

/** `m x cross v` about the origin, by axis; in 2-D along the missing axis. */
export const angularMomentumOf = (mass: string, dimension: number): Expressions =>
  Object.fromEntries(
    (dimension === 2 ? ['z'] : ['x', 'y', 'z']).map((axis) => {
      const [a, b] = axis === 'x' ? 'yz' : axis === 'y' ? 'zx' : 'xy'
      return [axis, `${mass}*(position_${a}*velocity_${b} - position_${b}*velocity_${a})`]
    }),
  )
