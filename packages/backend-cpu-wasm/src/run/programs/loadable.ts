/**
 * A design of a file, as the runtime loads it: the bytes of its module, over the memory that there is.
 *
 * @module
 */
import type { FiledDesign } from '../../design/compiled.ts'
import type { ProgramDesign } from '../../design/design.ts'
import { bytesFrom } from '../../design/module-text.ts'

export const loadable = (filed: FiledDesign, shared: boolean): ProgramDesign => ({
  ...filed,
  module: moduleFrom(filed.module, shared),
})

/** `env.memory`, imported without a maximum and not shared: as `wasm/encode.ts` writes it, from its name on. */
const alone = [6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 0]
/** The same memory, shared, with as many pages as there can be. */
const together = [6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 0, 0x80, 0x80, 4]

/** The bytes of a module. Only its import tells whether the memory is shared. */
function moduleFrom(text: string, shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = bytesFrom(text)
  if (!shared) return bytes
  const at = bytes.findIndex((_, n) => alone.every((byte, k) => bytes[n + k] === byte))
  // The section of imports has one import, so the size of the section is one byte, before the number of imports and `env`.
  const sizeAt = at - 6
  const longer = together.length - alone.length
  const module = new Uint8Array(bytes.length + longer)
  module.set(bytes.subarray(0, at))
  module.set(together, at)
  module.set(bytes.subarray(at + alone.length), at + together.length)
  module[sizeAt] = (bytes[sizeAt] as number) + longer
  return module
}
