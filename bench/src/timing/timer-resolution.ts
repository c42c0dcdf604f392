/** The smallest step of this environment's clock, in milliseconds. Each browser coarsens its clock by its own rules. */

export function timerResolution(): number {
  let smallest = Infinity
  for (let n = 0; n < 20; n++) {
    const start = performance.now()
    let now = start
    while (now === start) now = performance.now()
    smallest = Math.min(smallest, now - start)
  }
  return Number(smallest.toPrecision(2))
}
