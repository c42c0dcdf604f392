/**
 * The parts of external forces that turn velocities, `velocity x rate`, as a magnetic field and a rotating frame do. The antisymmetric part of
 * the derivatives by the velocity gives the rate. An integrator may turn velocities in a stage of its own; forces then leave this part out.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, isConstant, symbol, symbolsOf } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import type { Integrator } from '../integrators.ts'
import { differ } from './velocity-forces.ts'

/** Whether an integrator turns velocities by itself. */
export const turnsItself = ({ stages }: Pick<Integrator, 'stages'>): boolean =>
  stages.some(({ kind }) => kind === 'turn')

const velocityAlong = (axis: string) => `velocity_${axis}`

/** Each axis of a rate, and the two axes of the plane that it turns. */
const planes = [
  ['y', 'z'],
  ['z', 'x'],
  ['x', 'y'],
] as const

/** The rate of an acceleration along each axis: `acceleration = velocity x rate + rest`. */
export function turningRate(components: readonly Expr[]): readonly Expr[] {
  const axes: readonly string[] = axesOf(components.length)
  return planes.map(([one, other]) => {
    const [a, b] = [components[axes.indexOf(one)], components[axes.indexOf(other)]]
    if (!a || !b) return constant(0)
    const derivatives = [
      differentiate(a, velocityAlong(other)),
      productOf([constant(-1), differentiate(b, velocityAlong(one))]),
    ]
    return simplify(productOf([constant(1 / 2), sumOf(derivatives)]))
  })
}

/** An acceleration without the part that turns velocities. */
export function withoutTurning(components: readonly Expr[]): readonly Expr[] {
  const axes: readonly string[] = axesOf(components.length)
  const rate = turningRate(components)
  if (rate.every((e) => isConstant(e, 0))) return components
  // Then nothing else reads velocities, and no rounding shall leave some of the part.
  if (onlyTurns(components)) {
    const still = Object.fromEntries(axes.map((axis) => [velocityAlong(axis), constant(0)]))
    return components.map((e) => simplify(substitute(e, still)))
  }
  return components.map((e, n) => {
    const turned = planes.flatMap(([one, other], along) => {
      const part = rate[along] as Expr
      if (axes[n] === one) return [productOf([constant(-1), symbol(velocityAlong(other)), part])]
      return axes[n] === other ? [productOf([symbol(velocityAlong(one)), part])] : []
    })
    return simplify(sumOf([e, ...turned]))
  })
}

/** Whether the derivatives by the velocity have no symmetric part. */
function readsOnlyTurning(components: readonly Expr[], axes: readonly string[]): boolean {
  return axes.every((one, a) =>
    axes.slice(0, a + 1).every((other, b) => {
      const [first, second] = [
        differentiate(components[a] as Expr, velocityAlong(other)),
        differentiate(components[b] as Expr, velocityAlong(one)),
      ]
      return isConstant(simplify(sumOf([first, second])), 0) || !differ(first, productOf([constant(-1), second]))
    }),
  )
}

/** Whether a force reads velocities only to turn them, at a rate that does not depend on them. @param components of the force */
export function onlyTurns(components: readonly Expr[]): boolean {
  const axes: readonly string[] = axesOf(components.length)
  const free = axes.every((axis) => turningRate(components).every((e) => !symbolsOf(e).has(velocityAlong(axis))))
  return free && readsOnlyTurning(components, axes)
}

/**
 * Velocities turned by a rate over the time `h`, each as text. A turn below 2 radians has the right angle, a larger one is too small. The
 * speed stays, up to rounding.
 *
 * @source J. P. Boris, Proc. Fourth Conf. Num. Sim. Plasmas (1970) 3: the two cross products
 */
export function turnedVelocities(rate: readonly Expr[], dimension: number): readonly string[] {
  const axes: readonly string[] = ['X', 'Y', 'Z']
  const [rates, halves, shares, between] = ['Rate', 'Half', 'Share', 'Between'].map((part) =>
    axes.map((axis) => `simulationTurn${part}${axis}`),
  ) as [string[], string[], string[], string[]]
  const velocity = axesOf(3).map((axis, n) => (n < dimension ? velocityAlong(axis) : '0'))
  /** One component of `a x b`. */
  const cross = (a: readonly string[], b: readonly string[], n: number) =>
    `(${a[(n + 1) % 3]}*${b[(n + 2) % 3]} - ${a[(n + 2) % 3]}*${b[(n + 1) % 3]})`
  const squares = (names: readonly string[]) => names.map((name) => `${name}^2`).join(' + ')
  const angle = 'simulationTurnAngle'
  const definitions = [
    ...between.map((name, n) => `${name} = ${velocity[n]} + ${cross(velocity, halves, n)}`),
    ...shares.map((name, n) => `${name} = 2*${halves[n]}/(1 + ${squares(halves)})`),
    ...halves.map((name, n) => `${name} = simulationTurnGrowth*h*${rates[n]}/2`),
    `simulationTurnGrowth = select(${angle} < 1, tan(${angle})/${angle}, 1)`,
    `${angle} = max(1e-9, sqrt((${squares(rates)})*h^2)/2)`,
    ...rates.map((name, n) => `${name} = ${toText(rate[n] as Expr)}`),
  ]
  return velocity
    .slice(0, dimension)
    .map((name, n) => `${name} + ${cross(between, shares, n)}; ${definitions.join('; ')}`)
}
