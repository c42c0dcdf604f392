/**
 * The fold of reductions that pick a source, such as `argmin`: the least or greatest term with its source. Of equal terms the lower source wins.
 *
 * @module
 */

import { arrayName } from '../../design/shader.ts'
import { indent } from '../wgsl/shader.ts'
import { betterOf, bits, type Fold, float, infinityBits, largest, minusInfinityBits, type SourceOrder } from './fold.ts'

const both = (keep: string | undefined, condition: string): string => (keep ? `${keep} && ${condition}` : condition)

export function pickFold(picks: 'least' | 'greatest', order: SourceOrder): Fold {
  const [index, value] = [arrayName('result.index'), arrayName('result.value')]
  const none = picks === 'least' ? largest : `-${largest}`
  const nothing = picks === 'least' ? infinityBits : minusInfinityBits
  const better = picks === 'least' ? '<' : '>'
  const precedes = (r: number, value: string, source: string) =>
    `${value} ${better} best_${r} || (${value} == best_${r} && ${source} < index_${r})`
  // If sources come in order, the first of equal terms stays.
  const takes = (r: number, source: string) =>
    order === 'any' ? `(${precedes(r, 'value', source)})` : `value ${better} best_${r}`
  const take = (r: number, value: string, source: string) =>
    `if (${precedes(r, value, source)}) { best_${r} = ${value}; index_${r} = ${source}; }`
  return {
    results: [
      { name: 'index', type: 'i32', hostType: 'i32', width: 1 },
      { name: 'value', type: 'u32', hostType: 'f32', width: 1 },
    ],
    words: 2,
    indexed: true,
    revisits: false,
    sums: () => [],
    declare: (r) => `var best_${r} = ${none}; var index_${r} = 0xffffffffu;`,
    ...(picks === 'least' && {
      farthest: (r: number) => `best_${r}`,
      forget: (r: number) => `best_${r} = ${none}; index_${r} = 0xffffffffu;`,
    }),
    // Selecting is faster than a branch.
    pair: (r, { terms, keep, source }) =>
      [
        `let value = ${terms[0]};`,
        `let takes = ${both(keep, takes(r, source))};`,
        `best_${r} = select(best_${r}, value, takes);`,
        `index_${r} = select(index_${r}, ${source}, takes);`,
      ].join('\n'),
    // Finding only the least term of a step takes one operation per pair. The loop remembers the step, and finds the source
    // within it at the end.
    look: {
      open: (r) => `var found_${r} = ${none};`,
      pair: (r, { terms, keep }) => {
        const value = keep ? `select(${none}, ${terms[0]}, ${keep})` : (terms[0] as string)
        return betterOf(better, `found_${r}`, value)
      },
      close: (r, { first, sources, visit, skipSelf }) => {
        const takes = `let takes = found_${r} ${better} best_${r};
best_${r} = select(best_${r}, found_${r}, takes);
index_${r} = select(index_${r}, ${first}, takes);`
        if (!skipSelf) return `{\n  ${indent(takes, 1)}\n}`
        return `if (i_${r} - ${first} < ${sources}u) {
  for (var u = 0u; u < ${sources}u; u++) {
    ${indent(visit('u'), 2)}
  }
} else {
  ${indent(takes, 1)}
}`
      },
      settle: (r, visit) => `if (index_${r} != 0xffffffffu) {
  var j = index_${r};
  best_${r} = ${none};
  index_${r} = 0xffffffffu;
  ${indent(visit, 1)}
}`,
    },
    save: (r, write) => [write('0u', bits(`best_${r}`)), write('1u', `index_${r}`)].join('\n'),
    merge: (r, read) => `{ let value = ${float(read('0u'))}; let other = ${read('1u')}; ${take(r, 'value', 'other')} }`,
    resume: (r, at) =>
      `if (${index}[${at}] >= 0) { let value = ${float(`${value}[${at}]`)}; let other = u32(${index}[${at}]); ${take(r, 'value', 'other')} }`,
    finish: (r, at) => `${index}[${at}] = bitcast<i32>(index_${r});
${value}[${at}] = select(${bits(`best_${r}`)}, ${nothing}, index_${r} == 0xffffffffu);`,
  }
}
