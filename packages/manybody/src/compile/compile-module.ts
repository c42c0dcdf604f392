/**
 * Compiles the workloads that a module exports, and writes a module that exports them compiled. The command and the bundler plugin share
 * it.
 *
 * @module
 */
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledWorkload, Workload } from '@manybody/core'
import { type CompileOptions, compile } from './compile.ts'

/** The text of a module, and of the types beside it. */
export interface CompiledModule {
  readonly code: string
  readonly types: string
  /** The names that it exports. */
  readonly names: readonly string[]
}

/**
 * @param file a module that exports workloads; its other exports are left out
 * @param from the folder of the file that will hold the types, for their import of that module
 * @throws TypeError if it cannot be loaded, or exports no workload; the errors of {@link compile}, with the name of the export
 */
export async function compileModule(
  file: string,
  options: CompileOptions = {},
  from?: string,
): Promise<CompiledModule> {
  const workloads = Object.entries(await load(file)).filter(isWorkload)
  if (workloads.length === 0)
    throw new TypeError(
      `"${file}" expected exports that are workloads, such as export const pull = accelerations(gravity()), got none`,
    )
  const compiled = workloads.map(([name, workload]) => [name, named(name, () => compile(workload, options))] as const)
  const exported = (name: string, data: CompiledWorkload) =>
    name === 'default' ? `export default ${text(data)}` : `export const ${name} = ${text(data)}`
  return {
    code: `${compiled.map(([name, data]) => exported(name, data)).join('\n')}\n`,
    types: typesOf(
      workloads.map(([name]) => name),
      specifierOf(file, from),
    ),
    names: workloads.map(([name]) => name),
  }
}

const text = (data: CompiledWorkload) => `JSON.parse(${JSON.stringify(JSON.stringify(data))})`

function typesOf(names: readonly string[], source: string): string {
  const typeOf = (name: string) => `CompiledWorkload<(typeof import(${JSON.stringify(source)}))['${name}']>`
  const lines = names.map((name) =>
    name === 'default'
      ? `declare const workload: ${typeOf(name)}\nexport default workload`
      : `export declare const ${name}: ${typeOf(name)}`,
  )
  return `import type { CompiledWorkload } from 'manybody/run'\n\n${lines.join('\n')}\n`
}

/** The path in the types' import: TypeScript finds `laws.ts` as `laws.js`. */
function specifierOf(file: string, from: string | undefined): string {
  const path = relative(from ?? '.', file)
    .replaceAll('\\', '/')
    .replace(/\.(c|m|)tsx?$/, '.$1js')
  return path.startsWith('.') ? path : `./${path}`
}

/** How often any module was loaded. Each load gets its own URL, because a bundler that watches loads a file again. */
let loads = 0

async function load(file: string): Promise<object> {
  try {
    return (await import(`${pathToFileURL(file).href}?manybody=${loads++}`)) as object
  } catch (cause) {
    const { code } = Object(cause) as { code?: string }
    const remedy =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `Node ${process.versions.node} reads no TypeScript; use Node 22.18 or later, or give the JavaScript that your build makes of it`
        : cause instanceof Error
          ? cause.message
          : String(cause)
    throw new TypeError(`"${file}" expected a module that can be loaded: ${remedy}`, { cause })
  }
}

const isWorkload = (entry: [string, unknown]): entry is [string, Workload] =>
  Object(entry[1]) === entry[1] && 'loop' in Object(entry[1]) && 'results' in Object(entry[1])

function named<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`
    throw error
  }
}
