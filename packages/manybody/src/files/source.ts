/**
 * What readers read: text or bytes that arrive in pieces, so that a file need not fit in memory.
 *
 * @module
 */

type Piece = string | Uint8Array
/** A text or its bytes, the chunks of a file (`fs.createReadStream(path)`), or the body of a response (`(await fetch(url)).body`). */
export type FileSource = Piece | Iterable<Piece> | AsyncIterable<Piece> | ReadableStream<Piece>

/** The pieces in order. Not every browser iterates over streams. @throws TypeError for anything else */
export async function* piecesOf(source: FileSource): AsyncGenerator<Piece> {
  if (typeof source === 'string' || source instanceof Uint8Array) yield source
  else if (typeof source !== 'object' || source === null)
    throw new TypeError(`"source" expected a text, bytes, or a stream of them, got ${source}`)
  else if (Symbol.asyncIterator in source || Symbol.iterator in source) yield* source
  else {
    const reader = (source as ReadableStream<Piece>).getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    } finally {
      await reader.cancel()
    }
  }
}

/** The lines of a text without their ends. An empty line at the end is none. */
export async function* linesOf(source: FileSource): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of piecesOf(source)) {
    const lines = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest.replace(/\r$/, '')
}
