/**
 * A message between coordinator and worker: a header of plain data, and bytes.
 *
 * Layout: the length of the header as a little-endian Uint32, the header as JSON in UTF-8, the bytes.
 *
 * @module
 */

export interface Message {
  readonly header: Readonly<Record<string, unknown>>
  readonly bytes: Uint8Array
}

/** The longest header that any message needs. A longer one is refused unread. */
const longestHeader = 64 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export function encode(header: object, bytes: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = encoder.encode(JSON.stringify(header))
  const message = new Uint8Array(4 + text.length + bytes.length)
  new DataView(message.buffer).setUint32(0, text.length, true)
  message.set(text, 4)
  message.set(bytes, 4 + text.length)
  return message
}

/** @throws RangeError, TypeError if the data is not a message */
export function decode(data: Uint8Array): Message {
  if (data.length < 4) throw new RangeError(`Cannot read message: expected at least 4 bytes, got ${data.length}`)
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true)
  if (length > longestHeader || 4 + length > data.length)
    throw new RangeError(`Cannot read message: its header of ${length} bytes does not fit ${data.length} bytes`)
  const header: unknown = JSON.parse(decoder.decode(data.subarray(4, 4 + length)))
  if (typeof header !== 'object' || header === null || Array.isArray(header))
    throw new TypeError('Cannot read message: expected an object as header')
  return { header: header as Message['header'], bytes: data.subarray(4 + length) }
}

/** Returns undefined if the data is not a message, so that malformed data from anybody ends nothing. */
export function messageIn(data: Uint8Array): Message | undefined {
  try {
    return decode(data)
  } catch {
    return undefined
  }
}
