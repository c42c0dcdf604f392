/**
 * One call of a loop over pairs for several targets. It reads each source once for all of them. The first is the target of the
 * call's texel; the others are at the same place in the tiles below. `pair-loop.ts` is the loop.
 *
 * @module
 */
import { tileTargetsMacro } from '../../design/counts.ts'
import { lines } from '../glsl/code-text.ts'

/** Repeats code for one target, once for each target of a call. */
export interface TargetsAtOnce {
  /** The code of each target. */
  each(code: string): readonly string[]
  /** Statements, in a scope for each target. */
  scoped(statements: string): string
  /** Declares the targets after the first. */
  readonly declared: string
}

/**
 * @param count number of targets of a call
 * @param kept code that declares the variables of one target
 */
export function targetsAtOnce(count: number, kept: readonly string[]): TargetsAtOnce {
  const names = [...kept.join('\n').matchAll(/\b(?:bool|int|float|vec[234]) (\w+)/g)].map(([, name]) => name)
  const ofTarget = new RegExp(`\\b(?:${['target', 'before', ...names].join('|')})\\b`, 'g')
  const each = (code: string) =>
    Array.from({ length: count }, (_, n) => (n === 0 ? code : code.replaceAll(ofTarget, (name) => `${name}_${n}`)))
  return {
    each,
    scoped: (statements) => (count === 1 ? statements : lines(each(`{\n${statements}\n}`))),
    declared: lines(
      Array.from({ length: count - 1 }, (_, n) => `int target_${n + 1} = target + ${n + 1} * ${tileTargetsMacro};`),
    ),
  }
}
