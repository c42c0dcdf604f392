// Times several programs fairly: in rounds that visit each in turn, so that clocks and heat favour none.

import type { Prepared, Sample } from './measure.ts'

export interface Timing {
  readonly gpu: number | undefined
  readonly wall: number
  readonly spread: number
}

export interface Pace {
  readonly rounds: number
  /** Milliseconds that one sample lasts at least, so that submitting and waiting vanish in it. */
  readonly sample: number
}

/** Once aborted, of the rounds that are done; undefined for a program that was never timed. */
export async function timeInRounds(
  programs: readonly Prepared[],
  { rounds, sample }: Pace,
  signal: AbortSignal,
): Promise<readonly (Timing | undefined)[]> {
  const times: number[] = []
  for (const [index, program] of programs.entries()) {
    if (signal.aborted) return programs.map(() => undefined)
    const once = await warm(program, index === 0 ? afterIdling : onceBusy)
    times.push(Math.min(20000, Math.max(1, Math.ceil((1000 * sample) / once))))
  }
  const samples: Sample[][] = programs.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, program] of programs.entries())
      if (!signal.aborted) samples[index]?.push(await program.time(times[index] ?? 1))
  return samples.map((own) => (own.length === 0 ? undefined : timingOf(own)))
}

function timingOf(samples: readonly Sample[]): Timing {
  const walls = samples.map((sample) => sample.wall)
  const gpus = samples.flatMap(({ gpu }) => (gpu === undefined ? [] : [gpu]))
  return {
    gpu: gpus.length ? median(gpus) : undefined,
    wall: median(walls),
    spread: Math.max(...walls) / Math.min(...walls) - 1,
  }
}

/** Milliseconds: a device that idled while shaders compiled needs this long to be at its clock again (after half a second an
 * H200 was seen at a third of it); then, less. */
const [afterIdling, onceBusy] = [2000, 60]

/** Microseconds of a run once pipelines and clocks are warm. */
async function warm(program: Prepared, milliseconds: number): Promise<number> {
  const first = (await program.time(1)).wall
  const again = Math.max(1, Math.min(200, Math.ceil(5000 / first)))
  let latest = first
  for (const start = performance.now(); performance.now() - start < milliseconds; )
    latest = (await program.time(again)).wall
  return latest
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
