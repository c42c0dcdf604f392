/**
 * A worker thread. With shared memory it takes part in the jobs of all programs that it has, and sleeps between jobs. Without
 * shared memory it does the tasks that it receives.
 *
 * With shared memory, messages bring only programs; jobs come through the memory. A sleeping thread cannot receive messages, so
 * the pool counts its posts. A worker that has received fewer messages returns to its event loop first.
 *
 * @module
 */

import { pageBytes } from '../../design/memory-sizes.ts'
import { seeGrowth } from '../quirks/grown-memory.ts'
import { entry, type Phases, type Shared, workOnce } from './claims.ts'
import type { Answer, WorkerMessage, WorkerTask } from './messages.ts'

/** Milliseconds to look for the next job before going to sleep: about as long as the host takes between two calls in a row. */
const patience = 0.5

interface Port {
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null
  postMessage(answer: Answer, transfer?: readonly ArrayBuffer[]): void
}

interface Platform {
  readonly process?: { getBuiltinModule?(id: string): { readonly parentPort: Port | null } }
  readonly postMessage?: unknown
}

const { process, postMessage } = globalThis as unknown as Platform
// Threads of Node have a port. Elsewhere the global scope acts as the port.
const port = (typeof postMessage === 'function'
  ? globalThis
  : process?.getBuiltinModule?.('node:worker_threads').parentPort) as unknown as Port

const programs = new Map<number, Phases>()
/** The shared memories of programs. */
const memories = new Map<number, WebAssembly.Memory>()
/** The memory of tasks. */
let own: WebAssembly.Memory | undefined
let seat: { readonly shared: Shared; readonly thread: number } | undefined
let received = 0

function reportFailure(error: unknown): void {
  port.postMessage({ failed: String(error) })
}

function prepare(program: number, pages: number): void {
  const memory = memories.get(program)
  if (memory) seeGrowth(memory, pages * pageBytes)
}

function serve(): void {
  if (!seat) return
  const { shared, thread } = seat
  const { control } = shared
  for (;;) {
    const generation = Atomics.load(control, entry.generation)
    if (Atomics.load(control, entry.posted + thread) !== received) return
    while (workOnce(shared, programs, thread, reportFailure, prepare));
    const until = performance.now() + patience
    while (Atomics.load(control, entry.generation) === generation && performance.now() < until);
    Atomics.add(control, entry.sleepers, 1)
    Atomics.wait(control, entry.generation, generation)
    Atomics.sub(control, entry.sleepers, 1)
  }
}

function ownMemory(): WebAssembly.Memory {
  own ??= new WebAssembly.Memory({ initial: 1 })
  return own
}

function run({ program, memoryBytes, parts, calls, take }: WorkerTask): void {
  const memory = ownMemory()
  const missing = memoryBytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  const all = new Uint8Array(memory.buffer)
  for (const { address, bytes } of parts) all.set(bytes, address)
  for (const { phase, block, scratch, first, last } of calls)
    programs.get(program)?.[phase]?.(block, scratch, first, last)
  const results = take.map(({ address, length }) => ({ address, bytes: all.slice(address, address + length) }))
  port.postMessage(
    { parts: results },
    results.map(({ bytes }) => bytes.buffer),
  )
}

port.onmessage = ({ data: { start, add, drop, task } }) => {
  received++
  if (start) seat = start
  if (add) {
    const { exports } = new WebAssembly.Instance(add.module, { env: { memory: add.memory ?? ownMemory() } })
    if (add.memory) memories.set(add.id, add.memory)
    programs.set(add.id, Object.values(exports) as unknown as Phases)
  }
  if (drop !== undefined) {
    programs.delete(drop)
    memories.delete(drop)
  }
  if (task)
    try {
      run(task)
    } catch (error) {
      reportFailure(error)
    }
  serve()
}
port.postMessage('ready')
