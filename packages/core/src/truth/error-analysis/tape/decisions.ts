/**
 * Steps that decide: comparisons, logic and selection. A condition is 1 or 0, with error 1 if rounding could decide it. Such an
 * error is systematic, because rounding may decide in the same way for all pairs.
 *
 * @module
 */

/** Gets values, their largest errors, the systematic and the random parts of these errors, and the losses of the values. */
export type AnalysisStep = (v: Float64Array, e: Float64Array, s: Float64Array, r: Float64Array, l: Float64Array) => void

/** A comparison is undecided if the operands are no farther apart than their errors. */
export const comparison =
  (holds: (x: number, y: number) => boolean) =>
  (k: number, a: number, b: number): AnalysisStep =>
  (v, e, s, _, l) => {
    const [x, y] = [v[a] as number, v[b] as number]
    const error = (e[a] as number) + (e[b] as number)
    const lost = (l[a] as number) - (l[b] as number)
    v[k] = holds(x, y) ? 1 : 0
    e[k] = error === 0 || Math.abs(x - y + lost) > error ? 0 : 1
    s[k] = e[k] as number
  }

/** Both operands are conditions. One that is certainly `absorbing` decides the whole. */
export const logic =
  (absorbing: 0 | 1) =>
  (k: number, a: number, b: number): AnalysisStep =>
  (v, e, s) => {
    const decided = (slot: number) => v[slot] === absorbing && e[slot] === 0
    v[k] = v[a] === absorbing || v[b] === absorbing ? absorbing : 1 - absorbing
    e[k] = decided(a) || decided(b) ? 0 : Math.max(e[a] as number, e[b] as number)
    s[k] = e[k] as number
  }

export const negation =
  (k: number, a: number): AnalysisStep =>
  (v, e, s) => {
    v[k] = 1 - (v[a] as number)
    e[k] = e[a] as number
    s[k] = e[k] as number
  }

/** Takes `a` if the condition `c` holds, otherwise `b`. */
export const selection =
  (k: number, c: number, a: number, b: number): AnalysisStep =>
  (v, e, s, r, l) => {
    const [taken, other] = v[c] ? [a, b] : [b, a]
    v[k] = v[taken] as number
    l[k] = l[taken] as number
    e[k] = e[taken] as number
    s[k] = s[taken] as number
    r[k] = r[taken] as number
    if (!e[c]) return
    // If rounding decides, a device may have taken the other branch.
    const apart = v[a] === v[b] ? 0 : Math.abs((v[a] as number) - (v[b] as number))
    e[k] = Math.max(e[k] as number, apart + (e[other] as number))
    s[k] = e[k] as number
    r[k] = 0
  }
