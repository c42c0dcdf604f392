/**
 * Whose fault a failure is: the work's, or that of a context which is lost and does not know it yet.
 *
 * When the GPU process of a browser ends, `isContextLost` says so only in a later task. Until then every question is answered
 * as if the work were wrong: a framebuffer is incomplete, a shader did not compile, an object is null. So nothing that fails
 * is believed before the loss had time to be told and the context has given back something else.
 *
 * @module
 */
import { DeviceLostError, UnsupportedWorkloadError } from '@manybody/core'
import type { GlHost } from './host.ts'
import { pause } from './wait.ts'

/** Milliseconds after which it is asked again whether the context is lost: a crash is told within a few tasks. */
const turns = [0, 0, 10, 20]

/** Milliseconds between questions to a context that does not answer, and how many to ask. */
const interval = 20
const questions = 50

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
    await settled(host)
    host.check()
    throw error
  }
}

/** Resolves when the context is known to be lost or known to work. */
async function settled(host: GlHost): Promise<void> {
  for (const turn of turns) {
    await pause(turn)
    if (host.isOver()) return
  }
  for (let n = 0; n < questions; n++) {
    if (host.answers()) return
    await pause(interval)
    if (host.isOver()) return
  }
  host.giveUp({
    reason: 'its WebGL context no longer answers',
    remedy: 'open the device again; if it happens again, restart the browser or use another backend',
  })
}
