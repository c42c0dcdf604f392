/** The settings of a run, as the page stores them and as messages carry them. */

import { sceneNamed } from '../scenes/list.ts'
import type { Scene } from '../scenes/scene.ts'
import type { TypedLaw } from './laws.ts'

export interface Setup {
  readonly scene: Scene
  readonly count: number
  readonly seed: number
  readonly law: TypedLaw
  /** The name of a backend, or empty for the best one. */
  readonly backend: string
  /** The name of a loop, or empty for the backend's own choice. */
  readonly variant: string
  readonly backwards: boolean
  /** The allowed error of sums over all pairs, relative to the sizes of their terms; 0 computes all pairs. */
  readonly tolerance: number
}

/** The settings that may change while a run keeps its bodies. */
export type SetupChange = Partial<Omit<Setup, 'scene'>>

/** A setup that can be cloned. It has the scene by its name, because scenes have functions. */
export type SentSetup = Omit<Setup, 'scene'> & { readonly scene: string }

export const sent = (setup: Setup): SentSetup => ({ ...setup, scene: setup.scene.name })

export const received = (setup: SentSetup): Setup => ({ ...setup, scene: sceneNamed(setup.scene) })

/** A tolerance is for sums over all pairs; with a cutoff, few pairs are left anyway. */
export const mayBeApproximate = ({ work }: Scene): boolean => work === 'pairs'
