/**
 * The messages between the page and the work: computing and drawing. Both sides ask in the same way, with a name, arguments and an answer.
 * All of these can be cloned.
 */

import type { SimulationState, Verdict, Verification } from 'manybody'
import type { Frame } from '../drawing/screen.ts'
import type { View } from '../drawing/staging.ts'
import type { Doing, Row } from '../running/check.ts'
import type { Drift } from '../running/drift.ts'
import type { StepWork } from '../running/session.ts'
import type { SentSetup, SetupChange } from '../running/setup.ts'

/** The requests of the page. Requests about a run have the answer `undefined` if none has begun. */
export interface Work {
  /** Whether this place can do everything that the page can. @param webgpu whether the page has WebGPU */
  ready(webgpu: boolean): Promise<boolean>
  view(view: View): Promise<void>
  /** Shows the bodies of a setup before anything computes. */
  preview(setup: SentSetup): Promise<void>
  /** Starts over, or continues from a state. @param fitting whether the number of bodies follows the speed of the device */
  start(setup: SentSetup, fitting: boolean, state?: SimulationState): Promise<void>
  /** Continues the same bodies with another law, on another backend, or backwards. */
  change(part: SetupChange): Promise<void>
  /** Whether steps are taken between pictures. */
  run(running: boolean): Promise<void>
  /** Takes these steps at once. */
  advance(steps: number): Promise<void>
  snapshot(): Promise<{ readonly setup: SentSetup; readonly state: SimulationState } | undefined>
  /** All backends, and why each was chosen or not. */
  selection(): Promise<readonly Verdict[] | undefined>
  verify(): Promise<Verification | undefined>
  /** Calls `Page.compared` for each backend before it answers. */
  compare(): Promise<void>
  /** Ends a comparison that is under way. */
  stopComparing(): Promise<void>
  /** The code that was generated from the law. */
  texts(): Promise<readonly Text[] | undefined>
}

export interface Text {
  readonly title: string
  readonly text: string
}

/** A run, as the page shows it. */
export interface Shown {
  readonly setup: SentSetup
  readonly backend: string
  readonly device: string
  readonly steps: number
  readonly stepWork: StepWork
  /** The losses of devices that the run has survived, in words. */
  readonly recoveries: readonly string[]
}

interface Stepped {
  /** Steps since the start. */
  readonly steps: number
  /** Steps just taken, and their milliseconds. */
  readonly taken: number
  readonly milliseconds: number
}

/** The messages and requests for the page. */
export interface Page extends Frame {
  /** Another run has begun, or its bodies have moved to another device. */
  session(shown: Shown): void | Promise<void>
  stepped(stepped: Stepped): void | Promise<void>
  drift(drift: Drift): void | Promise<void>
  compared(row: Row | Doing): void | Promise<void>
  /** The run is paused, because of this error. */
  failed(message: string): void | Promise<void>
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Message =
  | { readonly id: number; readonly ask: string; readonly args: readonly unknown[] }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }

/** A worker for the page, or the page for a worker. */
export interface Port {
  postMessage(message: Message, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Message>) => void): void
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** A canvas belongs to one thread, so it is transferred. Everything else is cloned. */
const handedOver = (value: unknown): Transferable[] =>
  typeof OffscreenCanvas !== 'undefined' && value instanceof OffscreenCanvas ? [value] : []

/**
 * Connects one side of a port. `theirs` has every method of the other side: call one and await its answer. `answer` takes the object that
 * answers the other side; until then, requests wait.
 */
export function connected<Theirs extends object, Ours extends object>(
  port: Port,
): { readonly theirs: Theirs; answer(ours: Ours): void } {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let asked = 0
  let begin: (ours: Ours) => void = () => {}
  const answering = new Promise<Ours>((resolve) => {
    begin = resolve
  })
  async function reply(id: number, ask: string, args: readonly unknown[]): Promise<void> {
    try {
      const value = await ((await answering) as Methods)[ask]?.(...args)
      port.postMessage({ id, value }, handedOver(value))
    } catch (error) {
      port.postMessage({ id, error: messageOf(error) }, [])
    }
  }
  port.addEventListener('message', ({ data }) => {
    if ('ask' in data) return void reply(data.id, data.ask, data.args)
    const asker = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) asker?.reject(new Error(data.error))
    else asker?.resolve(data.value)
  })
  const theirs = new Proxy({} as Theirs, {
    get: (_, ask) => (ask === 'then' ? undefined : (...args: readonly unknown[]) => request(String(ask), args)),
  })
  const request = (ask: string, args: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const id = ++asked
      waiting.set(id, { resolve, reject })
      port.postMessage({ id, ask, args }, [])
    })
  return { theirs, answer: begin }
}
