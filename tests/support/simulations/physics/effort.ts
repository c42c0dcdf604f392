// How far a case of physics goes on an engine. `npm run deep` takes every case as far as theory holds. `npm test` goes a part of the way:
// farthest on the processor, where a step of few points costs least.

import type { Engine, Precision } from '@manybody/core'
import { patience as usual } from '../../../../tools/patience.ts'
import { deep } from '../../share.ts'

export type AnyEngine = Engine<Precision>

export type PhysicsCase = readonly [name: string, run: (engine: AnyEngine) => Promise<void>]

export const effort = <T>(engine: AnyEngine, far: { readonly deep: T; readonly fast: T; readonly slow: T }): T =>
  deep ? far.deep : engine.device.info.backend === 'cpu-wasm' ? far.fast : far.slow

/** Milliseconds that a case may take, as in patience.ts. */
export const patience: number = deep ? 3_600_000 : usual

/** The allowance for float64 or for float32. */
export const within = (engine: AnyEngine, f64: number, f32: number): number =>
  engine.device.info.precision === 'f64' ? f64 : f32

export const at = (array: ArrayLike<number>, n: number): number => array[n] as number

/** The largest difference between two sets of numbers. */
export const farthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, n) => Math.abs(x - at(b, n))))

export const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length
