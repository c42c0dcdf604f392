/**
 * Stages that run in order, again and again. With forces through a mesh, a sequence runs on the device up to the short part of each such
 * force, then its smooth part goes through a grid, and so on.
 *
 * @module
 */
import type { RunOptions } from '../../contract/backend.ts'
import { isMeshed } from '../forces/pair-part.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import type { MeshStages } from './mesh-stages.ts'

/** Planned stages in order, which run again and again. */
export interface StageSequence {
  /** Runs all stages; undefined if that is done. */
  run(times: number, options?: Pick<RunOptions, 'signal'>): Promise<void> | undefined
  /** Takes the numbers of now. @param planned other stages */
  renew(planned?: readonly PlannedStage[]): Promise<void>
  /** Takes the arrays of now. @param planned other stages */
  rebind(planned?: readonly PlannedStage[]): Promise<void>
  dispose(): void
}

type Signal = Pick<RunOptions, 'signal'>

/** @param grids whether the device computes the smooth parts of meshes, too */
type OnDevice = (planned: readonly PlannedStage[], grids: boolean) => Promise<StageSequence>

interface Part {
  readonly planned: readonly PlannedStage[]
  readonly sequence: StageSequence
}

/** Stages with forces through a mesh: one sequence if the device takes grids, which may change with the sizes of the grids. */
export async function meshedSequence(
  given: readonly PlannedStage[],
  meshes: MeshStages,
  onDevice: OnDevice,
): Promise<StageSequence> {
  let planned = given
  let grids = await meshes.takesGrids(planned)
  let made = await partsOf(planned, onDevice, grids)
  const dispose = () => {
    for (const { sequence } of made) sequence.dispose()
  }
  const rebind = async (others: readonly PlannedStage[] = planned) => {
    const taken = await meshes.takesGrids(others)
    const parts = await partsOf(others, onDevice, taken)
    dispose()
    planned = others
    grids = taken
    made = parts
  }
  return {
    dispose,
    rebind,
    run(times, options = {}) {
      const [only] = made
      return grids && only ? only.sequence.run(times, options) : inParts(made, meshes, times, options)
    },
    async renew(others) {
      if (others || grids !== (await meshes.takesGrids(planned))) return rebind(others ?? planned)
      for (const { sequence } of made) await sequence.renew()
    },
  }
}

async function inParts(parts: readonly Part[], meshes: MeshStages, times: number, options: Signal): Promise<void> {
  for (let n = 0; n < times; n++)
    for (const { planned, sequence } of parts) {
      await sequence.run(1, options)
      const last = planned.at(-1) as PlannedStage
      if (isMeshed(last)) await meshes.add(last, options)
    }
}

async function partsOf(planned: readonly PlannedStage[], onDevice: OnDevice, grids: boolean): Promise<readonly Part[]> {
  const ends = [...planned.keys()].filter(
    (n) => n === planned.length - 1 || (!grids && isMeshed(planned[n] as PlannedStage)),
  )
  const pieces = ends.map((end, n) => planned.slice(n === 0 ? 0 : (ends[n - 1] as number) + 1, end + 1))
  const made = await Promise.allSettled(pieces.map((piece) => onDevice(piece, grids)))
  const failed = made.find((one) => one.status === 'rejected')
  const parts = made.flatMap((one, n) =>
    one.status === 'fulfilled' ? [{ planned: pieces[n] as readonly PlannedStage[], sequence: one.value }] : [],
  )
  if (!failed) return parts
  for (const { sequence } of parts) sequence.dispose()
  throw failed.reason
}
