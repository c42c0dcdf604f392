/**
 * The naive variant: a kernel as the documentation of gpu.js suggests it, with flat arrays and a loop in JavaScript, which
 * gpu.js transpiles. Benchmarks compare the other variant with it. It computes whole sums without conditions only.
 *
 * @module
 */

import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { axesOf } from '@manybody/core/backend'
import {
  accumulationIn,
  type Binding,
  type Expr,
  infixLanguage,
  namedTape,
  numericNames,
  type PairBody,
  pairBody,
  readsVectors,
  render,
  type Spellings,
  usualSpellings,
} from '@manybody/core/expression'
import { loopVariant, type NaiveDesign } from '../../design/design.ts'
import { namesIn } from '../parts/pair-texts.ts'

export const naiveVariant = 'naive'

/** Why the naive variant cannot run a workload; undefined if it can. */
export function naiveGap(workload: PairWorkload, components: number): string | undefined {
  const { law, reduction, domain, total } = workload
  const numbers = !law.tables && !readsVectors(workload)
  const plain = reduction === 'sum' && !total && !domain.cutoff && domain.exclusions.length === 0 && numbers
  return plain && domain.boundary.kind === 'open' && components <= 4
    ? undefined
    : `the variant "${naiveVariant}" is for plain sums of up to 4 components without tables and vectors; use "${loopVariant}"`
}

/** @param guard says which coincident points to skip */
export function naiveDesign(workload: PairWorkload, shape: Shape, guard: Guard): NaiveDesign {
  const body = pairBody(workload, shape, { guard, factorOut: true })
  return {
    driver: 'naive',
    variant: naiveVariant,
    accumulation: accumulationIn(workload, 'running'),
    passes: [],
    run: namedTape(body.run),
    attributes: body.attributes,
    source: naiveSource(body, shape.dimension),
    result: workload.results[0] ?? 'value',
    resident: {},
  }
}

export function naiveSource(body: PairBody, dimension: number): string {
  const axes = axesOf(dimension)
  const { targets, sources } = body.attributes
  const names = namesIn(body)
  const language = javascript((name) => names.get(name) ?? name)
  const text = (e: Expr): string => render(e, language).text
  const components = body.form === 'radial' ? axes.map((a) => `coefficient * d${a}`) : body.terms.map(text)
  const bind = ({ name, expr }: Binding) => `const ${name} = ${text(expr)};`
  const skip = body.skipSelf ? 'if (j !== i) ' : ''
  const scale = body.scale ? `${text(body.scale)}` : '1'
  const coefficient = body.form === 'radial' ? [`const coefficient = ${text(body.terms[0] as Expr)};`] : []
  const totals = components.map((_, c) => `(${scale}) * total${c}`)
  const result = totals.length === 1 ? totals[0] : `[${totals.join(', ')}]`
  const position = (side: 'target' | 'source', index: string) =>
    axes.map((a, k) => `const ${a}${index} = ${side}Position[${dimension} * ${index} + ${k}];`)
  return `function (${argumentsOf(body).join(', ')}) {
  const i = this.thread.x;
  ${position('target', 'i').join('\n  ')}
  ${targets.map((_, n) => `const ofTarget${n} = targetAttribute${n}[i];`).join('\n  ')}
  ${body.target.map(bind).join('\n  ')}
  ${components.map((_, c) => `let total${c} = 0;`).join('\n  ')}
  for (let j = 0; j < this.constants.sources; j++) {
    ${position('source', 'j').join('\n    ')}
    ${sources.map((_, n) => `const ofSource${n} = sourceAttribute${n}[j];`).join('\n    ')}
    ${[...body.source, ...body.loop].map(bind).join('\n    ')}
    ${coefficient.join('')}
    ${components.map((term, c) => `${skip}total${c} += ${term};`).join('\n    ')}
  }
  return ${result};
}`.replaceAll(/\n\s*\n/g, '\n')
}

function argumentsOf({ attributes, run }: PairBody): readonly string[] {
  return [
    'targetPosition',
    ...attributes.targets.map((_, n) => `targetAttribute${n}`),
    'sourcePosition',
    ...attributes.sources.map((_, n) => `sourceAttribute${n}`),
    ...run.map(({ name }) => name),
  ]
}

const missing = (name: string) => (): string => {
  throw new RangeError(
    `Cannot write "${name}" for gpu.js: JavaScript has no such function; use the variant "${loopVariant}"`,
  )
}

const calls: Spellings = {
  ...usualSpellings,
  ...Object.fromEntries(numericNames.map((name) => [name, name in Math ? `Math.${name}` : missing(name)])),
  step: (x) => `(${x} >= 0 ? 1 : 0)`,
  select: (when, a, b) => `(${when} ? ${a} : ${b})`,
  equal: '===',
}

const javascript = (symbol: (name: string) => string) =>
  infixLanguage({
    constant: String,
    symbol,
    power: (base, exponent) => {
      if (exponent === 0.5) return `Math.sqrt(${base})`
      return exponent === -0.5 ? `(1 / Math.sqrt(${base}))` : `Math.pow(${base}, ${exponent})`
    },
    call: calls,
  })
