/**
 * Waiting without blocking the page.
 *
 * @module
 */

/** Milliseconds per frame of a page. */
export const frame = 16

/** Resolves after all tasks that are already waiting; a timer would take 4 ms longer. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
