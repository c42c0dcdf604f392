// The names that scheduling makes up never meet a name that an expression already has.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { type Expr, symbolsOf } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { type Binding, type Rate, schedule } from '../../src/language/schedule.ts'
import { simplify } from '../../src/language/simplify.ts'

const values: Record<string, number> = { p0: 2, p1: 3, t0: 5, t1: 7, s0: 11, s1: 13, e0: 17, e1: 19, x: 0.5 }
const rates: Record<string, Rate> = { p: 'run', t: 'target', s: 'source', e: 'run', x: 'loop' }
const rateOf = (name: string): Rate => rates[name.charAt(0)] as Rate

function run(expr: Expr): number {
  const { run, target, source, loop, outputs } = schedule([expr], { rateOf })
  const known = Object.fromEntries([...symbolsOf(expr)].map((name) => [name, values[name] as number]))
  const bind = ({ name, expr: e }: Binding) => {
    expect(Object.keys(known)).not.toContain(name)
    known[name] = evaluate(e, known)
  }
  for (const binding of [...run, ...target, ...source, ...loop]) bind(binding)
  return evaluate(outputs[0] as Expr, known)
}

describe('the names of bindings', () => {
  it.each([
    'p1*x + p0',
    'exp(p1)*x + p0*x^2',
    't1*x + t0*s1*x^2 + s0',
    'exp(x*e1)*e0 + exp(x*e1)^2/(1 + exp(x*e1))',
    'p1*t1*x + sqrt(p0*t0) + s1*p0*exp(x) + exp(x)/s0',
  ])('do not hide the names of %s', (text) => {
    const expr = simplify(parse(text, { names: Object.keys(values) }))
    expect(run(expr)).toBeCloseTo(evaluate(expr, values), 10)
  })
})
