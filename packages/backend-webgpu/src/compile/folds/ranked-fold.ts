/**
 * The fold of `nearest` for long lists, in loops that meet all sources several times, as WGSL. The first pass finds the least
 * terms in ascending order without their sources, because inserting a number alone takes two instructions for each entry. The
 * second pass writes each source of these terms to its rank. Very long lists take several rounds of two passes, each for the
 * terms that follow the last one of the round before.
 *
 * Loops over the list have fixed bounds, so that a driver unrolls them and keeps the list in registers.
 *
 * @module
 */
import { arrayName } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { bits, type Fold, guarded, infinityBits, largest, visitMarked } from './fold.ts'

/** The most entries of a round. */
const mostRanked = 64

/**
 * The k least terms in ascending order, with their sources. Of equal terms the lower source comes first.
 *
 * @param ofTerm the number that is given for a term
 */
export function rankedFold(indexName: string, distanceName: string, k: number, ofTerm: (term: string) => string): Fold {
  const [index, distance] = [arrayName(`result.${indexName}`), arrayName(`result.${distanceName}`)]
  const rounds = Math.ceil(k / mostRanked)
  // Only several rounds look behind the last entry of the round before.
  const [declared, taken, follows] =
    rounds > 1 ? [lastBefore, (r: number) => takeLast(r, index, k, length), followsLast] : [none, none, none]
  const length = Math.ceil(k / rounds)
  const each = `for (var p = 0u; p < ${length}u; p++)`
  const last = (r: number) => `least_${r}[${length - 1}]`
  const first = firstRank(length)
  return {
    results: [
      { name: indexName, type: 'i32', hostType: 'i32', width: k },
      { name: distanceName, type: 'u32', hostType: 'f32', width: k },
    ],
    words: 2 * k,
    indexed: true,
    revisits: true,
    sums: () => [],
    declare: (r) => wgsl`var least_${r}: array<f32, ${length}>;
// The largest term to visit.
var most_${r} = ${largest};
${declared(r)}`,
    passes: {
      count: 2 * rounds,
      begin: (r) => wgsl`if (passAt % 2u == 0u) {
  ${taken(r)}
  most_${r} = ${largest};
  ${each} { least_${r}[p] = ${largest}; }
} else {
  // The driver may round a term otherwise in another place.
  most_${r} = select(${largest}, 1.000002 * ${last(r)}, ${last(r)} < 1e38);
  ${each} {
    let rank = ${first} + p;
    if (at_${r} < run.targetCount && rank < ${k}u) {
      ${index}[${k}u * at_${r} + rank] = -1;
      ${distance}[${k}u * at_${r} + rank] = select(${bits(ofTerm(`least_${r}[p]`))}, ${infinityBits}, least_${r}[p] >= ${largest});
    }
  }
}`,
    },
    farthest: last,
    forget: (r) => wgsl`most_${r} = ${largest};
${each} { least_${r}[p] = ${largest}; }`,
    look: visitMarked((r, { terms }) => `${terms[0]} <= most_${r}`),
    pair: (r, { terms: [term = ''], keep, source }) => wgsl`let value = ${term};
let other = ${source};
${guarded([follows(r), keep].filter(Boolean).join(' && '), visited(r, index, k, length))}`,
    // Whole runs by one invocation have nothing to merge, and the passes write the results.
    ...{ save: () => '', merge: () => '', resume: () => '', finish: () => '' },
  }
}

const none = (): string => ''

/** Declares the last entry of the round before. */
const lastBefore = (r: number) => wgsl`// The last entry of the round before.
var before_${r} = -1.0;
var sourceBefore_${r} = 0u;`

const takeLast = (r: number, index: string, k: number, length: number) => wgsl`if (passAt > 0u) {
  before_${r} = least_${r}[${length - 1}];
  sourceBefore_${r} = bitcast<u32>(${index}[${k}u * min(at_${r}, run.targetCount - 1u) + ${firstRank(length)} - 1u]);
}`

const followsLast = (r: number) => `(value > before_${r} || (value == before_${r} && other > sourceBefore_${r}))`

/** Inserts the term, or finds the rank of its source. */
function visited(r: number, index: string, k: number, length: number): string {
  const least = (p: string) => `least_${r}[${p}]`
  const last = least(`${length - 1}`)
  const first = firstRank(length)
  const row = `${k}u * at_${r}`
  return wgsl`if (passAt % 2u == 0u) {
  if (value < ${last}) {
    for (var p = ${length - 1}u; p > 0u; p--) { ${least('p')} = min(max(value, ${least('p - 1u')}), ${least('p')}); }
    ${least('0')} = min(value, ${least('0')});
    most_${r} = ${last};
  }
} else if (at_${r} < run.targetCount) {
  // Many sources may have the last term. Most of them come after those that are there already.
  let lastSource = bitcast<u32>(${index}[${row} + min(${first} + ${length}u, ${k}u) - 1u]);
  if (value < ${last} || other < lastSource) {
    var rank = ${first};
    var equal = 0u;
    for (var p = 0u; p < ${length}u; p++) {
      rank += u32(${least('p')} < value);
      equal += u32(${least('p')} == value);
    }
    // Sources of equal terms in ascending order.
    var moved = other;
    for (var to = rank; to < min(rank + equal, ${k}u); to++) {
      let there = bitcast<u32>(${index}[${row} + to]);
      if (moved < there) {
        ${index}[${row} + to] = bitcast<i32>(moved);
        moved = there;
      }
    }
  }
}`
}

/** The rank of the first entry of a round. */
const firstRank = (length: number) => `passAt / 2u * ${length}u`
