/**
 * Letting the page go on.
 *
 * @module
 */

/** Milliseconds for which a page shows one picture. */
export const frame = 16

/** After whatever else is waiting to run; a timer would wait 4 ms longer. */
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
