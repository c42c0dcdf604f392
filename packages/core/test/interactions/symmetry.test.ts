// Which laws obey the third law, found by exchanging the two points in the expression.

import { describe, expect, it } from 'vitest'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { radialLaws } from '../support/laws.ts'

describe('the symmetry of a law', () => {
  it.each(radialLaws.map(({ law }) => [law.law, law] as const))('is found for %s', (_, law) => {
    expect(law().symmetric).toBe(true)
  })

  it.each([
    ['an attribute sum', attributeSum()],
    ['an even potential of direction', pairPotential('q_i*q_j*dx^2/r2')()],
    ['a force along the displacement', pairForce('q_i*q_j/r^3')()],
    ['an odd force by components', pairForce({ x: 'dx*dy^2', y: 'q_i*q_j*dy', z: '(q_i + q_j)*dz' })()],
    ['an even term', pairTerm('dx*dy')()],
    ['a term that only looks asymmetric', pairTerm('(a_i + a_j)^2 - a_i - a_j')()],
    ['a squared difference', pairTerm('exp(-(a_i - a_j)^2)')()],
    ['an inverse square within a sum', pairPotential('(q_i*q_j + 1/(a_i - a_j)^2)/r')()],
    ['a fourth power', pairForce('(a_j - a_i)^4/r')()],
    ['a distance between vectors', pairTerm('exp(-sqdist(f_i, f_j))')()],
    ['an extreme of both', pairPotential('max(a_i, b_i)*max(a_j, b_j)*min(c_j, c_i)/r')()],
    ['the size of a difference', pairPotential('abs(k*(a_i - a_j))*cos(b_i - b_j)', { parameters: { k: 1 } })()],
    ['the square of the logarithm of a ratio', pairPotential('log(a_i/a_j)^2*r2')()],
    ['a choice by equality', pairTerm('select(max(a_j, a_i) == min(a_i, a_j) && r < 2, abs(b_j - b_i), 1)')()],
    [
      'a choice by order',
      pairPotential('select(a_i < a_j, (a_j - a_i)*b_j, (a_i - a_j)*b_i)*select(c_j >= c_i, c_j, c_i)/r')(),
    ],
    ['a choice of both that is 0 between equals', pairForce('select(a_i > a_j, a_i - a_j, a_j - a_i)/r')()],
    [
      'choices by the order of unlike attributes',
      pairTerm('select(a_i < b_j, a_i, b_j)*select(b_i < a_j, b_i, a_j)')(),
    ],
    ['a choice by the order of components', pairTerm('sum(select(f_i < f_j, f_j^2, f_i^2))')()],
    ['weighted squares of components', pairTerm('sum(g*(1 + (f_j - f_i)^2))', { parameters: { g: [1, 2] } })()],
  ])('%s', (_, law) => {
    expect(law.symmetric).toBe(true)
  })

  // With twice the time for each choice around another, these would take years.
  it.each<[string, (n: number) => string, boolean]>([
    ['thresholds', (n) => `a_i < ${n}`, false],
    ['parameters', () => 'a_i < k', false],
    ['one attribute of both', () => 'a_i < a_j', false],
    ['attributes of both', (n) => `a${n}_i < a${n}_j`, false],
    ['products of both', (n) => `a${n}_i*a${n}_j < b_i*b_j`, true],
  ])('is judged in time for 40 choices by %s', (_, condition, symmetric) => {
    const text = Array.from({ length: 40 }, (_, n) => n).reduce(
      (rest, n) => `select(${condition(n)}, ${n}*b_i*b_j, ${rest})`,
      'b_i*b_j',
    )
    expect(pairTerm(text, { parameters: { k: 1 } })().symmetric).toBe(symmetric)
  })

  it.each([
    ['Biot-Savart', biotSavart()],
    ['an odd potential of direction', pairPotential('q_i*q_j*dx/r')()],
    ['a potential with unlike charges', pairPotential('q_i*p_j/r')()],
    ['predator and prey', pairForce('prey_j*predator_i/r2')()],
    ['an even force by components', pairForce({ x: 'dx^2', y: 'dy' })()],
    ['an odd term', pairTerm('dx')()],
    ['a difference', pairTerm('a_i - a_j')()],
    ['a cubed difference', pairTerm('(a_i - a_j)^3')()],
    ['a squared difference of unlike attributes', pairTerm('(a_i - b_j)^2')()],
    ['a squared difference of unlike weights', pairTerm('(2*a_i - a_j)^2')()],
    ['the sign of a difference', pairTerm('sign(a_i - a_j)*(a_i - a_j)^2')()],
    ['a distance between unlike vectors', pairTerm('sqdist(f_i, g_j)')()],
    ['an extreme of unlike attributes', pairTerm('max(a_i, b_j)')()],
    ['the size of a ratio', pairTerm('abs(a_i/a_j)')()],
    ['the logarithm of a ratio', pairTerm('log(a_i/a_j)')()],
    ['the extreme of a difference', pairTerm('max(0, a_i - a_j)')()],
    ['the order of both', pairTerm('select(a_i < a_j, 1, 0)')()],
    ['a choice by order that equals tell apart', pairTerm('select(a_i < a_j, b_i, b_j)')()],
    ['a choice of one by the order of both', pairTerm('select(a_i < a_j, a_i, 2*a_i - a_j)')()],
    ['a choice by the order of unlike attributes', pairTerm('select(a_i < b_j, a_i, b_j)')()],
    ['a sum of differences', pairTerm('sum(f_i - f_j)')()],
    ['one vector component of three', pairTerm({ x: '1', y: 'q_i', z: '1' })()],
  ])('is not found for %s', (_, law) => {
    expect(law.symmetric).toBe(false)
  })
})
