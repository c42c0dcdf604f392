/**
 * The frames of a simulation one after the other: it takes steps, reads arrays, and waits only if the device has to.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { LiveState } from '../stepping/live-state.ts'
import type { StepOptions, Walks } from '../stepping/walks.ts'
import type { checkedFrames, Frame } from './frames.ts'

/** The parts of a simulation that make frames. */
interface Filmed {
  readonly live: LiveState
  readonly walks: Walks
  /** Works when no other call is under way; undefined if that is done. */
  readonly atOnce: (work: () => Promise<void> | undefined) => Promise<void> | undefined
  /** Advances to a time. */
  readonly until: (time: number, options: StepOptions) => Promise<void>
}

export async function* framesOf<P extends Precision, Name extends string>(
  { every, interval, fields, reuse, ahead, ...rest }: ReturnType<typeof checkedFrames<Name>>,
  { live, walks, atOnce, until }: Filmed,
): AsyncGenerator<Frame<P, Name>, void> {
  const read: FloatArray[] = []
  const late = async () => {
    for (const [n, name] of fields.entries()) read[n] = await live.read(name, reuse ? read[n] : undefined)
  }
  // Arrays that are kept may be read within the call.
  const kept = (name: Name, n: number) => {
    const into = read[n]
    return into !== undefined && live.readAtOnce(name, into)
  }
  const fill = () => (reuse && fields.every(kept) ? undefined : late())
  const walk = () => walks.walk(every, rest)
  let goal: number | undefined
  const advance = () => {
    if (interval === undefined) return atOnce(walk)
    goal = (goal ?? live.time) + interval
    return until(goal, rest)
  }
  let steps = advance()
  try {
    for (;;) {
      if (steps !== undefined) await steps
      const filled = atOnce(fill)
      if (filled !== undefined) await filled
      const { dimension } = live.described
      const now: Record<string, unknown> = { steps: live.steps, time: live.time, dimension, boundary: live.boundary }
      for (let n = 0; n < fields.length; n++) now[fields[n] as Name] = read[n]
      if (ahead) steps = advance()
      // The next frame reports a failure.
      steps?.catch(() => {})
      yield now as Frame<P, Name>
      if (!ahead) steps = advance()
    }
  } finally {
    await steps?.catch(() => {})
  }
}
