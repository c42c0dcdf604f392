// Dawn in Node polls in every turn of the event loop while it waits for another thread. This keeps one processor busy, and takes half the
// time of a test on a software GPU. Here it polls once per millisecond. For `setupFiles`.

const { setImmediate: immediate } = globalThis

/** Dawn looks `setImmediate` up at each call, and is the only caller whose task is native. */
const isOfDawn = (task: unknown) => Function.prototype.toString.call(task).includes('[native code]')

const unhurried = (task: (...given: unknown[]) => void, ...given: unknown[]) =>
  isOfDawn(task) ? setTimeout(task, 1) : immediate(task, ...given)

// Each test file of a worker loads this file.
if (immediate.name !== unhurried.name)
  globalThis.setImmediate = Object.assign(unhurried, immediate) as unknown as typeof setImmediate
