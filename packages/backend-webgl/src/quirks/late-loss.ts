/**
 * When the GPU process of a browser ends (seen: Chromium 147), `isContextLost` turns true only in a later task. Until then
 * the work seems to be at fault: a framebuffer is incomplete, a shader did not compile, or an object is null.
 *
 * `packages/backend-webgl/test/browser/loss.browser.ts` shows it. Remove this when browsers report a loss before other errors.
 *
 * @module
 */

/** Milliseconds to wait before each check for a loss: browsers report a crash within a few tasks. */
const turns = [0, 0, 10, 20]

/** How often to ask a context that does not answer, and how many milliseconds apart. */
const interval = 20
const questions = 50

export interface Context {
  /** Whether the context is known to be lost. */
  isOver(): boolean
  /** Whether reading from the context works. */
  answers(): boolean
}

/** Whether a context is lost, works or does not answer, after giving the browser time to report a loss. */
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
