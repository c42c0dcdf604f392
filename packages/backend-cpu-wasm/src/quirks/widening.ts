/**
 * 256-bit widening: asks V8 to combine pairs of 128-bit operations into one 256-bit operation.
 *
 * This is an experiment of V8, which Node 24 and later can switch on during one compilation. Pages cannot. V8 shares compiled
 * code between modules with the same bytes, so a module must differ to be compiled again.
 *
 * `tests/environments/runtimes.test.ts` shows it in Node 24. Remove this when V8 widens by itself.
 *
 * @module
 */

/** The first Node release whose V8 widens well enough. */
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

/** Why this process cannot widen anything; undefined if it can. */
export function noWidening(process: NodeProcess | undefined = hostProcess()): string | undefined {
  const { node, bun, deno } = process?.versions ?? {}
  if (!node || bun || deno) return 'widening needs Node 24 or later, but this is not Node'
  if (Number.parseInt(node, 10) < firstRelease) return `widening needs Node 24 or later, but this is Node ${node}`
  if (process?.arch !== 'x64') return `widening needs an x64 processor with AVX2, but this is ${process?.arch}`
  if (withoutAvx2(process)) return 'widening needs a processor with AVX2, which this one lacks'
  return undefined
}

/** Whether the processor is known to lack AVX2. Only Linux tells. */
function withoutAvx2(process: NodeProcess | undefined): boolean {
  try {
    const files = process?.getBuiltinModule?.('node:fs') as { readFileSync(path: string, encoding: string): string }
    return !/^flags.*\bavx2\b/m.test(files.readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

/** Compiles with widening. This is synchronous, because the flags apply to the whole process. */
export function compileWidened(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  const v8 = hostProcess()?.getBuiltinModule?.('node:v8') as V8 | undefined
  if (!v8) throw new Error('Cannot widen: this platform has no node:v8')
  for (const flag of on) v8.setFlagsFromString(flag)
  try {
    return new WebAssembly.Module(salted(bytes))
  } finally {
    for (const flag of off) v8.setFlagsFromString(flag)
  }
}

/** Adds a custom section without meaning, so that V8 does not reuse the code that it compiled without widening. */
function salted(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const section = [0, 5, 4, ...new TextEncoder().encode('wide')]
  const whole = new Uint8Array(bytes.length + section.length)
  whole.set(bytes)
  whole.set(section, bytes.length)
  return whole
}
