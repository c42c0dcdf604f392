/**
 * The sources of readers: text or bytes that arrive in pieces, so that a file need not fit in memory.
 *
 * @module
 */
import { requireBytes, unexpected } from './checks.ts'
import { FileFormatError } from './file-format-error.ts'

type Piece = string | Uint8Array
/** A text or its bytes, the chunks of a file (`fs.createReadStream(path)`), or the body of a response (`(await fetch(url)).body`). */
export type FileSource = Piece | Iterable<Piece> | AsyncIterable<Piece> | ReadableStream<Piece>

/** How many characters or bytes a reader takes at a time. */
const longestPiece = 65_536

/** The longest line of a text file, in characters. A file without line ends is not a file of points, whatever its length. */
const longestLine = 2 ** 24

/** The pieces in order. @throws TypeError for anything else */
export async function* piecesOf(source: FileSource): AsyncGenerator<Piece> {
  if (isPiece(source)) yield present(source)
  else
    for await (const piece of streamOf(source)) {
      if (!isPiece(piece)) throw unexpected('source', 'text or bytes in each piece', piece)
      yield present(piece)
    }
}

const isPiece = (piece: unknown): piece is Piece => typeof piece === 'string' || piece instanceof Uint8Array

function present(piece: Piece): Piece {
  if (typeof piece !== 'string') requireBytes(piece, 'source')
  return piece
}

/** Not every browser iterates over streams. */
async function* streamOf(source: Exclude<FileSource, Piece>): AsyncGenerator<unknown> {
  const object = Object(source) as Partial<AsyncIterable<unknown> & Iterable<unknown>>
  if (ArrayBuffer.isView(source)) throw unexpected('source', 'text, or bytes as Uint8Array', source)
  if (object[Symbol.asyncIterator] ?? object[Symbol.iterator]) yield* source as AsyncIterable<unknown>
  else if (typeof (source as Partial<ReadableStream> | undefined)?.getReader !== 'function')
    throw unexpected('source', 'a text, bytes, or a stream of them', source)
  else {
    const reader = (source as ReadableStream<unknown>).getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    } finally {
      await reader.cancel()
    }
  }
}

/** The text of a file in short pieces, without a byte order mark. */
async function* textsOf(source: FileSource): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let marked = true
  for await (const piece of piecesOf(source))
    for (let at = 0; at < piece.length; at += longestPiece) {
      const text: string =
        typeof piece === 'string'
          ? piece.slice(at, at + longestPiece)
          : decoder.decode(piece.subarray(at, at + longestPiece), { stream: true })
      if (text === '') continue
      yield marked && text.startsWith('\uFEFF') ? text.slice(1) : text
      marked = false
    }
  yield decoder.decode()
}

/**
 * The lines of a text without their ends. They come in groups, as they arrive: waiting for each line would take longer than reading it. A
 * line ends in a line feed, a carriage return, or both. An empty line at the end is dropped.
 *
 * @throws {@link FileFormatError} for a line that is too long
 */
export async function* linesOf(source: FileSource, format: string): AsyncGenerator<readonly string[]> {
  // The beginning of a line that has not ended. To join it with each piece would take quadratic time.
  let begun: string[] = []
  let length = 0
  let line = 1
  // Whether the last character was a carriage return, which may be half of a line end.
  let returned = false
  for await (const piece of textsOf(source)) {
    const text: string = returned ? `\r${piece}` : piece
    returned = text.endsWith('\r')
    const whole = returned ? text.slice(0, -1) : text
    const lines = (whole.includes('\r') ? whole.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : whole).split('\n')
    const rest = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = begun.join('') + lines[0]
      ;[begun, length] = [[], 0]
    }
    begun.push(rest)
    length += rest.length
    if (length > longestLine)
      throw new FileFormatError(
        format,
        `line ${line + lines.length}`,
        `expected a line of at most ${longestLine} characters, got a longer one`,
      )
    line += lines.length
    if (lines.length > 0) yield lines
  }
  const last = begun.join('')
  if (last !== '' || returned) yield [last]
}
