/** Typed arrays within JSON, for a file that holds a snapshot. */

type Stored = { readonly array: string; readonly base64: string }
const arrayTypes = { Float32Array, Float64Array, Uint32Array, Int32Array } as const

export function toText(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    ArrayBuffer.isView(part) ? { array: part.constructor.name, base64: base64Of(bytesOf(part)) } : part,
  )
}

/** @throws SyntaxError if the text is not JSON */
export function fromText(text: string): unknown {
  return JSON.parse(text, (_, part) => {
    if (!isStored(part)) return part
    const type = arrayTypes[part.array as keyof typeof arrayTypes]
    return new type(bytesFrom(part.base64).buffer)
  })
}

const isStored = (part: unknown): part is Stored =>
  typeof part === 'object' && part !== null && 'base64' in part && 'array' in part && String(part.array) in arrayTypes

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

export const bytesFrom = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
