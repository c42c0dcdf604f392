/**
 * Stages that run in order, again and again. With forces through a mesh, a sequence runs on the device up to the short part of each such
 * force, then its smooth part goes through a grid, and so on.
 *
 * @module
 */
import type { RunOptions } from '../../contract/backend.ts'
import type { PlannedStage } from '../forces/force-stages.ts'

/** Planned stages in order, which run again and again. */
export interface StageSequence {
  /** Runs all stages; undefined if that is done. */
  run(times: number, options?: Pick<RunOptions, 'signal'>): Promise<void> | undefined
  /** Takes the numbers of now. @param planned other stages */
  renew(planned?: readonly PlannedStage[]): Promise<void>
  /** Takes the arrays of now. */
  rebind(planned: readonly PlannedStage[]): Promise<void>
  dispose(): void
}

type Signal = Pick<RunOptions, 'signal'>

interface Parts {
  /** Whether work away from the sequence follows a stage. */
  divides(stage: PlannedStage): boolean
  onDevice(planned: readonly PlannedStage[]): Promise<StageSequence>
  /** The work that follows a stage. */
  between(stage: PlannedStage, options: Signal): Promise<void>
}

interface Part {
  readonly planned: readonly PlannedStage[]
  readonly sequence: StageSequence
}

/** Stages with forces through a mesh. */
export async function meshedSequence(given: readonly PlannedStage[], parts: Parts): Promise<StageSequence> {
  let made = await partsOf(given, parts)
  const dispose = () => {
    for (const { sequence } of made) sequence.dispose()
  }
  const rebind = async (planned: readonly PlannedStage[]) => {
    const old = made
    made = await partsOf(planned, parts)
    for (const { sequence } of old) sequence.dispose()
  }
  return {
    dispose,
    rebind,
    async run(times, options = {}) {
      for (let n = 0; n < times; n++)
        for (const { planned, sequence } of made) {
          await sequence.run(1, options)
          const last = planned.at(-1) as PlannedStage
          if (parts.divides(last)) await parts.between(last, options)
        }
    },
    async renew(planned) {
      if (planned) return rebind(planned)
      for (const { sequence } of made) await sequence.renew()
    },
  }
}

async function partsOf(planned: readonly PlannedStage[], { divides, onDevice }: Parts): Promise<readonly Part[]> {
  const ends = [...planned.keys()].filter((n) => n === planned.length - 1 || divides(planned[n] as PlannedStage))
  const pieces = ends.map((end, n) => planned.slice(n === 0 ? 0 : (ends[n - 1] as number) + 1, end + 1))
  return Promise.all(pieces.map(async (piece) => ({ planned: piece, sequence: await onDevice(piece) })))
}
