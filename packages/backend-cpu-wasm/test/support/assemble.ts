/** The WebAssembly Binary Toolkit, an independent assembler. It checks that printed text is valid and matches the encoded module. */
import loadWabt from 'wabt'

const wabt = await loadWabt()
const features = { relaxed_simd: true, threads: true }

/** The bytes of a module in the text format. @throws if the text is not valid */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const module = wabt.parseWat('module.wat', text, features)
  try {
    module.validate()
    return Uint8Array.from(module.toBinary({}).buffer)
  } finally {
    module.destroy()
  }
}

/** The text of a binary module without names and types: equal for modules of equal instructions. */
export function disassemble(bytes: Uint8Array): string {
  const module = wabt.readWasm(bytes, { ...features, readDebugNames: false })
  try {
    return module.toText({ inlineExport: true }).replaceAll(/ *\(type (\d+|\(;.*)\)\n?/g, '')
  } finally {
    module.destroy()
  }
}
