/**
 * A worker's description of itself, checked: anybody on the server may send anything.
 *
 * @module
 */
import type { DeviceInfo, DeviceKind, Precision } from '@manybody/core'
import type { Address } from './address.ts'
import { messageIn } from './message.ts'

export interface WorkerInfo extends Pick<DeviceInfo, 'backend' | 'name' | 'kind'> {
  readonly protocol: number
  /** Its address, for which the server vouches. */
  readonly id: Address
  readonly precisions: readonly Precision[]
  /** Calls that wait or run. */
  readonly calls: number
}

const kinds: readonly unknown[] = ['hardware', 'software', 'cpu'] satisfies DeviceKind[]
const precisions: readonly unknown[] = ['f32', 'f64'] satisfies Precision[]

/** The longest name of a device. */
const longestName = 120

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Replaces characters that a terminal would not print as they are. */
export const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e\xa0-\uffff]|[\x80-\x9f\u2028-\u202e\u2066-\u2069]/g, '?')

/** Reads a worker's description of itself. Undefined if it is malformed. */
export function infoIn(data: Uint8Array, id: Address): WorkerInfo | undefined {
  const { protocol, backend, name, kind, precisions: offered, calls } = messageIn(data)?.header ?? {}
  if (!isCount(protocol) || !isCount(calls) || !kinds.includes(kind)) return undefined
  if (!isName(backend) || !isName(name)) return undefined
  if (!Array.isArray(offered) || !offered.every((one) => precisions.includes(one))) return undefined
  return {
    protocol,
    id,
    backend: printable(backend),
    name: printable(name),
    kind: kind as DeviceKind,
    precisions: offered,
    calls,
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= longestName
