/**
 * Letting the page go on.
 *
 * @module
 */

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

/** Long enough that asking again costs little. Not set by a timer, as timers set by timers wait 4 ms. */
export async function pause(): Promise<void> {
  await nextTask()
  await new Promise((resolve) => setTimeout(resolve, 1))
}
