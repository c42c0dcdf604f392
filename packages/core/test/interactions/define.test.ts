// Laws from text: the accepted texts, the fields of an interaction, and the error for each mistake.

import { describe, expect, it } from 'vitest'
import { ExpressionError } from '../../src/ground/errors.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gaussian } from '../../src/problem/interactions/gaussian.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { inversePower } from '../../src/problem/interactions/inverse-power.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'

describe('a law', () => {
  it('gives plain frozen data', () => {
    const law = gravity({ softening: 0.5 })
    expect(law).toEqual({
      name: 'gravity',
      kind: 'potential',
      expressions: { energy: '-G*mass_i*mass_j/sqrt(r2 + softening^2)' },
      parameters: { G: 1, softening: 0.5 },
      minimum: { softening: 0 },
      inertia: 'mass',
      symmetric: true,
    })
    expect([law, law.expressions, law.parameters, law.minimum].every(Object.isFrozen)).toBe(true)
  })

  it('is named after its expressions by default', () => {
    expect(pairPotential('1/r')().name).toBe('1/r')
    expect(pairForce({ x: 'dx', y: 'dy' })().name).toBe('dx, dy')
    expect(pairTerm('r', { name: 'distance' })().name).toBe('distance')
  })

  it('keeps its defaults when it is called with other values', () => {
    gravity({ G: 5 })
    expect(gravity().parameters).toEqual({ G: 1, softening: 0 })
    expect(gravity.defaults).toEqual({ G: 1, softening: 0 })
  })

  it('has components in the order written', () => {
    expect(Object.keys(pairTerm({ b: '1', a: '2' })().expressions)).toEqual(['b', 'a'])
    expect(Object.keys(pairForce({ y: 'dy', z: 'dz', x: 'dx' })().expressions)).toEqual(['x', 'y', 'z'])
  })

  it('reports where its text is wrong, and which names are in scope', () => {
    expect(() => pairPotential('G*mass/r', { parameters: { G: 1 } })).toThrow(ExpressionError)
    expect(() => pairPotential('G*mass/r', { parameters: { G: 1 } })).toThrow(
      /unknown name "mass"; names in scope: dx, dy, dz, r, r2, G, pi, and any attribute as name_i \(target\) or name_j \(source\) \(line 1, column 3\)/,
    )
  })
})

describe('parameters', () => {
  const spring = pairPotential('k*(r - rest)^2/2', { name: 'spring', parameters: ['k', 'rest'], minimum: { rest: 0 } })

  it.each<[call: () => unknown, error: Error]>([
    [() => gravity({ g: 1 } as object), new TypeError('"g" is not a parameter of gravity; expected G, softening')],
    [() => gravity({ softening: -1 }), new RangeError('"softening" expected finite number >= 0, got -1')],
    [() => gravity({ G: NaN }), new RangeError('"G" expected finite number, got NaN')],
    [() => coulomb({ k: Infinity }), new RangeError('"k" expected finite number, got Infinity')],
    [() => coulomb({ k: '1' as unknown as number }), new TypeError('"k" expected number, got "1"')],
    [() => spring({ k: 1 }), new TypeError('"rest" expected a number, as spring has no default for it, got nothing')],
    [() => spring({ k: 1, rest: -2 }), new RangeError('"rest" expected finite number >= 0, got -2')],
    [() => gaussian({ width: 0 }), new RangeError('"width" expected finite number > 0, got 0')],
    [() => pairTerm('r')({ k: 1 } as object), new TypeError('"k" is not a parameter of r; expected none')],
    [() => inversePower({ exponent: 0 }), new RangeError('"exponent" expected finite number > 0, got 0')],
    [() => inversePower({ softening: -1 }), new RangeError('"softening" expected finite number >= 0, got -1')],
    [
      () => lennardJones({ mixing: 'none' as 'geometric' }),
      new TypeError('"mixing" expected "lorentz-berthelot" or "geometric", got "none"'),
    ],
    [
      () => lennardJones({ sigma: 1 } as object),
      new TypeError('"epsilon" and "sigma" expected both numbers, or neither for atoms that have their own, got one'),
    ],
    [
      () => lennardJones({ epsilon: 1, sigma: 1, mixing: 'geometric' } as object),
      new TypeError('"mixing" expected nothing, because atoms of one sigma and epsilon are not mixed, got "geometric"'),
    ],
    [() => lennardJones({ epsilon: 1, sigma: 0 }), new RangeError('"sigma" expected finite number > 0, got 0')],
    [() => pairTerm({}), new TypeError('"term" expected at least one expression, got none')],
  ])('are refused with $1', (call, error) => {
    expect(call).toThrow(error)
    expect(call).toThrow(error.constructor as ErrorConstructor)
  })

  it.each(['r', 'dx', 'r2', 'pi', 'cutoff', 'boxX', 'switchDistance', 'mass_i', '2k', 'a b', ''])(
    'cannot be called %j',
    (name) => {
      expect(() => pairTerm('1', { parameters: [name] })).toThrow(TypeError)
      expect(() => pairTerm('1', { parameters: [name] })).toThrow(`got "${name}"`)
    },
  )

  it.each(['xi', 'xj', 'zi', 'yj', 'safeR2'])(
    'cannot be called %j, because pair loops use that name for a coordinate',
    (name) => {
      expect(() => pairTerm(`${name}*r`, { parameters: [name] })).toThrow(`got "${name}"`)
    },
  )
})
