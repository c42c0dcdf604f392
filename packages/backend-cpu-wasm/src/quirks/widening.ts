/**
 * 256-bit widening: asks V8 to make one register of twice the width of two that do the same.
 *
 * An experiment of V8 that Node 24 and later can switch on around one compilation. Pages cannot. V8 has one code for the same
 * bytes, so that a module has to differ to be compiled once more.
 *
 * `tests/environments/runtimes.test.ts` shows it in Node 24. Goes when V8 widens by itself.
 *
 * @module
 */

/** Node releases whose V8 widens well enough. */
const firstRelease = 24

const on = ['--experimental-wasm-revectorize', '--no-liftoff', '--no-wasm-lazy-compilation']
const off = ['--no-experimental-wasm-revectorize', '--liftoff', '--wasm-lazy-compilation']

interface V8 {
  setFlagsFromString(flag: string): void
}

interface NodeProcess {
  readonly versions?: { readonly node?: string; readonly bun?: string; readonly deno?: string }
  readonly arch?: string
  getBuiltinModule?(id: string): unknown
}

const hostProcess = () => (globalThis as { process?: NodeProcess }).process

/** Why nothing can be widened in this process, if so. */
export function noWidening(process: NodeProcess | undefined = hostProcess()): string | undefined {
  const { node, bun, deno } = process?.versions ?? {}
  if (!node || bun || deno) return 'widening is a switch of Node 24 or later, and this is not Node'
  if (Number.parseInt(node, 10) < firstRelease) return `widening needs Node 24 or later, and this is Node ${node}`
  if (process?.arch !== 'x64') return `V8 widens for x64 processors with AVX2, and this is ${process?.arch}`
  if (withoutAvx2(process)) return 'V8 widens for processors with AVX2, and this has none'
  return undefined
}

/** Whether the processor is known to lack AVX2; what only Linux tells. */
function withoutAvx2(process: NodeProcess | undefined): boolean {
  try {
    const files = process?.getBuiltinModule?.('node:fs') as { readFileSync(path: string, encoding: string): string }
    return !/^flags.*\bavx2\b/m.test(files.readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

/** Compiles with widening. Synchronous: the switches are those of the whole process. */
export function compileWidened(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  const v8 = hostProcess()?.getBuiltinModule?.('node:v8') as V8 | undefined
  if (!v8) throw new Error('this platform has no node:v8')
  for (const flag of on) v8.setFlagsFromString(flag)
  try {
    return new WebAssembly.Module(salted(bytes))
  } finally {
    for (const flag of off) v8.setFlagsFromString(flag)
  }
}

/** With a section that means nothing, so that V8 does not give the code that it made without widening. */
function salted(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const section = [0, 5, 4, ...new TextEncoder().encode('wide')]
  const whole = new Uint8Array(bytes.length + section.length)
  whole.set(bytes)
  whole.set(section, bytes.length)
  return whole
}
