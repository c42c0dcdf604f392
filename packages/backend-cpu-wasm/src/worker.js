/**
 * A worker thread: takes part in every job that it has the program for, and sleeps between them.
 *
 * Messages bring programs; jobs come through shared memory alone. Because a thread that waits cannot receive messages,
 * the pool counts what it posts: a worker that has received less goes back to its event loop first.
 */
import { entry, workOnce } from './claims.js'

/** Milliseconds to look for a next job before going to sleep: waking costs about as long. */
const patience = 0.05

const port = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort ?? globalThis
const programs = new Map()
let shared
let thread = 0
let received = 0

function serve() {
  const { control } = shared
  for (;;) {
    const generation = Atomics.load(control, entry.generation)
    if (Atomics.load(control, entry.mail + thread) !== received) return
    while (workOnce(shared, programs, thread));
    const until = performance.now() + patience
    while (Atomics.load(control, entry.generation) === generation && performance.now() < until);
    Atomics.add(control, entry.sleepers, 1)
    Atomics.wait(control, entry.generation, generation)
    Atomics.sub(control, entry.sleepers, 1)
  }
}

port.onmessage = ({ data }) => {
  received++
  if (data.start) ({ shared, thread } = data.start)
  if (data.add) {
    const { id, module, memory } = data.add
    programs.set(id, Object.values(new WebAssembly.Instance(module, { env: { memory } }).exports))
  }
  if (data.drop !== undefined) programs.delete(data.drop)
  serve()
}
