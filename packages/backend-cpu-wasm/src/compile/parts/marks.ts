/**
 * Marks the pairs of a tile to leave out: a point with itself, and explicit exclusions. The mask has one register for each
 * source and register of targets. Most tiles have no marks, and run without a mask.
 *
 * The sources of a tile are consecutive here. `listed-marks.ts` has lists.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'

export interface MarkOptions {
  readonly writer: ModuleWriter
  /** Number of targets in the tile. */
  readonly targets: number
  readonly skipSelf: boolean
  readonly exclusions: boolean
}

/** Bytes of the mask of a tile. */
export const maskBytes = ({ writer, targets }: Pick<MarkOptions, 'writer' | 'targets'>): number =>
  targets * writer.tile * writer.vector.bytes

/**
 * Adds `mark(block, cursors, first, source, count, mask)`. It marks the pairs to leave out between the targets from `first` and
 * `count` sources from `source`, both counted within the run. It returns whether there are any.
 *
 * `cursors` contains a position for each target of the tile, in its list of excluded sources.
 */
export function defineMark({ writer, targets, skipSelf, exclusions }: MarkOptions): Callable {
  const parameters = integers('block', 'cursors', 'first', 'source', 'count', 'mask')
  return writer.module.define('mark', parameters, 'i32', (code, { block, cursors, first, source, count, mask }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targetCount, targetFirst, sourceFirst] = [slot('targetCount'), slot('targetFirst'), slot('sourceFirst')]
    const { marked, leaveOut } = marksIn(code, { writer, targets }, mask, count)
    const base = value(code)`
      let base = ${sourceFirst} + ${source}
      base`
    /** Leaves out a source, counted from the first of the tile, if the tile has so many. */
    const leave = (code: FunctionBuilder, target: Node, j: Node) => write(code)`
      if ${j} as i32 < ${count} { ${leaveOut}(${target}, ${j}) }`
    if (skipSelf)
      write(code)`
        // Tests whether the targets overlap the sources: the last target is not before them, and the first not after them.
        if ${targetFirst} + ${first} + ${targets - 1} - ${base} as i32 < ${count} + ${targets - 1} {
          for target in 0..${targets} {
            let number = ${first} + target
            if number < ${targetCount} {
              let i = ${targetFirst} + number
              let j = i - ${base}
              ${leave}(target, j)
            }
          }
        }`
    if (exclusions) {
      const [offsets, list] = [slot('exclusionOffsets'), slot('exclusionSources')]
      /** Leaves out the source at a cursor, and sets whether the next may be in the tile. */
      const leaveAt = (code: FunctionBuilder, target: Node, cursor: Node, end: Node, here: Node) => write(code)`
        ${here} = 0
        if ${cursor} as i32 < ${end} {
          let j = i32[${list} + ${cursor} * 4] - ${base}
          ${leave}(${target}, j)
          ${here} = i32.lt_s(j, ${count})
        }`
      write(code)`
        for target in 0..${targets} {
          let number = ${first} + target
          if number < ${targetCount} {
            let i = ${targetFirst} + number
            var cursor: i32
            let place = ${cursors} + target * 4
            let end = i32[${offsets} + i * 4 + 4]
            var here: i32
            cursor = i32[place]
            ${leaveAt}(target, cursor, end, here)
            while here {
              cursor += 1
              ${leaveAt}(target, cursor, end, here)
            }
            i32[place] = cursor
          }
        }`
    }
    write(code)`return ${marked}`
  })
}

/**
 * The marks of a tile of `sources` sources: `leaveOut` marks a target with the n-th source; `marked` tells whether any pair is
 * marked.
 */
export function marksIn(
  code: FunctionBuilder,
  { writer, targets }: Pick<MarkOptions, 'writer' | 'targets'>,
  mask: Node,
  sources: Node,
): { readonly marked: Node; readonly leaveOut: (code: FunctionBuilder, target: Node, n: Node) => void } {
  const { bytes, whole } = writer.vector
  const marked = value(code)`
    var marked: i32
    marked`
  const leaveOut = (code: FunctionBuilder, target: Node, n: Node) => write(code)`
    scalar whole = ${whole}
    if !${marked} {
      memory.fill(${mask}, 0, ${sources} * ${targets * bytes})
      ${marked} = 1
    }
    whole[${mask} + (${n} * ${targets} + ${target}) * ${bytes}] = -1`
  return { marked, leaveOut }
}

/** Sets the cursor of each target of a tile to the start of its list. */
export function startCursors(
  { writer, targets }: MarkOptions,
  code: Parameters<ModuleWriter['slot']>[0],
  { block, cursors, first }: { readonly block: Node; readonly cursors: Node; readonly first: Node },
): void {
  const offsets = writer.slot(code, block, 'exclusionOffsets')
  const [targetCount, targetFirst] = [writer.slot(code, block, 'targetCount'), writer.slot(code, block, 'targetFirst')]
  write(code)`
    for target in 0..${targets} {
      let number = ${first} + target
      if number < ${targetCount} {
        i32[${cursors} + target * 4] = i32[${offsets} + (${targetFirst} + number) * 4]
      }
    }`
}
