/** Part three: the potential energy of a random Plummer sphere, against its closed form and the error that theory predicts. */

import { accelerations, type Engine, energy, gravity, type RunReport, type Verification } from 'manybody'
import { plummerSphere } from 'manybody/initial'

export interface PlummerResult {
  readonly count: number
  readonly energy: number
  /** `-3 pi/32 G M^2/a` times `1 - 1/N`: that many fewer pairs than a continuum has. */
  readonly expected: number
  /** Standard deviation of the energy over random samples of this size. */
  readonly standardError: number
  readonly report: RunReport
  readonly verification: Verification
  readonly milliseconds: number
}

/**
 * The energy of N random points is a mean over pairs, so its variance is `4/N` times the variance of one star's own mean `phi = (1 +
 * r^2)^(-1/2)`. Over the sphere, `<phi> = 3 pi/16` and `<phi^2> = 2/5`. The neglected terms fall with 1/N^2.
 */
const meanPotential = (3 * Math.PI) / 16
const relativeError = (count: number): number => (2 * Math.sqrt((2 / 5 - meanPotential ** 2) / count)) / meanPotential

export async function plummerEnergy(
  engine: Engine,
  count: number,
  onProgress: (fraction: number) => void,
): Promise<PlummerResult> {
  const start = performance.now()
  const { position, mass } = plummerSphere({ count, seed: 1911 })
  const law = gravity()
  const run = await engine.run(energy(law), { position, mass }, { onProgress: (done) => onProgress(0.4 * done) })
  const verification = await engine.verify(
    accelerations(law),
    { position, mass },
    { sample: 64, onProgress: (done) => onProgress(0.4 + 0.6 * done) },
  )
  const expected = -((3 * Math.PI) / 32) * (1 - 1 / count)
  return {
    count,
    energy: run.energy,
    expected,
    standardError: Math.abs(expected) * relativeError(count),
    report: run.report,
    verification,
    milliseconds: performance.now() - start,
  }
}
