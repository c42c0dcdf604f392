/**
 * XYZ files: the number of points, a comment, then a symbol and three coordinates for each point; and the same again for each
 * further frame. Further columns are ignored.
 *
 * @module
 */
import { FileFormatError, numberIn } from './file-format-error.ts'
import { type FileSource, linesOf } from './source.ts'

export interface XyzFrame {
  readonly comment: string
  /** One for each point, such as `O`. */
  readonly symbols: readonly string[]
  /** `[count, 3]` */
  readonly position: Float64Array
}

/** The frames of a file, one after the other. @throws {@link FileFormatError} with the line */
export async function* readXyz(source: FileSource): AsyncGenerator<XyzFrame, void> {
  const lines = linesOf(source)
  let line = 0
  const next = async (what: string): Promise<string> => {
    const { value, done } = await lines.next()
    line++
    if (done) throw new FileFormatError('XYZ', `line ${line}`, `expected ${what}, got the end of the file`)
    return value
  }
  try {
    for (;;) {
      const first = await lines.next()
      line++
      if (first.done) return
      if (first.value.trim() === '') continue
      const count = numberIn(first.value.trim(), 'number of points', 'XYZ', line)
      if (!Number.isSafeInteger(count) || count < 0)
        throw new FileFormatError('XYZ', `line ${line}`, `"number of points" expected integer >= 0, got ${count}`)
      const comment = await next('a comment')
      const symbols: string[] = []
      const position: number[] = []
      for (let n = 0; n < count; n++) {
        const [symbol = '', ...numbers] = (await next(`point ${n + 1} of ${count}`)).trim().split(/\s+/)
        symbols.push(symbol)
        for (const axis of [0, 1, 2]) position.push(numberIn(numbers[axis], 'xyz'[axis] as string, 'XYZ', line))
      }
      yield { comment, symbols, position: Float64Array.from(position) }
    }
  } finally {
    await lines.return(undefined)
  }
}

/** One frame as text. Append the texts of several frames to make a film. Symbols are `X` if there are none. */
export function writeXyz(frame: {
  readonly position: ArrayLike<number>
  readonly symbols?: readonly string[]
  readonly comment?: string
}): string {
  const { position, symbols, comment = '' } = frame
  const count = position.length / 3
  if (!Number.isInteger(count))
    throw new RangeError(`"position" expected three numbers per point, got ${position.length} numbers`)
  if (symbols && symbols.length !== count)
    throw new RangeError(`"symbols" expected length ${count}, one per point, got ${symbols.length}`)
  const lines = Array.from({ length: count }, (_, n) => {
    const [x, y, z] = [position[3 * n], position[3 * n + 1], position[3 * n + 2]]
    return `${symbols?.[n] ?? 'X'} ${x} ${y} ${z}\n`
  })
  return `${count}\n${comment.replace(/[\r\n]+/g, ' ')}\n${lines.join('')}`
}
