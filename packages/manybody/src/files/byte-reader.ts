/**
 * Reads a fixed number of bytes at a time from pieces of any size. It allocates memory for bytes that have arrived, never for bytes that a
 * header promises.
 *
 * @module
 */
import { FileFormatError } from './file-format-error.ts'
import { type FileSource, piecesOf } from './source.ts'

export class ByteReader {
  /** Bytes read so far. */
  at = 0
  readonly #format: string
  readonly #pieces: AsyncGenerator<string | Uint8Array>
  #piece: Uint8Array = new Uint8Array()

  constructor(source: FileSource, format: string) {
    this.#format = format
    this.#pieces = piecesOf(source)
  }

  /** The next bytes, or fewer at the end of the file. */
  async upTo(bytes: number): Promise<DataView> {
    const copy = new Uint8Array(bytes)
    let filled = 0
    while (filled < bytes && (await this.#more())) {
      const part = this.#piece.subarray(0, bytes - filled)
      copy.set(part, filled)
      this.#piece = this.#piece.subarray(part.length)
      filled += part.length
      this.at += part.length
    }
    return new DataView(copy.buffer, 0, filled)
  }

  /** Ends the source. @throws {@link FileFormatError} if there are more bytes */
  async end(): Promise<void> {
    if (await this.#more()) throw this.fault('expected the end of the file, got more bytes')
  }

  /** Releases the source, whether it has ended or not. */
  async close(): Promise<void> {
    await this.#pieces.return(undefined)
  }

  /** An error at a byte, by default the next one. */
  fault(reason: string, at: number = this.at): FileFormatError {
    return new FileFormatError(this.#format, `byte ${at}`, reason)
  }

  /** Whether there are more bytes. */
  async #more(): Promise<boolean> {
    while (this.#piece.length === 0) {
      const { value, done } = await this.#pieces.next()
      if (done) return false
      if (typeof value === 'string') throw this.fault('expected bytes, got text')
      this.#piece = value
    }
    return true
  }
}
