// Times several programs fairly: in rounds that visit each in turn, so that clocks and heat favour none.

import { median, type Prepared, type Sample } from './measure.ts'

export interface Timing {
  readonly variant: string
  readonly microseconds: { readonly gpu: number | undefined; readonly wall: number }
  readonly spread: number
}

/**
 * @param milliseconds how long one sample lasts at least, so that submitting and waiting vanish in it
 */
export async function timeInRounds(
  programs: readonly Prepared[],
  rounds: number,
  milliseconds: number,
): Promise<readonly Timing[]> {
  const times: number[] = []
  for (const program of programs) {
    const once = await warm(program)
    times.push(Math.min(20000, Math.max(1, Math.ceil((1000 * milliseconds) / once))))
  }
  const samples: Sample[][] = programs.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, program] of programs.entries()) samples[index]?.push(await program.time(times[index] ?? 1))
  return programs.map(({ variant }, index) => {
    const own = samples[index] ?? []
    const walls = own.map((s) => s.wall)
    const gpus = own.flatMap((s) => (s.gpu === undefined ? [] : [s.gpu]))
    return {
      variant,
      microseconds: { gpu: gpus.length ? median(gpus) : undefined, wall: median(walls) },
      spread: Math.max(...walls) / Math.min(...walls) - 1,
    }
  })
}

/** A device that idled while a shader compiled needs this long to be at its clock again, in milliseconds. */
const warmUp = 500

/** Microseconds of a run once pipelines and clocks are warm. */
async function warm(program: Prepared): Promise<number> {
  const first = (await program.time(1)).wall
  const again = Math.max(1, Math.min(200, Math.ceil(5000 / first)))
  let latest = first
  for (const start = performance.now(); performance.now() - start < warmUp; ) latest = (await program.time(again)).wall
  return latest
}
