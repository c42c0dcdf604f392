/**
 * The passes of a transform of lines as a table in memory.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { lineOf } from '@manybody/core/far'
import { numberBytes, passBytes } from '../../design/grid-layout.ts'
import type { Memory } from '../host/memory.ts'

interface PassTable {
  readonly bytes: number
  /** Writes the table, and the factors behind it. */
  write(memory: Memory, address: number): void
}

export function passTable(length: number, precision: Precision): PassTable {
  const { passes } = lineOf(length)
  const bytes = numberBytes(precision)
  const factorBytes = passes.map(({ radix, groups }) => 2 * (radix - 1) * groups * bytes)
  const entries = (passes.length + 1) * passBytes
  return {
    bytes: entries + Math.ceil(factorBytes.reduce((all, one) => all + one, 0) / 16) * 16,
    write(memory, address) {
      const view = new DataView(memory.memory.buffer, address, entries)
      let at = address + entries
      for (const [n, { radix, groups, cos, sin }] of passes.entries()) {
        for (const [word, value] of [radix, groups, at].entries()) view.setUint32(n * passBytes + 4 * word, value, true)
        const factors = memory.numbers(precision, at, 2 * (radix - 1) * groups)
        let to = 0
        for (let group = 0; group < groups; group++)
          for (let b = 1; b < radix; b++) {
            factors[to++] = cos[group * radix + b] as number
            factors[to++] = sin[group * radix + b] as number
          }
        at += factorBytes[n] as number
      }
      view.setUint32(passes.length * passBytes, 0, true)
    },
  }
}
