/**
 * The engine of a function that takes one, such as `weightedMean`.
 *
 * @module
 */
import { unexpected } from '../../ground/checks.ts'
import type { Engine } from '../engine.ts'

/** @throws TypeError for anything that cannot run workloads */
export function requireEngine(value: unknown): void {
  const { run, device } = Object(value) as Partial<Engine>
  if (typeof run !== 'function' || typeof device?.info !== 'object')
    throw unexpected('engine', 'what createEngine() gave', value)
}
