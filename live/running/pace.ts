/** Finds the number of bodies that takes 33 ms per picture. */

const targetMilliseconds = 33
const least = 128

/** The count to try next; the same if it is near enough. */
/** @param square whether the work grows as the square of the count */
export function nextCount(most: number, square: boolean, count: number, milliseconds: number): number {
  const ratio = targetMilliseconds / Math.max(milliseconds, 0.5)
  if (ratio > 0.75 && ratio < 1.4) return count
  const growth = Math.min(Math.max(square ? Math.sqrt(ratio) : ratio, 1 / 5), 4)
  const next = Math.min(Math.max(rounded(count * growth), least), most)
  return Math.abs(next / count - 1) < 0.12 ? count : next
}

/** Two digits are enough. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.round(count / unit) * unit
}
