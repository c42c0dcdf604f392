/**
 * How the terms of one target are folded over its sources, as WGSL: one small table per reduction. A fold says what an
 * invocation keeps per target, how a pair changes it, how two partial folds merge, and what is written in the end.
 *
 * Loops know folds only through this interface; the numbers behind a name such as `sum0_3` belong to target 3.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { arrayName, indent, type ScalarType } from './shader.ts'

interface FoldResult {
  readonly name: string
  /** In the shader. */
  readonly type: ScalarType
  /** On the host, where bits written as integers are read as numbers. */
  readonly hostType: ScalarType
  /** Numbers per target. */
  readonly width: number
}

/** A pair in scope: WGSL texts. */
interface PairTexts {
  readonly terms: readonly string[]
  /** Components of the displacement, if the term is a coefficient of it. */
  readonly along: readonly string[] | undefined
  /** Whether the pair counts; undefined: always. */
  readonly keep: string | undefined
  readonly source: string
}

/** A cheap look at the sources of one step of a loop, then what the fold makes of it. */
interface Look {
  /** Declares what the look keeps. */
  readonly open: (r: number) => string
  /** Looks at a pair, whose `bit` tells the source within the step. */
  readonly pair: (r: number, texts: PairTexts) => string
  readonly close: (r: number, step: LookedAt) => string
  /** Turns the step that the fold remembers into the source: `visit` visits the sources of a step from `j` on. */
  readonly settle?: (r: number, visit: string) => string
}

interface LookedAt {
  /** Index of its first source. */
  readonly first: string
  readonly sources: number
  /** Visits the pair of a source by its number within the step. */
  readonly visit: (u: string) => string
  /** Whether a target is no source of its own. */
  readonly skipSelf: boolean
}

export interface Fold {
  readonly results: readonly FoldResult[]
  /** 32-bit words that hold the fold of one target. */
  readonly words: number
  /** Whether a fold remembers sources. */
  readonly indexed: boolean
  /** Whether it goes on from earlier results by visiting the sources that they name again. */
  readonly revisits: boolean
  /** Names of plain sums, which may be kept per block of sources; empty for other folds. */
  readonly sums: (r: number) => readonly string[]
  /** Declares the fold of no pairs. */
  readonly declare: (r: number) => string
  readonly pair: (r: number, texts: PairTexts) => string
  /** For folds that few sources change: a cheaper look at the sources of a step first, none of which is skipped as self. */
  readonly look?: Look
  /** Writes the words of a fold. */
  readonly save: (r: number, write: (word: string, value: string) => string) => string
  /** Merges the words of another fold, of later sources or not. */
  readonly merge: (r: number, read: (word: string) => string) => string
  /** Takes in earlier results at `at`, of whichever sources, unless it revisits. */
  readonly resume: (r: number, at: string) => string
  /** Writes results of the target at `at`; `scale` multiplies sums. */
  readonly finish: (r: number, at: string, scale: string | undefined) => string
  /** Writes one word of a sum, whose words add up and end each by itself; other folds have none. */
  readonly finishWord?: (word: string, at: string, sum: string, scale: string | undefined) => string
}

/** The largest float32, which stands for infinity inside a shader: WGSL may assume that there is none. */
const largest = '3.4028234e38'
const infinityBits = '0x7f800000u'
const guarded = (keep: string | undefined, text: string) => (keep ? `if (${keep}) { ${text} }` : text)
const range = (n: number) => Array.from({ length: n }, (_, k) => k)
const float = (bits: string) => `bitcast<f32>(${bits})`
const bits = (value: string) => `bitcast<u32>(${value})`

/** The fold of a workload whose terms have `components` components. */
export function foldOf(workload: PairWorkload, components: number): Fold {
  const [first = 'value', second = 'distance'] = workload.results
  const make: { readonly [R in Exclude<Reduction, 'none'>]: () => Fold } = {
    sum: () => sumFold(first, components),
    count: () => countFold(first),
    min: () => extremeFold(first, 'min'),
    max: () => extremeFold(first, 'max'),
    argmin: () => indexFold(first, 'value', 'min'),
    argmax: () => indexFold(first, 'value', 'max'),
    logsumexp: () => logSumExpFold(first),
    smallest: () => smallestFold(first, second, workload.k ?? 1),
  }
  if (workload.reduction === 'none') throw new Error('a matrix keeps all terms and folds none')
  return make[workload.reduction]()
}

