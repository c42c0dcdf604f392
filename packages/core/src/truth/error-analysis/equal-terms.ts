/**
 * The error of adding up equal terms. Their partial sums are the same in every order, and so are the sizes of these sums at each
 * addition: nothing is random.
 *
 * @module
 */

/**
 * The largest error of all additions.
 *
 * @param error how far the term of a device may be from `term`
 * @param chains lengths of the chains of each level; further levels are added without an error
 */
export function equalTermsError(
  term: number,
  error: number,
  count: number,
  unit: number,
  chains: readonly number[],
): number {
  let [part, spread, parts, total] = [Math.abs(term), error, count, 0]
  for (const length of chains) {
    const chain = Math.min(Math.max(1, length), parts)
    const lost = chainLoss(part, spread, chain, unit)
    total += (parts / chain) * lost
    part *= chain
    spread = spread * chain + lost
    parts /= chain
  }
  return total
}

/** The largest error of a chain of additions. All that end between two powers of 2 lose the same. */
function chainLoss(part: number, spread: number, length: number, unit: number): number {
  let lost = 0
  for (let from = 1; from < length; ) {
    const size = 2 ** Math.floor(Math.log2(part * (from + 1)))
    const to = Math.min(length, Math.max(from + 1, Math.ceil((2 * size) / part) - 1))
    const grid = 2 * unit * size
    const loss = Math.abs(part - grid * Math.round(part / grid))
    lost += (to - from) * Math.min(grid / 2, loss + spread)
    from = to
  }
  // Earlier losses shift the sums, so that a few may end beyond the next power of 2.
  return lost * (1 + length * unit)
}
