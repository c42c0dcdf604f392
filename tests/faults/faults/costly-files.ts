// Files of nothing but parts that cost the reader more than points do: frames, headers, names, blank lines, and the like.

import { readCsv, readXyz } from 'manybody/files'
import type { Fault, Outcome } from '../fault.ts'
import { refused } from '../work.ts'

/** Characters of a file. */
const length = 1e7

/** Milliseconds that a file may take: five times the aim, because the machine may be busy. */
const limit = 5000

const repeated = (text: string) => text.repeat(Math.ceil(length / text.length))

function counted(text: (n: number) => string): string {
  const parts: string[] = []
  for (let n = 0, left = length; left > 0; n++) {
    const part = text(n)
    parts.push(part)
    left -= part.length
  }
  return parts.join('')
}

async function frames(text: string): Promise<void> {
  for await (const frame of readXyz(text)) if (!frame.position) throw new Error('a frame has no positions')
}

const files: readonly (readonly [text: () => string, read: (text: string) => Promise<unknown>])[] = [
  [() => repeated('0\n\n'), frames],
  [() => repeated('1\n\nO 1 2 3\n'), frames],
  [() => repeated('0\n\n\n\n\n'), frames],
  [() => repeated('1\nProperties=species:S:1:pos:R:3 a=1\nO 1 2 3\n'), frames],
  [() => repeated('0\nLattice="1 1 1"\n'), frames],
  [() => counted((n) => `0\nProperties=pos:R:3:a${n}:R:1\n`), frames],
  [() => `0\nProperties=pos:R:3 ${counted((n) => `a${n}=1 `)}\n`, frames],
  [() => `0\nProperties=pos:R:3${counted((n) => `:a${n}:R:1`)}\n`, frames],
  [() => `0\nProperties=pos:R:3 comment="${repeated('\\"')}"\n`, frames],
  [() => repeated('\r'), frames],
  [() => repeated('7'), frames],
  [() => `x,y\n${repeated('1,2\n')}`, readCsv],
  [() => `x,y\n${repeated('\n')}`, readCsv],
  [() => `x,y\n${repeated('#\n')}`, readCsv],
  [() => `x,y\n${repeated('"1","2"\n')}`, readCsv],
  [() => `x,y\n"${repeated('\n')}"`, readCsv],
  [() => `x,y\n"${repeated('""')}"`, readCsv],
  [() => `x,y${repeated(',')}\n`, readCsv],
  [() => `x,y${counted((n) => `,a${n}`)}\n`, readCsv],
  [() => `x;y\n${repeated('1,5;2D0\n')}`, readCsv],
  [() => repeated('7'), readCsv],
]

export const costlyFiles: Fault = {
  name: 'costly files',
  how: `an XYZ or CSV file of 10 MB of nothing but frames, headers, names, blank lines, comments or quotes, one of ${files.length}`,
  async attempt(random): Promise<Outcome> {
    const n = Math.floor(files.length * random())
    const [text, read] = files[n] ?? [() => '', frames]
    const file = text()
    const start = performance.now()
    const outcome = await read(file).then(
      (): Outcome => ({ kind: 'correct', note: `file ${n}` }),
      (error: Error): Outcome =>
        error.name === 'FileFormatError' ? { kind: 'rejected', note: error.message } : refused(error),
    )
    const took = performance.now() - start
    return took > limit ? { kind: 'bad', note: `file ${n} took ${Math.round(took)} ms` } : outcome
  },
}