function sumFold(name: string, width: number): Fold {
  const sum = (r: number) => (c: number) => `sum${c}_${r}`
  const out = arrayName(`result.${name}`)
  const finishWord = (word: string, at: string, value: string, scale: string | undefined) => {
    const place = `${out}[${width}u * ${at} + ${word}]`
    return `${place} = select(0.0, ${place}, run.carry == 1u) + ${scale ? `${value} * ${scale}` : value};`
  }
  return {
    results: [{ name, type: 'f32', hostType: 'f32', width }],
    words: width,
    indexed: false,
    revisits: false,
    sums: (r) => range(width).map(sum(r)),
    declare: (r) =>
      range(width)
        .map((c) => `var ${sum(r)(c)} = 0.0;`)
        .join(' '),
    pair: (r, { terms, along, keep }) => {
      const masked = (term: string) => (keep ? `select(0.0, ${term}, ${keep})` : term)
      if (!along) return terms.map((term, c) => `${sum(r)(c)} += ${masked(term)};`).join('\n')
      const adds = along.map((d, c) => `${sum(r)(c)} += w * ${d};`)
      return [`let w = ${masked(terms[0] as string)};`, ...adds].join('\n')
    },
    save: (r, write) =>
      range(width)
        .map((c) => write(`${c}u`, bits(sum(r)(c))))
        .join('\n'),
    merge: (r, read) =>
      range(width)
        .map((c) => `${sum(r)(c)} += ${float(read(`${c}u`))};`)
        .join('\n'),
    resume: () => '',
    finish: (r, at, scale) =>
      range(width)
        .map((c) => finishWord(`${c}u`, at, sum(r)(c), scale))
        .join('\n'),
    finishWord,
  }
}

function countFold(name: string): Fold {
  const out = arrayName(`result.${name}`)
  return {
    results: [{ name, type: 'u32', hostType: 'u32', width: 1 }],
    words: 1,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var count_${r} = 0u;`,
    pair: (r, { keep }) => (keep ? `count_${r} += select(0u, 1u, ${keep});` : `count_${r} += 1u;`),
    save: (r, write) => write('0u', `count_${r}`),
    merge: (r, read) => `count_${r} += ${read('0u')};`,
    resume: () => '',
    finish: (r, at) => `${out}[${at}] = select(0u, ${out}[${at}], run.carry == 1u) + count_${r};`,
  }
}

function extremeFold(name: string, operation: 'min' | 'max'): Fold {
  const out = arrayName(`result.${name}`)
  const none = operation === 'min' ? largest : `-${largest}`
  const nothing = operation === 'min' ? infinityBits : '0xff800000u'
  const take = (r: number, value: string) => `best_${r} = ${operation}(best_${r}, ${value});`
  return {
    // Bits, so that the infinities of empty folds are written as integers.
    results: [{ name, type: 'u32', hostType: 'f32', width: 1 }],
    words: 1,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var best_${r} = ${none};`,
    pair: (r, { terms, keep }) => guarded(keep, take(r, terms[0] as string)),
    save: (r, write) => write('0u', bits(`best_${r}`)),
    merge: (r, read) => take(r, float(read('0u'))),
    resume: (r, at) => `if (${out}[${at}] != ${nothing}) { ${take(r, float(`${out}[${at}]`))} }`,
    finish: (r, at) => `${out}[${at}] = select(${bits(`best_${r}`)}, ${nothing}, best_${r} == ${none});`,
  }
}

