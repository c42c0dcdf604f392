// One workload at one size in all the plans that are wanted: prepared, timed in rounds, judged. Gives the rows.

import type { Device, Plan } from '@manybody/core'
import { type Judge, type Prepared, prepare, upload } from './measure.ts'
import type { GpuOutcome, GpuRow, Refused } from './record.ts'
import { type Pace, type Timing, timeInRounds } from './rounds.ts'
import type { Stage } from './stages.ts'
import { prepareStepping } from './stepping.ts'

export async function measureStage(
  device: Device,
  { what, n, plans, defaultLimits }: Stage,
  judge: Judge,
  pace: Pace,
  signal: AbortSignal,
): Promise<readonly GpuRow[]> {
  const points = what.points(n)
  const arrays = await upload(device, points)
  const about = { law: what.name, n, ...(defaultLimits ? { defaultLimits } : {}) }
  const refused: GpuRow[] = []
  const ready: { readonly program: Prepared; readonly chosen: boolean }[] = []
  try {
    for (const plan of [undefined, ...plans]) {
      if (signal.aborted) break
      const chosen = plan === undefined
      try {
        const program =
          what.name === 'stepping'
            ? await prepareStepping(device, points)
            : await prepare(device, what.workload(n), points, arrays, judge, plan)
        ready.push({ program, chosen })
      } catch (error) {
        refused.push({ ...about, variant: nameOf(plan), chosen, outcome: refusal(error) })
      }
    }
    const programs = ready.map(({ program }) => program)
    const timings = await timeInRounds(programs, pace, signal)
    const rows: GpuRow[] = []
    for (const [index, { program, chosen }] of ready.entries()) {
      const timing = timings[index]
      if (timing) rows.push({ ...about, variant: program.variant, chosen, outcome: await outcomeOf(program, timing) })
    }
    return [...rows, ...refused]
  } finally {
    for (const { program } of ready) program.dispose()
    for (const array of Object.values(arrays)) array.dispose()
  }
}

/** An error beyond this is no rounding: float32 stays below 1e-4 even where points overlap. */
const wrong = 1e-3

/** @returns why results are wrong, or undefined */
export const fault = (maxError: number | undefined): Refused | undefined =>
  maxError === undefined || maxError < wrong ? undefined : { refused: `wrong answer: off by ${maxError}` }

async function outcomeOf(program: Prepared, { gpu, wall, spread }: Timing): Promise<GpuOutcome | Refused> {
  const maxError = await program.maxError()
  return (
    fault(maxError) ?? {
      ...(gpu === undefined ? {} : { gpu: rounded(gpu) }),
      wall: rounded(wall),
      spread: rounded(spread),
      ...(maxError === undefined ? {} : { maxError: Number(maxError.toPrecision(3)) }),
      compileMilliseconds: rounded(program.compileMilliseconds),
    }
  )
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

function nameOf(plan: Plan | undefined): string {
  if (!plan) return 'chosen'
  const sizes = Object.entries(plan.sizes ?? {}).map(([name, size]) => `${name} ${size}`)
  return sizes.length === 0 ? plan.variant : `${plan.variant} (${sizes.join(', ')})`
}

const refusal = (error: unknown): Refused => ({
  refused: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '',
})
