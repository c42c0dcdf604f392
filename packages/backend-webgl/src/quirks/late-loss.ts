/**
 * When the GPU process of a browser ends (seen: Chromium 147), `isContextLost` says so only in a later task. Until then every
 * question is answered as if the work were wrong: a framebuffer is incomplete, a shader did not compile, an object is null.
 *
 * `packages/backend-webgl/test/loss.browser.ts` shows it. Goes when browsers tell of a loss before they answer otherwise.
 *
 * @module
 */

/** Milliseconds after which it is asked again whether the context is lost: a crash is told within a few tasks. */
const turns = [0, 0, 10, 20]

/** Milliseconds between questions to a context that does not answer, and how many to ask. */
const interval = 20
const questions = 50

export interface Context {
  /** Whether it is known to be lost. */
  isOver(): boolean
  /** Whether it gives back something else than before. */
  answers(): boolean
}

/** Whether a context is lost, works or does neither, once that had time to be told. */
export async function conditionOf(
  context: Context,
  pause: (milliseconds: number) => Promise<void>,
): Promise<'lost' | 'works' | 'silent'> {
  for (const turn of turns) {
    await pause(turn)
    if (context.isOver()) return 'lost'
  }
  for (let n = 0; n < questions; n++) {
    if (context.answers()) return 'works'
    await pause(interval)
    if (context.isOver()) return 'lost'
  }
  return 'silent'
}
