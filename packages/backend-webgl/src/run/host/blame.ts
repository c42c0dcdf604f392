/**
 * Tells whether work failed by itself, or because the context was lost.
 *
 * A lost context can blame the work for a while (`late-loss.ts`). So no error is passed on before the loss had time to be
 * reported, and before the context has proved that it still answers.
 *
 * @module
 */
import { DeviceLostError, UnsupportedWorkloadError } from '@manybody/core/backend'
import { conditionOf } from '../../quirks/late-loss.ts'
import type { GlHost } from './host.ts'
import { pause } from './wait.ts'

/**
 * Runs work that uses the context. Everything that a caller of the device can await goes through here.
 *
 * @throws {@link DeviceLostError} instead of the work's error, if the context is lost or no longer answers
 */
export async function blamingLoss<T>(host: GlHost, work: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const told = error instanceof DeviceLostError || error instanceof UnsupportedWorkloadError
    if (told || signal?.aborted) throw error
    if ((await conditionOf(host, pause)) === 'silent')
      host.giveUp({
        reason: 'its WebGL context no longer answers',
        remedy: 'open the device again; if it happens again, restart the browser or use another backend',
      })
    host.check()
    throw error
  }
}
