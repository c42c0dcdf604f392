/**
 * The fold of `nearest`: the k least terms in ascending order with their sources, as a list in registers or in private memory.
 *
 * @module
 */

import { mostInRegisters } from '../../design/loop-shape.ts'
import { arrayName } from '../../design/shader.ts'
import { indent } from '../wgsl/shader.ts'
import { bits, type Fold, float, guarded, infinityBits, largest, range, visitMarked } from './fold.ts'

/**
 * The k least terms in ascending order, with their sources. Of equal terms the lower source comes first.
 *
 * @param ofTerm the number that is given for a term
 */
export function smallestFold(
  indexName: string,
  distanceName: string,
  k: number,
  ofTerm: (term: string) => string,
): Fold {
  const [index, distance] = [arrayName(`result.${indexName}`), arrayName(`result.${distanceName}`)]
  const list = k <= mostInRegisters ? registerList(k) : arrayList(k)
  const words = range(k)
  return {
    results: [
      { name: indexName, type: 'i32', hostType: 'i32', width: k },
      { name: distanceName, type: 'u32', hostType: 'f32', width: k },
    ],
    words: 2 * k,
    indexed: true,
    revisits: true,
    sums: () => [],
    declare: list.declare,
    farthest: (r) => list.least(r, k - 1),
    forget: list.forget,
    look: visitMarked((r, { terms }) => `${terms[0]} <= ${list.least(r, k - 1)}`),
    pair: (r, { terms, keep, source }) =>
      [`let value = ${terms[0]};`, `let other = ${source};`, guarded(keep, list.insert(r))].join('\n'),
    save: (r, write) =>
      words.flatMap((p) => [write(`${p}u`, bits(list.least(r, p))), write(`${p + k}u`, list.source(r, p))]).join('\n'),
    merge: (r, read) => `for (var q = 0u; q < ${k}u; q++) {
  let value = ${float(read('q'))};
  if (value > ${list.least(r, k - 1)}) { break; }
  let other = ${read(`(q + ${k}u)`)};
  ${indent(list.insert(r), 1)}
}`,
    resume: () => '',
    finish: (r, at) =>
      words
        .map(
          (p) => `${index}[${k}u * ${at} + ${p}u] = bitcast<i32>(${list.source(r, p)});
${distance}[${k}u * ${at} + ${p}u] = select(${bits(ofTerm(list.least(r, p)))}, ${infinityBits}, ${list.source(r, p)} == 0xffffffffu);`,
        )
        .join('\n'),
  }
}

/** Terms in ascending order with their sources, as WGSL. */
interface List {
  readonly declare: (r: number) => string
  readonly forget: (r: number) => string
  readonly least: (r: number, p: number) => string
  readonly source: (r: number, p: number) => string
  /** Inserts `value` with source `other` if it is small enough. */
  readonly insert: (r: number) => string
}

export interface RegisterList extends List {
  /** The same for a source that comes after all sources in the list, with half the instructions. */
  readonly insertLater: (r: number) => string
}

/** A list in registers. Registers have no index, so inserting updates all entries. */
export function registerList(k: number): RegisterList {
  const least = (r: number, p: number) => `least_${r}_${p}`
  const source = (r: number, p: number) => `source_${r}_${p}`
  type Before = (r: number, p: number) => string
  const later: Before = (r, p) => `value < ${least(r, p)}`
  const before: Before = (r, p) => `(${later(r, p)}) | ((value == ${least(r, p)}) & (other < ${source(r, p)}))`
  // Few sources enter the list. Where the driver loads their indices, it does so only for those.
  const enters: Before = (r, p) => `${later(r, p)} || (value == ${least(r, p)} && other < ${source(r, p)})`
  // Starts with the last entry. If the entry before must move, it moves here; otherwise the new one may belong here.
  const shift = (r: number, p: number, before: Before) => {
    const here = (entry: string, given: string) => (p === k - 1 ? given : `select(${entry}, ${given}, before${p})`)
    const [ownLeast, ownSource] = [here(least(r, p), 'value'), here(source(r, p), 'other')]
    return p > 0
      ? `let before${p - 1} = ${before(r, p - 1)};
${least(r, p)} = select(${ownLeast}, ${least(r, p - 1)}, before${p - 1});
${source(r, p)} = select(${ownSource}, ${source(r, p - 1)}, before${p - 1});`
      : `${least(r, 0)} = ${ownLeast};
${source(r, 0)} = ${ownSource};`
  }
  const insertBy = (r: number, enters: Before, before: Before) => `if (${enters(r, k - 1)}) {
  ${indent(
    range(k).map((p) => shift(r, k - 1 - p, before)),
    1,
  )}
}`
  return {
    least,
    source,
    declare: (r) =>
      range(k)
        .map((p) => `var ${least(r, p)} = ${largest}; var ${source(r, p)} = 0xffffffffu;`)
        .join('\n'),
    forget: (r) =>
      range(k)
        .map((p) => `${least(r, p)} = ${largest}; ${source(r, p)} = 0xffffffffu;`)
        .join('\n'),
    insert: (r) => insertBy(r, enters, before),
    insertLater: (r) => insertBy(r, later, later),
  }
}

/** A list in the private memory of an invocation. */
function arrayList(k: number): List {
  const least = (r: number, p: number | string) => `least_${r}[${p}]`
  const source = (r: number, p: number | string) => `source_${r}[${p}]`
  const before = (r: number, p: number | string) =>
    `value < ${least(r, p)} || (value == ${least(r, p)} && other < ${source(r, p)})`
  const forget = (r: number) =>
    `for (var q = 0u; q < ${k}u; q++) { ${least(r, 'q')} = ${largest}; ${source(r, 'q')} = 0xffffffffu; }`
  return {
    least,
    source,
    forget,
    declare: (r) => `var least_${r}: array<f32, ${k}>; var source_${r}: array<u32, ${k}>;
${forget(r)}`,
    insert: (r) => `if (${before(r, k - 1)}) {
  var p = ${k - 1}u;
  while (p > 0u && (${before(r, 'p - 1u')})) {
    ${least(r, 'p')} = ${least(r, 'p - 1u')}; ${source(r, 'p')} = ${source(r, 'p - 1u')};
    p--;
  }
  ${least(r, 'p')} = value; ${source(r, 'p')} = other;
}`,
  }
}