function indexFold(indexName: string, valueName: string, operation: 'min' | 'max'): Fold {
  const [index, value] = [arrayName(`result.${indexName}`), arrayName(`result.${valueName}`)]
  const none = operation === 'min' ? largest : `-${largest}`
  const nothing = operation === 'min' ? infinityBits : '0xff800000u'
  const better = operation === 'min' ? '<' : '>'
  const take = (r: number, value: string, source: string) =>
    `if (${value} ${better} best_${r} || (${value} == best_${r} && ${source} < index_${r})) { best_${r} = ${value}; index_${r} = ${source}; }`
  return {
    results: [
      { name: indexName, type: 'i32', hostType: 'i32', width: 1 },
      { name: valueName, type: 'u32', hostType: 'f32', width: 1 },
    ],
    words: 2,
    indexed: true,
    revisits: false,
    sums: () => [],
    declare: (r) => `var best_${r} = ${none}; var index_${r} = 0xffffffffu;`,
    // A loop visits sources in order, so that of equal terms the first stays. Selecting is faster than a branch.
    pair: (r, { terms, keep, source }) =>
      [
        `let value = ${terms[0]};`,
        `let takes = ${keep ? `${keep} && ` : ''}value ${better} best_${r};`,
        `best_${r} = select(best_${r}, value, takes);`,
        `index_${r} = select(index_${r}, ${source}, takes);`,
      ].join('\n'),
    // The least of a step is one operation a pair. Of the step that has the least, the source is found in the end.
    look: {
      open: (r) => `var found_${r} = ${none};`,
      pair: (r, { terms, keep }) => {
        const value = keep ? `select(${none}, ${terms[0]}, ${keep})` : terms[0]
        return `found_${r} = ${operation}(found_${r}, ${value});`
      },
      close: (r, { first, sources, visit, skipSelf }) => {
        const takes = `let takes = found_${r} ${better} best_${r};
best_${r} = select(best_${r}, found_${r}, takes);
index_${r} = select(index_${r}, ${first}, takes);`
        if (!skipSelf) return takes
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

/** `log(sum(exp(v)))` as the greatest term so far and the sum of `exp(v - top)`, so that nothing overflows. */
function logSumExpFold(name: string): Fold {
  const out = arrayName(`result.${name}`)
  const add = (r: number, top: string, total: string) =>
    `let other = ${top}; let fall = exp(-abs(other - top_${r})); total_${r} = select(total_${r} + ${total} * fall, total_${r} * fall + ${total}, other > top_${r}); top_${r} = max(top_${r}, other);`
  return {
    results: [{ name, type: 'u32', hostType: 'f32', width: 1 }],
    words: 2,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var top_${r} = -${largest}; var total_${r} = 0.0;`,
    pair: (r, { terms, keep }) => guarded(keep, add(r, terms[0] as string, '1.0')),
    save: (r, write) => [write('0u', bits(`top_${r}`)), write('1u', bits(`total_${r}`))].join('\n'),
    merge: (r, read) => `{ ${add(r, float(read('0u')), float(read('1u')))} }`,
    resume: (r, at) => `if (${out}[${at}] != 0xff800000u) { ${add(r, float(`${out}[${at}]`), '1.0')} }`,
    finish: (r, at) => `${out}[${at}] = select(${bits(`top_${r} + log(total_${r})`)}, 0xff800000u, total_${r} == 0.0);`,
  }
}

/** The k least terms in order, with their sources; of equal terms the lower source first. */
function smallestFold(indexName: string, distanceName: string, k: number): Fold {
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
    // Sources that may come into the list are marked, then visited: the targets of a subgroup seldom agree on which.
    look: {
      open: (r) => `var marks_${r} = 0u;`,
      pair: (r, { terms }) => `if (${terms[0]} <= ${list.least(r, k - 1)}) { marks_${r} |= bit; }`,
      close: (r, { visit }) => `while (marks_${r} != 0u) {
  let u = firstTrailingBit(marks_${r});
  marks_${r} &= marks_${r} - 1u;
  ${indent(visit('u'), 1)}
}`,
    },
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
${distance}[${k}u * ${at} + ${p}u] = select(${bits(`sqrt(${list.least(r, p)})`)}, ${infinityBits}, ${list.source(r, p)} == 0xffffffffu);`,
        )
        .join('\n'),
  }
}

/** Terms in ascending order with their sources, as WGSL. */
interface List {
  readonly declare: (r: number) => string
  readonly least: (r: number, p: number) => string
  readonly source: (r: number, p: number) => string
  /** Puts `value` of source `other` in its place, if it has one. */
  readonly insert: (r: number) => string
}

/** The longest list that is kept in registers. */
const mostInRegisters = 16

/** A list in registers: all entries change places at once, as a register has no index. */
function registerList(k: number): List {
  const least = (r: number, p: number) => `least_${r}_${p}`
  const source = (r: number, p: number) => `source_${r}_${p}`
  const before = (r: number, p: number) =>
    `(value < ${least(r, p)}) | ((value == ${least(r, p)}) & (other < ${source(r, p)}))`
  // From the last entry on: where the one before moves up, it moves here; else the new one may come here.
  const shift = (r: number, p: number) =>
    p > 0
      ? `let before${p - 1} = ${before(r, p - 1)};
${least(r, p)} = select(select(${least(r, p)}, value, before${p}), ${least(r, p - 1)}, before${p - 1});
${source(r, p)} = select(select(${source(r, p)}, other, before${p}), ${source(r, p - 1)}, before${p - 1});`
      : `${least(r, 0)} = select(${least(r, 0)}, value, before0);
${source(r, 0)} = select(${source(r, 0)}, other, before0);`
  return {
    least,
    source,
    declare: (r) =>
      range(k)
        .map((p) => `var ${least(r, p)} = ${largest}; var ${source(r, p)} = 0xffffffffu;`)
        .join('\n'),
    insert: (r) => `let before${k - 1} = ${before(r, k - 1)};
if (before${k - 1}) {
  ${indent(
    range(k)
      .reverse()
      .map((p) => shift(r, p)),
    1,
  )}
}`,
  }
}

/** A list in the private memory of an invocation. */
function arrayList(k: number): List {
  const least = (r: number, p: number | string) => `least_${r}[${p}]`
  const source = (r: number, p: number | string) => `source_${r}[${p}]`
  const before = (r: number, p: number | string) =>
    `value < ${least(r, p)} || (value == ${least(r, p)} && other < ${source(r, p)})`
  return {
    least,
    source,
    declare: (r) => `var least_${r}: array<f32, ${k}>; var source_${r}: array<u32, ${k}>;
for (var q = 0u; q < ${k}u; q++) { ${least(r, 'q')} = ${largest}; ${source(r, 'q')} = 0xffffffffu; }`,
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
