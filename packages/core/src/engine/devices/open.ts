/**
 * Opens the device of an engine, and prepares the choice of another one for short calls.
 *
 * @module
 */
import type { Backend } from '../../contract/backend.ts'
import { programKey } from '../program-key.ts'
import { Programs } from '../programs.ts'
import { type CandidateOptions, type Chosen, choose, type Losses } from './candidates.ts'
import type { Crossover } from './crossover.ts'

export interface DeviceOptions extends CandidateOptions {
  /**
   * Whether short calls may run on the processor, if measured calls show that it answers sooner than the engine's graphics device;
   * by default they may. Results then differ by rounding between devices.
   */
  readonly crossover?: boolean
}

/** The options of an engine that choose its device, and the candidates. */
export type DeviceChoice = DeviceOptions & { readonly backends: readonly Backend[] }

/** The device, and perhaps another one for short calls. */
export interface Opened extends Chosen {
  readonly crossover?: Crossover | undefined
}

/** @throws as `choose` */
export async function open(options: DeviceChoice, losses?: Losses): Promise<Opened> {
  const chosen = await choose(options.backends, options, losses)
  const { device, selection } = chosen
  const other = selection.verdicts.find(({ outcome, kind }) => outcome === 'available' && kind === 'cpu')
  const { backend = 'auto', crossover: wanted = true } = options
  if (!wanted || backend !== 'auto' || device.info.kind === 'cpu' || !other) return chosen
  // The device is open, and works without a choice.
  const { Crossover } = (await import('./crossover.ts').catch(() => undefined)) ?? {}
  if (!Crossover) return chosen
  // The requirements on the engine's device hold for the other one, too.
  const opened = () => choose(options.backends, { ...options, backend: other.backend })
  const crossover = new Crossover(device.info, async () => new Programs((await opened()).device), programKey)
  return { ...chosen, crossover }
}
