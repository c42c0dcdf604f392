/**
 * Whose fault a failure is: the work's, or that of a context which is lost and does not know it yet.
 *
 * A context may answer for a while as if the work were wrong (`late-loss.ts`). So nothing that fails is believed before the
 * loss had time to be told and the context has given back something else.
 *
 * @module
 */
import { DeviceLostError, UnsupportedWorkloadError } from '@manybody/core'
import { conditionOf } from '../quirks/late-loss.ts'
import type { GlHost } from './host.ts'
import { pause } from './wait.ts'

/**
 * Does work that asks the context: everything that a caller of the device can await.
 *
 * @throws {@link DeviceLostError} if the context is lost or no longer answers, whatever the work threw
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
